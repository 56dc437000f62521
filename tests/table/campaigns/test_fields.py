"""Fields of a sheet in words: what each game offers, and that none of it is always refused."""

from collections.abc import Iterator

import pytest

from bot.rules import rulesets
from bot.rules.kernel import Document, Ruleset
from bot.rules.kernel.errors import UserErrors
from bot.store.records import CampaignId, CampaignRecord, ServerId
from bot.table.base.access import Access, ForGmOnly
from bot.table.base.table import Table
from bot.table.campaigns import campaigns, fields
from bot.table.campaigns.fields import SetField, fields_of
from bot.table.characters import characters
from tests.table.conftest import Person

GAMES = tuple(rulesets().values())
RPJ = rulesets()["rpj"]
NAME = "Ilsa Roan"


def _access(game: Ruleset, gm: Person) -> Access:
    campaign = CampaignRecord(
        id=CampaignId(1),
        server=ServerId(900),
        name="The Manor",
        ruleset=game.key,
        created_at=0,
    )
    return Access(gm.asks(), campaign, game, game.settings(), is_gm=True)


def _sheets(game: Ruleset) -> Iterator[Document]:
    yield from game.creation.offered(game.settings()).values()


def _tried(one: SetField) -> Iterator[str]:
    """What a GM might set a field to."""
    yield from (choice.label for choice in one.values if choice.label != one.value)
    if one.value.lstrip("-").isdecimal():
        yield from (str(int(one.value) + step) for step in (1, -1, 2, 12))
    yield from ("Other", "1")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_f_all_18_every_field_offered_is_in_words_and_takes_another_value(game: Ruleset, gm: Person) -> None:
    access = _access(game, gm)
    for sheet in _sheets(game):
        offered = fields_of(access, sheet)
        assert len({one.title for one in offered}) == len(offered)
        for one in offered:
            assert not set("_/*{") & set(one.title), one.title
            assert any(_takes(access, sheet, one, value) for value in _tried(one)), one


def _takes(access: Access, sheet: Document, one: SetField, value: str) -> bool:
    try:
        return fields._with_field(access, sheet, one.path, value) != sheet
    except UserErrors:
        return False


@pytest.fixture
async def played(table: Table, gm: Person, ada: Person) -> Table:
    every = Table(
        store=table.store, games={**table.games, **rulesets()}, now=table.now, new_secret=table.new_secret
    )
    await campaigns.create(every, gm.asks(), "rpj", "The Manor")
    ready = next(iter(RPJ.creation.offered(RPJ.settings())))
    await characters.take_ready_made(every, ada.asks(), ready, NAME)
    return every


async def test_a_field_is_set_by_its_title_and_a_value_by_its_name(played: Table, gm: Person) -> None:
    result = await fields.set_field(played, gm.asks(), NAME, "Class", "leader")

    assert result.message.headline == f"sets {NAME}'s Class"
    assert [(one.what, one.after) for one in result.message.changes] == [("Class", "Leader")]


async def test_a_refusal_names_the_field_as_it_was_offered(played: Table, gm: Person) -> None:
    with pytest.raises(UserErrors) as told:
        await fields.set_field(played, gm.asks(), NAME, "Character points to spend", "many")

    assert told.value.problems == ("Character points to spend: must be a whole number.",)


async def test_an_unknown_field_is_answered_with_titles(played: Table, gm: Person) -> None:
    with pytest.raises(fields.NoSuchField) as told:
        await fields.set_field(played, gm.asks(), NAME, "wings", "2")

    assert told.value.allowed.startswith("Fields: Character points to spend, Character points in all, DEX,")


async def test_the_values_of_a_field_are_offered_to_gms(played: Table, gm: Person, ada: Person) -> None:
    offered = await fields.field_values(played, gm.asks(), "lea", NAME, "class_id")

    assert [(one.value, one.label) for one in offered] == [("leader", "Leader")]
    assert await fields.field_values(played, gm.asks(), "", NAME, "wings") == []
    with pytest.raises(ForGmOnly):
        await fields.field_values(played, ada.asks(), "", NAME, "class_id")
