"""Upgrading sheets stored by earlier versions."""

from collections.abc import Mapping

SHEET_VERSION = 2


def upgrade_sheet(sheet: Mapping[str, object], _version: int) -> Mapping[str, object]:
    """Bring a stored sheet up to date: version 1 stored who rolls dice, not who flips coins.

    Source: RPJ-COIN-08.
    """
    return {key: value for key, value in sheet.items() if key != "keeps_to_dice"}
