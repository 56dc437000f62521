"""The limits of a beginner; more needs the GM's approval."""

from collections.abc import Iterator

from bot.rules.kernel import Beginner, Excess, beyond_new
from bot.rules.post_magic_maid.character.settings import MaidSettings
from bot.rules.post_magic_maid.character.sheet import MaidSheet

JUDGED = {"attributes", "abilities", "advances", "is_dead"}


def excess(sheet: MaidSheet, _settings: MaidSettings) -> Iterator[Excess]:
    """Everything on a sheet above a beginner's, who has no level-up spent.

    What creation gives is judged with every sheet, and dice grow by level-ups only.

    Source: PMM-CRE-07, PMM-ADV-08.
    """
    spent = sum(score.steps for score in sheet.attributes.values())
    spent += sum(ability.from_level_ups for ability in sheet.abilities)
    if most := max(spent, len(sheet.advances)):
        yield Excess("Level-ups spent", most)
    yield from beyond_new(sheet, JUDGED)


BEGINNER = Beginner(excess=excess)
