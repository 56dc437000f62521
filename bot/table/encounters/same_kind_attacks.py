"""Attacks of every foe of one kind at one press, where several of them are on at once."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.rules.kernel import Audience, CharacterId, FollowUp, Scene
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters import find_character, npcs_on
from bot.store.records import CampaignId
from bot.store.transaction import Transaction
from bot.table.base.access import access_in
from bot.table.base.access import find_character as find_record
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.journal.several_entries import as_part
from bot.table.play.doing import do
from bot.table.play.offer_keys import key_of
from bot.table.play.play import Given, move_of

FEWEST = 2
NUMBERED = re.compile(r"(?P<kind>.+?) [0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class SameKindOffer:
    """What every foe of a kind can do at once.

    Attributes:
        key: What names it in a button.
        follow_up: What one of them does; its label speaks of all.
        foes: Who they are.
    """

    key: str
    follow_up: FollowUp
    foes: tuple[CharacterId, ...]


def kind_of(name: str) -> str:
    """Return a foe's name without its number."""
    numbered = NUMBERED.fullmatch(name)
    return numbered["kind"] if numbered else name


def same_kind_offers(scene: Scene, offers: Sequence[FollowUp]) -> tuple[SameKindOffer, ...]:
    """Return the menus that two or more foes of a kind share, each as one for all of them."""
    foes: dict[str, list[CharacterId]] = defaultdict(list)
    names: dict[CharacterId, str] = {}
    for who in npcs_on(scene):
        character = find_character(scene, who)
        if character is not None:
            foes[kind_of(character.name)].append(who)
            names[who] = character.name
    return tuple(_shared(foes, names, offers))


def _shared(
    foes: dict[str, list[CharacterId]], names: dict[CharacterId, str], offers: Sequence[FollowUp]
) -> Iterator[SameKindOffer]:
    for kind, those in foes.items():
        menus = [
            one for one in offers if one.character in those and one.audience is Audience.GM and one.choices
        ]
        alike = [one for one in menus if _plain(one) == _plain(menus[0])]
        if len(alike) < FEWEST:
            continue
        first = alike[0]
        name = names[first.character] if first.character is not None else ""
        label = first.label.replace(name, f"Every {kind}", 1)
        everybody = replace(first, character=None, label=label)
        yield SameKindOffer(key_of(everybody) + f"{those[0]}", everybody, tuple(those))


def _plain(menu: FollowUp) -> FollowUp:
    return replace(menu, character=None, label="")


def attack_with_all(
    table: Table, tx: Transaction, request: Request, campaign: CampaignId, offer: SameKindOffer, given: Given
) -> tuple[Result, ...]:
    """Let each foe of a kind act, one after the other; those who can't any more are left out.

    Raises:
        UserError: If none of them can; then nothing has changed.
    """
    done: list[Result] = []
    refused: UserError | None = None
    for foe in offer.foes:
        found = tx.campaign(request.server, campaign)
        if found is None:  # campaigns are never deleted while they are played
            raise LookupError(f"campaign {campaign} is gone")
        access = access_in(table, tx, as_part(request, len(done)), found)
        follow_up = replace(offer.follow_up, character=foe)
        try:
            actor = find_record(tx, access, int(foe))
            done.append(do(table, tx, move_of(tx, access, follow_up, actor, given)))
        except UserError as error:
            refused = refused or error
    if not done:
        raise refused or UserError("The fight has moved on.")
    return tuple(done)
