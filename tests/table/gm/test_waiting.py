"""Who has to answer what, and a GM who reminds, decides and settles."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Audience, CharacterId, FollowUp, Outcome, Procedure, Scene, Unsettled
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.store.records import FollowUpId
from bot.store.sqlite import open_store
from bot.store.transaction import Reader
from bot.table.base.access import ForGmOnly, access_here
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.gm import desk, waiting
from bot.table.gm import gm as gms
from bot.table.gm.waiting import AwaitedAnswer, NoLongerAwaited, RemindedBefore
from bot.table.journal import journal, log
from bot.table.journal.entries import LATEST
from bot.table.play import play
from bot.table.requests import gatherings, requested_checks
from bot.table.requests.requested_checks import Wanted
from tests.databases import prepared_file
from tests.table.asking_toy import ASKING_TOY
from tests.table.conftest import CHANNEL, MORNING, Clock, Person, Secrets
from tests.table.toy import Nothing, TargetOptions, spend

FAR = 51  # another channel


def restless(scene: Scene) -> tuple[Unsettled, ...]:
    """Everybody with 3 Luck has to spend one; whoever has a name in capitals does so in a fight far away."""
    found = []
    for id_ in range(1, 6):
        try:
            who = scene.character(CharacterId(id_))
        except UserError:
            continue
        if who.resources.get("luck", 0) == 3:
            found.append(_owed(who.id, who.name))
    return tuple(found)


def _owed(who: CharacterId, name: str) -> Unsettled:
    def settle(scene: Scene, _dice: Dice) -> Outcome:
        return Outcome(scene=spend(scene, scene.character(who)), headline="spends Luck")

    answer = FollowUp(procedure="spend", options=Nothing(), label=f"{name}: spend it", character=who)
    return Unsettled(
        what=f"{name}'s surplus",
        concerns=(who,),
        channel=str(FAR) if name.isupper() else "",
        answers=(answer,),
        settle=settle,
        waive=lambda scene: scene,
    )


def burn(scene: Scene, options: TargetOptions, _dice: Dice) -> Outcome:
    """Burn somebody, who owes a save in place of which the GM may spare them."""
    save = FollowUp(
        procedure="spend",
        options=Nothing(),
        label="Save on 8+ · 42%",
        character=options.target,
        group="fire",
        is_owed=True,
    )
    spare = replace(save, procedure="eat", label="Spare (GM)", audience=Audience.GM, is_owed=False)
    other = replace(spare, label="Eat", audience=Audience.ANYONE, group="meal")
    scene = spend(scene, scene.character(options.target))
    return Outcome(scene=scene, headline="burns somebody", follow_ups=(save, spare, other))


@pytest.fixture
async def table(tmp_path: Path, clock: Clock) -> AsyncIterator[Table]:
    burning: Procedure[Any] = Procedure(
        key="burn", options=TargetOptions, run=burn, gm_only=True, needs_actor=False
    )
    procedures = {**ASKING_TOY.procedures, burning.key: burning}
    toy = replace(ASKING_TOY, unsettled=restless, procedures=procedures)
    store = await open_store(prepared_file(tmp_path))
    yield Table(store=store, games={"toy": toy}, now=clock, new_secret=Secrets())
    await store.close()


async def waits(table: Table, person: Person) -> dict[str, AwaitedAnswer]:
    return {one.what: one for one in (await desk.desk(table, person.asks())).waits}


async def luck(table: Table, gm: Person, *names: str) -> None:
    for name in names:
        await gms.set_resource(table, gm.asks(), "luck", 3, name)


async def luck_of(table: Table, gm: Person, name: str) -> int:
    def query(reader: Reader) -> int:
        access = access_here(table, reader, gm.asks())
        found = reader.character_named(access.campaign.server, access.campaign.id, name)
        assert found is not None
        return found.resources["luck"][0]

    return await table.store.read(query)


class TestAsked:
    async def test_a_requested_check_waits_for_each_who_has_not_rolled(
        self, game: Table, gm: Person, ada: Person, clock: Clock
    ) -> None:
        asked = await requested_checks.ask(game, gm.asks(), Wanted(check="Brawn check"))
        assert isinstance(asked, Result)
        clock.pass_hours(1)

        found = await waits(game, gm)

        assert set(found) == {"Ada: Brawn check", "Bo: Brawn check"}
        adas = found["Ada: Brawn check"]
        assert (adas.since, adas.channel, adas.people, adas.prompt) == (
            MORNING,
            CHANNEL,
            (ada.id,),
            asked.entry,
        )
        assert [one.follow_up.label for one in adas.answers] == ["Ada: roll · 67%"]

        await gatherings.join(game, gm.asks(), asked.entry, adas.answers[0].key)
        assert set(await waits(game, gm)) == {"Bo: Brawn check"}
        await gatherings.join(game, gm.asks(), asked.entry, found["Bo: Brawn check"].answers[0].key)
        assert await waits(game, gm) == {}

    async def test_a_requested_check_of_an_npc_can_be_rolled_by_the_gm_at_once(
        self, game: Table, gm: Person
    ) -> None:
        await gms.make_npc(game, gm.asks(), "Orc")
        await requested_checks.ask(game, gm.asks(), Wanted(check="Brawn check", who=["Orc", "Ada"]))

        found = await waits(game, gm)

        assert [one.what for one in waiting.of_npcs(found.values())] == ["Orc: Brawn check"]
        assert not found["Orc: Brawn check"].can_remind


class TestOwed:
    async def test_a_save_under_a_result_waits_until_it_is_pressed(
        self, game: Table, gm: Person, bo: Person, clock: Clock
    ) -> None:
        burnt = await play.perform(game, gm.asks(), "burn", {"target": "Bo"})
        clock.pass_hours(1)

        found = await waits(game, gm)

        assert set(found) == {"Bo: Save on 8+"}
        wait = found["Bo: Save on 8+"]
        assert (wait.since, wait.channel, wait.people, wait.under) == (
            MORNING,
            CHANNEL,
            (bo.id,),
            burnt.entry,
        )
        assert [one.follow_up.label for one in wait.answers] == ["Save on 8+ · 42%", "Spare (GM)"]
        assert (wait.can_remind, wait.can_settle) == (True, False)
        await play.press(game, bo.asks(), FollowUpId(int(wait.answers[0].key)))
        assert await waits(game, gm) == {}

    async def test_f_small_21_it_waits_however_much_is_done_after_it(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        burnt = await play.perform(game, gm.asks(), "burn", {"target": "Bo"})
        for _ in range(LATEST + 5):
            await play.perform(game, ada.asks(), "check", {})

        wait = (await waits(game, gm))["Bo: Save on 8+"]

        assert (wait.under, wait.since) == (burnt.entry, MORNING)
        await journal.undo(game, gm.asks(), burnt.entry)
        assert await waits(game, gm) == {}

    async def test_the_gm_presses_it_for_the_player_once(self, game: Table, gm: Person) -> None:
        burnt = await play.perform(game, gm.asks(), "burn", {"target": "Bo"})
        wait = (await waits(game, gm))["Bo: Save on 8+"]
        key, request = wait.answers[0].key, gm.asks()

        pressed = await waiting.press_owed(game, request, wait.key, key)

        assert (pressed.result.message.who, pressed.place.entry) == ("Bo", burnt.entry)
        assert await luck_of(game, gm, "Bo") == 0
        again = await waiting.press_owed(game, request, wait.key, key)  # delivered twice
        assert again.result.entry == pressed.result.entry
        with pytest.raises(NoLongerAwaited):
            await waiting.press_owed(game, gm.asks(), wait.key, key)
        assert await luck_of(game, gm, "Bo") == 0

    async def test_only_what_stands_there_is_pressed_and_only_by_a_gm(
        self, game: Table, gm: Person, bo: Person
    ) -> None:
        await play.perform(game, gm.asks(), "burn", {"target": "Bo"})
        wait = (await waits(game, gm))["Bo: Save on 8+"]
        meal = str(int(wait.answers[-1].key) + 1)

        for refused in (
            waiting.press_owed(game, gm.asks(), wait.key, meal),
            waiting.decide(game, gm.asks(), wait.key, wait.answers[0].key),
        ):
            with pytest.raises(NoLongerAwaited):
                await refused
        with pytest.raises(ForGmOnly):
            await waiting.press_owed(game, bo.asks(), wait.key, wait.answers[0].key)

    async def test_what_was_undone_is_not_awaited(self, game: Table, gm: Person) -> None:
        burnt = await play.perform(game, gm.asks(), "burn", {"target": "Bo"})
        await journal.undo(game, gm.asks(), burnt.entry)

        assert await waits(game, gm) == {}


class TestRemind:
    async def test_each_answer_is_recalled_once(self, game: Table, gm: Person, bo: Person) -> None:
        await luck(game, gm, "Bo")
        key = (await waits(game, gm))["Bo's surplus"].key

        reminder = await waiting.remind(game, gm.asks(), key)

        assert (reminder.people, reminder.channel) == ((bo.id,), CHANNEL)
        assert (await waits(game, gm))["Bo's surplus"].was_reminded
        with pytest.raises(RemindedBefore):
            await waiting.remind(game, gm.asks(), key)

    async def test_what_was_answered_and_comes_again_is_recalled_again(self, game: Table, gm: Person) -> None:
        await luck(game, gm, "Ada", "Bo")
        found = await waits(game, gm)
        await waiting.remind(game, gm.asks(), found["Bo's surplus"].key)
        await waiting.settle(game, gm.asks(), found["Bo's surplus"].key)
        await waiting.remind(game, gm.asks(), found["Ada's surplus"].key)
        await luck(game, gm, "Bo")

        assert not (await waits(game, gm))["Bo's surplus"].was_reminded

    async def test_an_npc_is_not_recalled(self, game: Table, gm: Person) -> None:
        await gms.make_npc(game, gm.asks(), "Orc", is_hidden=True)
        await luck(game, gm, "Orc")
        key = (await waits(game, gm))["Orc's surplus"].key

        with pytest.raises(UserError, match="nobody to remind"):
            await waiting.remind(game, gm.asks(), key)


class TestDecide:
    async def test_a_gm_answers_in_place_of_a_player(self, game: Table, gm: Person) -> None:
        await luck(game, gm, "Bo")
        wait = (await waits(game, gm))["Bo's surplus"]
        answer = wait.answers[0].key
        request = gm.asks()

        done = await waiting.decide(game, request, wait.key, answer)

        assert (done.message.who, done.message.headline) == ("Bo", "spends Luck")
        assert await waiting.decide(game, request, wait.key, answer) == done  # delivered twice
        assert await luck_of(game, gm, "Bo") == 2
        with pytest.raises(NoLongerAwaited):
            await waiting.decide(game, gm.asks(), wait.key, answer)

    async def test_an_unknown_answer_is_refused(self, game: Table, gm: Person) -> None:
        await luck(game, gm, "Bo")
        wait = await waiting.wait_of(game, gm.asks(), (await waits(game, gm))["Bo's surplus"].key)

        with pytest.raises(NoLongerAwaited):
            await waiting.decide(game, gm.asks(), wait.key, "nothing")

    async def test_what_a_hidden_npc_answers_stays_secret(self, game: Table, gm: Person, ada: Person) -> None:
        await gms.make_npc(game, gm.asks(), "CANARY", is_hidden=True)
        await luck(game, gm, "CANARY")
        wait = (await waits(game, gm))["CANARY's surplus"]
        assert (wait.is_hidden, wait.channel) == (True, FAR)

        done = await waiting.decide(game, gm.asks(), wait.key, wait.answers[0].key)

        assert not done.message.is_public
        assert "CANARY" not in repr(await log.page(game, ada.asks()))


class TestSettle:
    async def test_one_thing_is_settled_and_the_others_stay_open(self, game: Table, gm: Person) -> None:
        await luck(game, gm, "Ada", "Bo")
        key = (await waits(game, gm))["Bo's surplus"].key

        (done,) = await waiting.settle(game, gm.asks(), key)

        assert "Bo's surplus: settled." in done.message.notes
        assert set(await waits(game, gm)) == {"Ada's surplus"}
        with pytest.raises(NoLongerAwaited):
            await waiting.settle(game, gm.asks(), key)

    async def test_everything_of_npcs_is_settled_at_once(self, game: Table, gm: Person) -> None:
        for name in ("Orc", "Wolf"):
            await gms.make_npc(game, gm.asks(), name)
        await luck(game, gm, "Ada", "Orc", "Wolf")

        done = await waiting.settle_npcs(game, gm.asks())

        assert [one.message.notes[0] for one in done] == [
            "Orc's surplus: settled.",
            "Wolf's surplus: settled.",
        ]
        assert set(await waits(game, gm)) == {"Ada's surplus"}
        assert await waiting.settle_npcs(game, gm.asks()) == ()

    async def test_in_one_fight_what_comes_first_is_settled_first(self, game: Table, gm: Person) -> None:
        for name in ("ORC", "WOLF"):
            await gms.make_npc(game, gm.asks(), name)
        await luck(game, gm, "ORC", "WOLF")
        found = await waits(game, gm)
        assert [one.can_settle for one in found.values()] == [True, False]

        with pytest.raises(UserError, match="comes first"):
            await waiting.settle(game, gm.asks(), found["WOLF's surplus"].key)

        assert len(await waiting.settle_npcs(game, gm.asks())) == 2


async def test_only_a_gm_of_the_campaign_sees_or_answers_what_is_awaited(
    game: Table, gm: Person, ada: Person, neighbour: Person
) -> None:
    await luck(game, gm, "Bo")
    wait = (await waits(game, gm))["Bo's surplus"]

    for stranger in (ada, neighbour):
        for refused in (
            desk.desk(game, stranger.asks()),
            waiting.wait_of(game, stranger.asks(), wait.key),
            waiting.remind(game, stranger.asks(), wait.key),
            waiting.decide(game, stranger.asks(), wait.key, wait.answers[0].key),
            waiting.settle(game, stranger.asks(), wait.key),
            waiting.settle_npcs(game, stranger.asks()),
        ):
            with pytest.raises(UserError) as mistake:
                await refused
            assert isinstance(mistake.value, ForGmOnly) or stranger is neighbour
            assert "surplus" not in str(mistake.value)
    assert await luck_of(game, gm, "Bo") == 3
