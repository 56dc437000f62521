"""`/gm ask`: a check is called for, everybody rolls at one message, and what nobody may know stays secret."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel.dice import percent
from bot.rules.kernel.errors import UserError
from bot.store.sqlite import open_store
from bot.table.base.access import ForGmOnly
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.gm import gm as gms
from bot.table.journal import journal, log
from bot.table.requests import asking_page, gatherings, requested_checks
from bot.table.requests.asking_page import BestAt, best_at
from bot.table.requests.gatherings import Joined
from bot.table.requests.requested_checks import Wanted
from tests.databases import prepared_file
from tests.table.asking_toy import ASKING_TOY
from tests.table.conftest import Clock, Person, Secrets
from tests.table.counting import everything, state

ADAS, BOS = "Ada: roll · 67%", "Bo: roll · 33%"


@pytest.fixture
async def table(tmp_path: Path, clock: Clock) -> AsyncIterator[Table]:
    store = await open_store(prepared_file(tmp_path))
    yield Table(store=store, games={"toy": ASKING_TOY}, now=clock, new_secret=Secrets())
    await store.close()


async def ask(table: Table, asker: Person, check: str = "Brawn check", **wanted: Any) -> Result:
    asked = await requested_checks.ask(table, asker.asks(), Wanted(check=check, **wanted))
    assert isinstance(asked, Result)
    return asked


def labels(result: Result) -> list[str]:
    assert result.gathering is not None
    return [one.label for one in result.gathering.view.follow_ups]


def lines(result: Result) -> tuple[str, ...]:
    assert result.gathering is not None
    return result.gathering.view.lines


def names(result: Result) -> list[str]:
    assert result.gathering is not None
    return [part.who for part in result.gathering.view.parts]


async def press(table: Table, who: Person, asked: Result, label: str) -> Joined:
    now = await standing(table, who, asked)
    assert now.gathering is not None
    name = next((one.group for one in now.gathering.view.follow_ups if one.label.startswith(label)), label)
    return await gatherings.join(table, who.asks(), asked.entry, name)


async def standing(table: Table, who: Person, asked: Result) -> Result:
    return (await gatherings.look_closer(table, who.asks(), asked.entry))[0]


async def refused(table: Table, asker: Person, check: str = "Brawn check", **wanted: Any) -> UserError:
    before = everything(table)
    with pytest.raises(UserError) as told:
        await ask(table, asker, check, **wanted)
    assert everything(table) == before
    return told.value


class TestCalling:
    async def test_every_player_gets_a_button_with_their_chance(self, game: Table, gm: Person) -> None:
        asked = await ask(game, gm)

        assert (asked.message.who, asked.message.headline) == ("Gwen", "asks for a Brawn check")
        assert labels(asked) == [ADAS, BOS, "Close (GM)"]
        assert lines(asked) == ("Still to roll: Ada, Bo",)

    async def test_a_gm_can_ask_some_characters_with_difficulty_options_and_a_note(
        self, game: Table, gm: Person
    ) -> None:
        asked = await ask(game, gm, difficulty="-1", who=["bo"], note="the rope over the gorge")

        assert asked.message.headline == "asks for a Brawn check, difficulty -1"
        assert asked.message.notes == ("the rope over the gorge",)
        assert labels(asked) == ["Bo: roll · 17%", "Close (GM)"]
        more = await ask(game, gm, "bravery check", what="0", more="dread 1", who=["Bo"])
        assert labels(more) == ["Bo: roll · 17%", "Close (GM)"]

    async def test_a_game_without_requestable_checks_says_so(self, game: Table, gm: Person) -> None:
        silent = replace(game, games={"toy": replace(ASKING_TOY, asks=())})

        assert (await refused(silent, gm)).what == "Toy Game has no checks to ask for."

    async def test_a_player_with_several_characters_is_asked_for_the_current_one(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await characters.take_ready_made(game, ada.asks(), "Bo", "Cid")

        assert lines(await ask(game, gm)) == ("Still to roll: Bo, Cid",)
        await characters.use(game, ada.asks(), "Ada")
        assert lines(await ask(game, gm)) == ("Still to roll: Ada, Bo",)

    @pytest.mark.parametrize(
        ("wanted", "what"),
        [
            ({"check": "dance"}, "You can't ask for “dance”."),
            ({"check": "bravery check"}, "A bravery check needs to know what it is for."),
            ({"what": "Rope"}, "A Brawn check takes no further detail."),
            ({"difficulty": "9"}, "Bonus: must be at most 5."),
            ({"more": "courage 3"}, "Unknown option: courage 3."),
            ({"who": ["Zoe"]}, "There is no character called “Zoe” here."),
            ({"countdown": "Doom"}, "There is no countdown called “Doom” here."),
        ],
    )
    async def test_an_invalid_request_is_refused_as_a_whole(
        self, game: Table, gm: Person, wanted: dict[str, Any], what: str
    ) -> None:
        assert (await refused(game, gm, **wanted)).what == what

    async def test_only_a_gm_requests_checks_and_hidden_characters_are_not_asked(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await gm_npc(game, gm, "Shade", is_hidden=True)

        assert isinstance(await refused(game, ada), ForGmOnly)
        assert (await refused(game, gm, who=["Ada", "Shade"])).what.startswith("Shade: hidden characters")


class TestOffering:
    async def test_requestable_checks_are_suggested_with_their_details(self, game: Table, gm: Person) -> None:
        titles = await requested_checks.check_choices(game, gm.asks(), "b")
        assert [one.value for one in titles] == ["Brawn check", "bravery check"]

        names = await requested_checks.detail_choices(
            game, gm.asks(), "", "bravery check", of_difficulty=False
        )
        hard = await requested_checks.detail_choices(game, gm.asks(), "", "bravery check", of_difficulty=True)

        assert ([one.value for one in names], hard) == (["1", "2"], [])

    async def test_the_same_interaction_twice_requests_a_check_once(self, game: Table, gm: Person) -> None:
        request = gm.asks()

        first = await requested_checks.ask(game, request, Wanted(check="Brawn check"))
        kept = everything(game)

        assert await requested_checks.ask(game, request, Wanted(check="Brawn check")) == first
        assert everything(game) == kept

    async def test_fifteen_characters_can_be_asked_at_once(self, game: Table, gm: Person) -> None:
        crows = [f"Crow {number}" for number in range(15)]
        for crow in crows:
            await gm_npc(game, gm, crow)

        assert lines(await ask(game, gm, who=crows)) == (f"Still to roll: {', '.join(crows)}",)

    async def test_a_request_to_nobody_or_too_many_is_refused(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        for number in range(15):
            await gm_npc(game, gm, f"Crow {number}")
        crows = [f"Crow {number}" for number in range(15)]
        assert (await refused(game, gm, who=["Ada", *crows])).what == (
            "You can ask up to 15 characters at once; that would be 16."
        )

        for name in ("Ada", "Bo"):
            await characters.retire(game, gm.asks(), name)
        assert (await refused(game, gm)).what == "Nobody has a character here yet."

    async def test_a_character_who_cannot_make_the_check_is_named_to_the_gm(
        self, game: Table, gm: Person
    ) -> None:
        refusal = await refused(game, gm, "leap")

        assert refusal.what == "Ada can't do that: Ada dares not."


async def gm_npc(table: Table, who: Person, name: str, *, is_hidden: bool = False) -> None:
    await gms.make_npc(table, who.asks(), name, is_hidden=is_hidden)


class TestAnswering:
    async def test_the_message_collects_each_roll_until_nobody_is_missing(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        asked = await ask(game, gm)

        first = await press(game, ada, asked, "Ada")
        assert (names(first.whole), lines(first.whole)) == (["Ada"], ("Still to roll: Bo",))
        assert first.own is None
        last = await press(game, bo, asked, "Bo")

        assert (names(last.whole), lines(last.whole), labels(last.whole)) == (["Ada", "Bo"], (), [])
        assert last.whole.gathering is not None
        view = last.whole.gathering.view
        good = sum(part.rolls[0].verdict.title == "success" for part in view.parts)
        assert view.verdict is not None
        assert view.verdict.title == f"{good} of 2 succeed"

    async def test_strangers_second_presses_and_unknown_names_are_refused(
        self, game: Table, gm: Person, ada: Person, bo: Person, neighbour: Person
    ) -> None:
        asked = await ask(game, gm)
        with pytest.raises(UserError, match="That button is for Ada"):
            await press(game, bo, asked, "Ada")
        with pytest.raises(ForGmOnly):
            await press(game, bo, asked, "Close")
        with pytest.raises(UserError, match="can no longer do that"):
            await gatherings.join(game, neighbour.asks(), asked.entry, "close")
        await press(game, ada, asked, "Ada")
        kept = everything(game)

        with pytest.raises(UserError, match="has already been done"):
            await press(game, ada, asked, f"roll/{1}")

        assert everything(game) == kept

    async def test_the_same_interaction_twice_rolls_once(self, game: Table, gm: Person, ada: Person) -> None:
        asked = await ask(game, gm)
        request = ada.asks()

        first = await gatherings.join(game, request, asked.entry, "roll/1")
        kept = everything(game)
        again = await gatherings.join(game, request, asked.entry, "roll/1")

        assert again.whole == first.whole
        assert everything(game) == kept

    async def test_simultaneous_presses_all_count(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        asked = await ask(game, gm)

        done = await asyncio.gather(
            *(gatherings.join(game, ada.asks(), asked.entry, "roll/1") for _ in range(3)),
            gatherings.join(game, bo.asks(), asked.entry, "roll/2"),
            return_exceptions=True,
        )

        assert sorted(type(one).__name__ for one in done) == [
            "Joined",
            "Joined",
            "NoLongerOffered",
            "NoLongerOffered",
        ]
        assert names(await standing(game, gm, asked)) == ["Ada", "Bo"]

    async def test_a_gm_may_press_for_anybody_and_may_close_the_request(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        asked = await ask(game, gm)
        await press(game, gm, asked, "Bo")

        closed = await press(game, gm, asked, "Close")

        assert (names(closed.whole), lines(closed.whole)) == (["Bo"], ("Did not roll: Ada",))
        assert (labels(closed.whole), closed.own) == ([], None)
        with pytest.raises(UserError, match="or is closed"):
            await gatherings.join(game, ada.asks(), asked.entry, "roll/1")

    async def test_a_gm_only_option_applies_to_the_player_who_rolls(
        self, game: Table, gm: Person, bo: Person
    ) -> None:
        asked = await ask(game, gm, "bravery check", what="0", more="dread 1", who=["Bo"])

        done = await press(game, bo, asked, "Bo")

        assert names(done.whole) == ["Bo"]

    async def test_a_follow_up_is_offered_beside_its_roll_and_replaces_it(
        self, game: Table, gm: Person, bo: Person
    ) -> None:
        asked = await ask(game, gm, difficulty="-5", who=["Bo"])
        failed = (await press(game, bo, asked, "Bo")).whole
        assert failed.gathering is not None
        (push,) = failed.gathering.beside
        assert (push.who, push.open.follow_up.label) == ("Bo", "Push · 1 Luck")

        pushed = await gatherings.follow_part(game, bo.asks(), asked.entry, push.open.id)

        assert pushed.whole.gathering is not None
        assert pushed.whole.gathering.beside == ()
        assert pushed.whole.gathering.view.parts[0].rolls[0].against == "2−"
        assert pushed.own is None
        (answer,) = pushed.whole.gathering.answers
        assert answer is not None
        assert [line.what for one in answer.result.all_of_it for line in one.message.changes] == ["Luck"]


class TestLater:
    async def test_an_undone_roll_is_missing_again_and_the_other_rolls_stay(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        asked = await ask(game, gm)
        await press(game, ada, asked, "Ada")
        await press(game, bo, asked, "Bo")

        done = await journal.undo(game, gm.asks(), await latest_of(game, gm, "Ada"))

        assert isinstance(done, journal.Undone)
        after = await standing(game, gm, asked)
        assert (names(after), lines(after)) == (["Bo"], ("Still to roll: Ada",))
        await press(game, ada, asked, "Ada")
        assert names(await standing(game, gm, asked)) == ["Ada", "Bo"]

    async def test_undoing_the_whole_request_leaves_nothing_behind(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        before = state(game)
        asked = await ask(game, gm)
        await press(game, ada, asked, "Ada")

        await journal.undo(game, gm.asks(), asked.entry, together=True)

        assert state(game)["documents"] == before["documents"]
        with pytest.raises(UserError, match="can no longer do that"):
            await gatherings.join(game, ada.asks(), asked.entry, "roll/1")

    async def test_a_request_does_not_wait_for_retired_or_hidden_characters(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await gm_npc(game, gm, "Crow")
        asked = await ask(game, gm, who=["Ada", "Bo", "Crow"])
        await press(game, ada, asked, "Ada")
        await characters.retire(game, bo.asks(), "Bo")
        await hide(game, gm, "Crow")

        seen = await standing(game, ada, asked)
        assert (names(seen), lines(seen)) == (["Ada"], ())
        assert seen.gathering is not None
        assert seen.gathering.view.verdict is not None
        assert lines(await standing(game, gm, asked)) == ("Still to roll: Crow",)

    async def test_a_request_survives_a_restart(
        self, game: Table, gm: Person, ada: Person, tmp_path: Path
    ) -> None:
        asked = await ask(game, gm)
        await press(game, ada, asked, "Ada")
        await game.store.close()

        store = await open_store(f"sqlite:///{tmp_path}/table.db")
        again = replace(game, store=store)
        done = await press(again, gm, asked, "Bo")
        await store.close()

        assert names(done.whole) == ["Ada", "Bo"]


async def hide(table: Table, who: Person, name: str) -> None:
    await gms.show_or_hide(table, who.asks(), name, is_hidden=True)


async def latest_of(table: Table, who: Person, name: str) -> Any:
    page = await log.page(table, who.asks())
    lines = (line for line in page.lines if isinstance(line, log.LogLine))
    return next(line.entry for line in lines if line.message.who == name and line.message.verdict)


CHECKS = {
    "rpj": Wanted(check="skill check", what="Perception", difficulty="13"),
    "swim_class": Wanted(check="roll", what="Swim", difficulty="6"),
    "post_magic_maid": Wanted(check="check", what="Str + Dex", difficulty="15"),
}


async def begin(table: Table, game: str, gm: Person, *players: Person) -> Table:
    """A campaign with a ready-made character for each player, and an NPC."""
    whole = replace(table, games=rulesets())
    await campaigns.create(whole, gm.asks(), game, "The Long Road")
    rules = rulesets()[game]
    for player, name in zip(players, list(rules.creation.offered(rules.settings())), strict=False):
        await characters.take_ready_made(whole, player.asks(), name)
    await gms.make_npc(whole, gm.asks(), "Ogre")
    return whole


def shown(best: BestAt) -> list[str]:
    return [f"{one.name}: roll · {percent(one.chance)}" for one in best.best]


@pytest.mark.parametrize("game", CHECKS)
async def test_the_chances_are_those_on_the_buttons(
    table: Table, gm: Person, ada: Person, bo: Person, game: str
) -> None:
    whole = await begin(table, game, gm, ada, bo)
    before = everything(whole)

    best = await best_at(whole, gm.asks(), CHECKS[game])

    assert everything(whole) == before
    asked = await requested_checks.ask(whole, gm.asks(), CHECKS[game])
    assert isinstance(asked, Result)
    assert asked.gathering is not None
    labels = [one.label for one in asked.gathering.view.follow_ups]
    assert sorted(shown(best)) == sorted(label for label in labels if "roll ·" in label) != []
    assert [one.chance for one in best.best] == sorted((one.chance for one in best.best), reverse=True)


async def test_a_check_without_a_difficulty_has_the_scenes(
    table: Table, gm: Person, ada: Person, bo: Person
) -> None:
    whole = await begin(table, "rpj", gm, ada, bo)
    offered = (await asking_page.asking_page(whole, gm.asks())).difficulties
    hard = offered[-1]
    await asking_page.set_scene(whole, gm.asks(), difficulty=hard)

    preset = await best_at(whole, gm.asks(), replace(CHECKS["rpj"], difficulty=""))

    assert (preset.what, preset.difficulty) == ("Perception", hard)
    assert preset == await best_at(whole, gm.asks(), replace(CHECKS["rpj"], difficulty=hard))


async def test_only_a_gm_looks_it_up_and_only_what_the_game_has(
    table: Table, gm: Person, ada: Person
) -> None:
    whole = await begin(table, "rpj", gm, ada)

    with pytest.raises(ForGmOnly):
        await best_at(whole, ada.asks(), CHECKS["rpj"])
    with pytest.raises(UserError, match="You can't ask for"):
        await best_at(whole, gm.asks(), Wanted(check="juggling"))
