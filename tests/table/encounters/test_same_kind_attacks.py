"""Every foe of a kind attacks at one press."""

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.errors import UserError
from bot.table.base.access import ForGmOnly
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.encounters import encounters, prepared_fights
from bot.table.encounters.encounters import NoEncounter, SameKindOffer, kind_of
from bot.table.play import play
from bot.table.play.play import Given
from bot.ui.live.fight_board import GMS, page_rows
from bot.ui.text.reply import Select
from tests.table.conftest import Person
from tests.table.counting import everything


@pytest.fixture
async def fight(table: Table, gm: Person, ada: Person) -> Table:
    """Compare Roll: Alice plays Ash against three wolves and a bear, whose turn it is."""
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), "compare_roll", "The Yard")
    await characters.take_ready_made(game, ada.asks(), "Juno Marsh", "Ash")
    await play.perform(game, gm.asks(), keys.START, {"others": ("Ash",)})
    await prepared_fights.add(game, gm.asks(), "Wolf", count=3)
    await prepared_fights.add(game, gm.asks(), "Bear")
    await prepared_fights.add(game, gm.asks(), "Wolf 9", is_hidden=True)
    for _ in range(2):
        await play.perform(game, gm.asks(), keys.NEXT, {})
    return game


async def same_kind(table: Table, who: Person) -> tuple[SameKindOffer, ...]:
    return (await encounters.fight_here(table, who.asks())).same_kind


async def test_all_wolves_attack_at_one_press_and_each_rolls(fight: Table, gm: Person) -> None:
    (wolves,) = await same_kind(fight, gm)
    assert wolves.follow_up.label == "Every Wolf attacks …"
    ash = wolves.follow_up.choices[0]

    request = gm.asks()
    done = await encounters.take_up_with_all(fight, request, 1, wolves.key, Given(ash.value))
    again = await encounters.take_up_with_all(fight, request, 1, wolves.key, Given(ash.value))

    assert [one.message.who for one in done] == ["Wolf 1", "Wolf 2", "Wolf 3"]
    assert all("Unarmed" in one.message.headline and one.rolls for one in done)
    assert [one.entry for one in again] == [one.entry for one in done]
    assert await same_kind(fight, gm) == ()  # none of them has an attack left


async def test_those_who_have_attacked_are_left_out(fight: Table, gm: Person) -> None:
    await play.perform(fight, gm.asks(), "attack", {"targets": ("Ash",)}, acting="Wolf 2")
    (wolves,) = await same_kind(fight, gm)

    done = await encounters.take_up_with_all(
        fight, gm.asks(), 1, wolves.key, Given(wolves.follow_up.choices[0].value)
    )

    assert [one.message.who for one in done] == ["Wolf 1", "Wolf 3"]


async def test_only_a_gm_lets_them_all_attack(fight: Table, gm: Person, ada: Person) -> None:
    (wolves,) = await same_kind(fight, gm)
    chosen = Given(wolves.follow_up.choices[0].value)
    before = everything(fight)

    for who in (ada, replace(ada, id=77)):
        with pytest.raises(ForGmOnly):
            await encounters.take_up_with_all(fight, who.asks(), 1, wolves.key, chosen)

    assert everything(fight) == before


async def test_an_old_menu_is_refused(fight: Table, gm: Person) -> None:
    (wolves,) = await same_kind(fight, gm)
    with pytest.raises(UserError, match="can't choose that"):
        await encounters.take_up_with_all(fight, gm.asks(), 1, wolves.key, Given("999"))

    await play.perform(fight, gm.asks(), keys.NEXT, {})
    with pytest.raises(UserError, match="moved on"):
        await encounters.take_up_with_all(fight, gm.asks(), 1, wolves.key, Given("1"))

    await play.perform(fight, gm.asks(), keys.END, {})
    with pytest.raises(NoEncounter):
        await encounters.take_up_with_all(fight, gm.asks(), 1, wolves.key, Given("1"))


async def test_an_archived_campaign_takes_no_press(fight: Table, gm: Person) -> None:
    (wolves,) = await same_kind(fight, gm)
    await campaigns.archive(fight, gm.asks())

    with pytest.raises(UserError, match="archived"):
        await encounters.take_up_with_all(fight, gm.asks(), 1, wolves.key, Given("1"))


async def test_the_gms_page_of_a_board_offers_the_menu_to_all(fight: Table, gm: Person) -> None:
    look = await encounters.fight_here(fight, gm.asks())

    menus = [one.prompt for one in page_rows(look, GMS) if isinstance(one, Select)]

    assert menus == ["Wolf 1 attacks …", "Wolf 2 attacks …", "Wolf 3 attacks …", "Every Wolf attacks …"]


def test_a_kind_is_a_name_without_its_number() -> None:
    assert [kind_of(name) for name in ("Wolf 12", "Wolf", "Grey Wolf 1", "12")] == [
        "Wolf",
        "Wolf",
        "Grey Wolf",
        "12",
    ]
