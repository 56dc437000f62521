"""*Again* under a result: the same act once more, by its own player, with what it costs now (F-ALL-28)."""

import asyncio

import pytest

from bot.rules.kernel.errors import UserError
from bot.store.records import FollowUpId
from bot.table.base.results import ChangeLine, Result
from bot.table.base.table import Table
from bot.table.characters import characters
from bot.table.journal import journal
from bot.table.play import play
from tests.table.conftest import Person
from tests.table.whole import everything

BUTTONS = 2  # presses at once


async def do(table: Table, who: Person, procedure: str, **given: int) -> Result:
    return await play.perform(table, who.asks(), procedure, given)


def again_of(result: Result) -> FollowUpId:
    assert result.again is not None
    assert result.again.follow_up.label == "Again"
    return result.again.id


async def press_again(table: Table, who: Person, result: Result) -> Result:
    return (await play.press(table, who.asks(), again_of(result))).result


async def refused(table: Table, who: Person, result: Result) -> UserError:
    """Press *Again* where that is refused, and check that nothing has changed."""
    before = everything(table)
    with pytest.raises(UserError) as told:
        await play.press(table, who.asks(), again_of(result))
    assert everything(table) == before
    return told.value


async def test_again_repeats_the_act_with_its_options_in_a_message_of_its_own(
    game: Table, ada: Person
) -> None:
    first = await do(game, ada, "check", bonus=2)

    pressed = await play.press(game, ada.asks(), again_of(first))

    assert pressed.is_apart
    assert pressed.result.entry != first.entry
    assert [roll.against for roll in pressed.result.rolls] == [roll.against for roll in first.rolls]
    assert pressed.message.again is None  # the button has moved on to the new result
    assert pressed.result.again is not None


async def test_again_pays_the_cost_again_until_there_is_nothing_left(game: Table, ada: Person) -> None:
    first = await do(game, ada, "spend")

    second = await press_again(game, ada, first)

    assert second.message.changes == (ChangeLine("Ada", "Luck", "1", "0"),)
    assert "Luck" in (await refused(game, ada, second)).what


async def test_again_pressed_twice_at_once_acts_once(game: Table, ada: Person) -> None:
    first = await do(game, ada, "check")
    button = again_of(first)

    answers = await asyncio.gather(
        *(play.press(game, ada.asks(), button) for _ in range(BUTTONS)), return_exceptions=True
    )

    failed = [one for one in answers if isinstance(one, UserError)]
    assert [one.what for one in failed] == ["That has already been done."]


async def test_nobody_else_but_a_gm_can_press_again(game: Table, ada: Person, bo: Person, gm: Person) -> None:
    first = await do(game, ada, "check")

    assert (await refused(game, bo, first)).what == "That button is for Ada."
    assert (await press_again(game, gm, first)).message.who == "Ada"


async def test_again_is_refused_once_the_character_has_retired(game: Table, ada: Person) -> None:
    first = await do(game, ada, "check")
    await characters.retire(game, ada.asks(), "Ada")

    assert (await refused(game, ada, first)).what == "There is no such character here."


async def test_a_renamed_character_does_it_again_under_its_new_name(game: Table, ada: Person) -> None:
    first = await do(game, ada, "check")
    await characters.rename(game, ada.asks(), "Ada", "Adela")

    assert (await press_again(game, ada, first)).message.who == "Adela"


async def test_a_pushed_result_still_offers_again(game: Table, ada: Person) -> None:
    first = await do(game, ada, "check", bonus=-4)
    push = next(one for one in first.follow_ups if one.follow_up.label.startswith("Push"))

    pushed = (await play.press(game, ada.asks(), push.id)).message

    assert pushed.again is not None
    assert (await press_again(game, ada, pushed)).message.headline == first.message.headline


async def test_undoing_what_was_done_again_offers_it_again(game: Table, ada: Person, gm: Person) -> None:
    first = await do(game, ada, "spend")
    second = await press_again(game, ada, first)

    await journal.undo(game, gm.asks(), second.entry, is_sure=True)

    shown = await journal.entry_result(game, ada.asks(), first.entry)
    assert shown.again is not None


@pytest.mark.parametrize("procedure", ["train", "aim", "whisper"])
async def test_what_is_done_once_or_told_in_private_offers_nothing_again(
    game: Table, ada: Person, procedure: str
) -> None:
    assert (await do(game, ada, procedure)).again is None


async def test_a_secret_result_offers_nothing_again(game: Table, gm: Person) -> None:
    result = await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)

    assert result.again is None
