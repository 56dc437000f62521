"""Follow-ups that rewind a result, and their deadlines."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.rules.kernel import (
    SESSION_ENDED,
    Audience,
    Deadline,
    Die,
    Document,
    FollowUp,
    LaterEntry,
    Noted,
    Outcome,
    Procedure,
    Roll,
    RollRule,
    Scene,
    SharedPrompt,
    View,
    passed,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind, Visibility
from bot.table.base.results import ChangeLine, Result
from bot.table.base.table import Table
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal
from bot.table.journal import verify as export
from bot.table.journal.entries import Expired
from bot.table.journal.journal import Overgrown
from bot.table.journal.verify import verify
from bot.table.play import countdown_actions, play
from bot.table.play.play import Pressed
from bot.table.requests import gatherings
from bot.table.sessions import endings, sessions
from tests.databases import address_of, on_both_engines, opened
from tests.table.conftest import Person
from tests.table.counting import a_plan, begin, everything, state, values
from tests.table.toy import TOY, Nothing, Omen, sheet_of, spend, wounded
from tests.table.toy_module import FAILURE, SUCCESS

NEVER, ALWAYS = "never", "always"  # what a leap can be told to come to, whatever falls


class LeapOptions(Document):
    fate: str = ""
    fallen: tuple[int, ...] = ()


class LeapInputs(Document):
    target: int
    fallen: tuple[int, ...] = ()


def resolve_leap(inputs: LeapInputs, dice: Dice) -> Roll:
    """Resolve a leap: a d6 at or below the target succeeds; earlier dice count too."""
    face = dice.roll(6)
    return Roll(
        rule="leap",
        inputs=inputs,
        dice=(Die(sides=6, face=face),),
        earlier=tuple(Die(sides=6, face=one) for one in inputs.fallen),
        verdict=SUCCESS if min(face, *inputs.fallen, 7) <= inputs.target else FAILURE,
    )


def leap(scene: Scene, options: LeapOptions, dice: Dice) -> Outcome:
    """Costs a leap (a document counts them) or, again, Luck; a failure costs a wound."""
    actor = scene.actor
    target = {NEVER: 0, ALWAYS: 6}.get(options.fate, sheet_of(actor).brawn)
    roll = resolve_leap(LeapInputs(target=target, fallen=options.fallen), dice)
    if options.fallen:
        paid = spend(scene, actor)
    else:
        kept = scene.document("omen/leaps")
        leaps = kept.strength + 1 if isinstance(kept, Omen) else 1
        paid = scene.with_document("omen/leaps", Omen(text="leaps", strength=leaps))
    failed = roll.verdict is FAILURE
    rest = FollowUp(procedure="eat", options=Nothing(), label="Rest", character=actor.id, group="rest")
    return Outcome(
        scene=paid.with_character(wounded(paid.actor)) if failed else paid,
        paid=paid,
        headline="leaps",
        verdict=roll.verdict,
        rolls=(roll,),
        follow_ups=(*second_winds(scene, roll), rest) if failed and not options.fallen else (),
    )


def second_winds(scene: Scene, roll: Roll) -> tuple[FollowUp, FollowUp]:
    """Return buttons that roll another die: one that turns the leap, one that does not."""

    def button(fate: str) -> FollowUp:
        return FollowUp(
            procedure="again",
            options=LeapOptions(fate=fate, fallen=(roll.dice[0].face,)),
            label=f"Second wind ({fate} enough)",
            character=scene.actor.id,
            window=Deadline(concerns=(scene.actor.id,), until=("dusk",)),
            rewinds=True,
        )

    return button(ALWAYS), button(NEVER)


class Race(Document):
    landed: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()


def race(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    key = f"race/{scene.moment}"
    return Outcome(scene=scene.with_document(key, Race()), headline="calls a race", gathering=key)


def view_race(race: Race, scene: Scene) -> View:
    button = FollowUp(
        procedure="leap",
        options=LeapOptions(fate=NEVER),
        label="Leap",
        audience=Audience.ANYONE,
        group="leap",
    )
    return View(
        lines=(f"landed {','.join(race.landed)} fallen {','.join(race.fallen)}",), follow_ups=(button,)
    )


def note_leap(race: Race, noted: Noted) -> Race:
    name = "" if noted.actor is None else noted.scene.character(noted.actor).name
    landed, fallen = (tuple(one for one in names if one != name) for names in (race.landed, race.fallen))
    if passed(noted.outcome):
        return Race(landed=(*landed, name), fallen=fallen)
    return Race(landed=landed, fallen=(*fallen, name))


def nightfall(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    return Outcome(scene=scene, headline="lets night fall", moments=("dusk",))


def closing(window: Deadline, happening: LaterEntry) -> str | None:
    ends = (SESSION_ENDED, *window.until)
    for moment in happening.moments:
        if moment in ends:
            return f"it is past {moment}"
    if happening.is_end_of_countdown:
        return "a countdown has ended since"
    if {happening.by, *happening.against} & set(window.concerns):
        return "somebody has acted since"
    return None


LEAPING = replace(
    TOY,
    shared_prompts={"race": SharedPrompt[Race](model=Race, view=view_race, note=note_leap)},
    rolls={**TOY.rolls, "leap": RollRule[LeapInputs]("leap", LeapInputs, resolve_leap)},
    procedures={
        **TOY.procedures,
        "leap": Procedure[LeapOptions](key="leap", options=LeapOptions, run=leap),
        "race": Procedure[Nothing](key="race", options=Nothing, run=race, gm_only=True, needs_actor=False),
        "again": Procedure[LeapOptions](key="again", options=LeapOptions, run=leap),
        "nightfall": Procedure[Nothing](
            key="nightfall", options=Nothing, run=nightfall, gm_only=True, needs_actor=False
        ),
    },
    closing=closing,
    sheet_changes=lambda before, after, _settings: (
        (("Brawn", str(before.brawn), str(after.brawn)),) if before.brawn != after.brawn else ()
    ),
)


FAILS = {"fate": "never"}
LINKED = ("leap",)
WOUNDED = ChangeLine("Ada", "Body light", "0", "1")


def leap_again(scene: Scene, options: LeapOptions, dice: Dice) -> Outcome:
    """A leap with buttons for another one, however it ended."""
    done = leap(scene, options, dice)
    return replace(done, follow_ups=second_winds(scene, done.rolls[0]))


# A leap that can be rolled again at any time, even after a success.
LASTING = replace(
    LEAPING,
    procedures={
        **LEAPING.procedures,
        "leap": Procedure[LeapOptions](key="leap", options=LeapOptions, run=leap_again),
    },
    closing=lambda _deadline, _later: None,
)


@pytest.fixture
async def game(game: Table) -> Table:
    return replace(game, games={"toy": LEAPING})


async def leaps(table: Table, who: Person) -> Result:
    return await play.perform(table, who.asks(), "leap", FAILS)


async def turn(table: Table, who: Person, failed: Result) -> Pressed:
    """Press the button that turns it into a success."""
    return await play.press(table, who.asks(), failed.follow_ups[0].id)


async def not_turn(table: Table, who: Person, failed: Result) -> Pressed:
    """Press the button that leaves the failure."""
    return await play.press(table, who.asks(), failed.follow_ups[1].id)


async def refused(table: Table, who: Person, failed: Result) -> UserError:
    before = everything(table)
    with pytest.raises(UserError) as told:
        await turn(table, who, failed)
    assert everything(table) == before
    return told.value


class TestRewinding:
    async def test_a_rewind_reverts_the_effects_of_a_result_and_keeps_its_cost(
        self, game: Table, ada: Person
    ) -> None:
        failed = await leaps(game, ada)
        assert failed.message.changes == (WOUNDED,)

        pressed = await turn(game, ada, failed)

        assert pressed.result.message.changes == (
            ChangeLine("Ada", "Luck", "2", "1"),
            ChangeLine("Ada", "Body light", "1", "0"),
        )
        assert pressed.result.message.verdict is not None
        assert pressed.result.message.verdict.title == "success"
        documents = state(game)["documents"]
        assert "".join(map(str, documents)).count('"strength":1') == 1
        assert pressed.message.follow_ups == ()

    async def test_a_failure_that_is_not_turned_keeps_its_effects(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan("Alarm", Kind.FAILURE, links=LINKED))
        failed = await leaps(game, ada)

        pressed = await not_turn(game, ada, failed)

        assert pressed.result.message.changes == (ChangeLine("Ada", "Luck", "2", "1"),)
        assert pressed.result.message.notes == ()
        assert await values(game, gm) == {"Alarm": "1/4"}

    async def test_the_earlier_dice_are_shown_but_not_rolled_again(
        self, game: Table, gm: Person, ada: Person, tmp_path: Path
    ) -> None:
        await sessions.start(game, gm.asks())
        failed = await leaps(game, ada)
        pressed = await turn(game, ada, failed)
        await endings.end(game, gm.asks())
        lines = [line async for line in export.export_lines(game, gm.asks())]
        (tmp_path / "journal.jsonl").write_text("".join(lines))

        assert [die.face for die in pressed.result.rolls[0].earlier] == [failed.rolls[0].dice[0].face]
        assert len(pressed.result.rolls[0].dice) == 1
        report = verify(tmp_path / "journal.jsonl", {"toy": LEAPING})
        assert (report.faults, report.passed, report.dice) == ([], 2, 2)

    async def test_dice_that_were_never_rolled_fail_verification(
        self, game: Table, gm: Person, ada: Person, tmp_path: Path
    ) -> None:
        await turn(game, ada, await leaps(game, ada))
        text = "".join([line async for line in export.export_lines(game, gm.asks())])
        mended = text.replace('"earlier":[{"sides":6,', '"earlier":[{"sides":8,')
        (tmp_path / "journal.jsonl").write_text(mended)

        assert mended != text
        report = verify(tmp_path / "journal.jsonl", {"toy": LEAPING})
        assert [fault.sentence.split(": ")[1][:10] for fault in report.faults] == ["earlier is"]

    async def test_two_presses_at_once_pay_once(self, game: Table, ada: Person) -> None:
        failed = await leaps(game, ada)
        requests = [ada.asks() for _ in range(4)]

        answers = await asyncio.gather(
            *(play.press(game, request, failed.follow_ups[0].id) for request in requests),
            return_exceptions=True,
        )

        assert sorted(type(one).__name__ for one in answers) == ["DoneAlready"] * 3 + ["Pressed"]
        done = next(one for one in answers if isinstance(one, Pressed))
        assert done.result.message.changes[0] == ChangeLine("Ada", "Luck", "2", "1")

    async def test_the_same_interaction_twice_pays_once(self, game: Table, ada: Person) -> None:
        failed = await leaps(game, ada)
        request = ada.asks()

        first = await play.press(game, request, failed.follow_ups[0].id)
        after_first = everything(game)

        assert await play.press(game, request, failed.follow_ups[0].id) == first
        assert everything(game) == after_first

    async def test_a_character_who_cannot_pay_rewinds_nothing(self, game: Table, ada: Person) -> None:
        for _ in range(2):
            await play.perform(game, ada.asks(), "spend", {})
        failed = await leaps(game, ada)

        assert (await refused(game, ada, failed)).what == "Ada has no Luck left."

    async def test_a_stranger_cannot_rewind_a_result(self, game: Table, ada: Person, bo: Person) -> None:
        assert (await refused(game, bo, await leaps(game, ada))).what == "That button is for Ada."

    async def test_effects_that_were_changed_since_cannot_be_rewound(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        failed = await leaps(game, ada)
        await gm_cases.set_wounds(game, gm.asks(), "body", "light", 2, "Ada")

        assert isinstance(await refused(game, ada, failed), Overgrown)

    @on_both_engines
    async def test_a_rewind_works_after_a_restart(self, game: Table, ada: Person) -> None:
        failed = await leaps(game, ada)
        await game.store.close()
        async with opened(address_of(game.store)) as store:
            pressed = await turn(replace(game, store=store), ada, failed)
            assert pressed.result.message.changes[1] == ChangeLine("Ada", "Body light", "1", "0")


class TestSharedPrompts:
    async def test_one_of_several_answers_is_replaced_in_its_place(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        race = await play.perform(game, gm.asks(), "race", {})
        hers = await gatherings.join(game, ada.asks(), race.entry, "leap")
        his = await gatherings.join(game, bo.asks(), race.entry, "leap")
        assert his.whole.gathering is not None
        assert his.whole.gathering.view.lines == ("landed  fallen Ada,Bo",)
        assert hers.own is not None

        await turn(game, ada, hers.own)

        seen = (await gatherings.look_closer(game, ada.asks(), race.entry))[0]
        assert seen.gathering is not None
        assert seen.gathering.view.lines == ("landed Ada fallen Bo",)


class TestSheets:
    async def test_a_rewind_reports_counted_sheet_values(self, game: Table, ada: Person) -> None:
        trained = await play.perform(game, ada.asks(), "train", {})

        assert trained.message.changes == (ChangeLine("Ada", "Brawn", "4", "5"),)


class TestCountdowns:
    async def test_a_rewound_failure_moves_the_countdown_back_and_the_success_advances_it(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(
            game, gm, a_plan(links=LINKED), a_plan(links=LINKED).against("Alarm", 3, kind=Kind.FAILURE)
        )
        failed = await leaps(game, ada)

        pressed = await turn(game, ada, failed)

        assert pressed.result.message.changes[2:] == (
            ChangeLine("Ada", "Evidence", "0", "1 of 4 ◼◻◻◻"),
            ChangeLine("Ada", "Alarm", "1", "0 of 3 ◻◻◻"),
        )
        assert await values(game, gm) == {"Evidence": "1/4", "Alarm": "0/3"}

    async def test_a_later_tick_by_somebody_else_survives_a_rewind(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await begin(game, gm, a_plan("Alarm", Kind.FAILURE, links=LINKED))
        failed = await leaps(game, ada)
        await leaps(game, bo)
        assert await values(game, gm) == {"Alarm": "2/4"}

        pressed = await turn(game, ada, failed)

        assert ChangeLine("Ada", "Alarm", "2", "1 of 4 ◼◻◻◻") in pressed.result.message.changes
        assert await values(game, gm) == {"Alarm": "1/4"}

    async def test_an_earlier_undone_move_does_not_prevent_a_rewind(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await begin(game, gm, a_plan("Alarm", Kind.FAILURE, links=LINKED))
        nowhere = await countdown_actions.move(game, gm.asks(), "Alarm", -1)
        failed = await leaps(game, ada)
        await leaps(game, bo)
        await journal.undo(game, gm.asks(), nowhere.result.entry)

        await turn(game, ada, failed)

        assert await values(game, gm) == {"Alarm": "1/4"}

    async def test_undoing_a_rewind_restores_the_failure(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await begin(game, gm, a_plan("Alarm", Kind.FAILURE, links=LINKED))
        failed = await leaps(game, ada)
        await leaps(game, bo)
        before = state(game)
        pressed = await turn(game, ada, failed)

        undone = await journal.undo(game, gm.asks(), pressed.result.entry)

        assert not pressed.is_apart
        assert isinstance(undone, journal.Undone)
        assert undone.target.entry == failed.entry
        assert undone.target.follow_ups == failed.follow_ups
        assert state(game) == before
        again = await turn(game, ada, failed)
        assert again.result.message.changes == pressed.result.message.changes

    async def test_undoing_the_failure_undoes_its_rewind_too(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        before = state(game)
        failed = await leaps(game, ada)
        await turn(game, ada, failed)

        blocked = await journal.undo(game, gm.asks(), failed.entry)
        await journal.undo(game, gm.asks(), failed.entry, together=True)

        assert isinstance(blocked, journal.UndoBlocked)
        assert state(game) == before

    async def test_a_countdown_that_the_rewound_result_had_ended_runs_again(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        plan = a_plan("Alarm", Kind.FAILURE, 1, links=LINKED, visibility=Visibility.KNOWN)
        await begin(game, gm, plan)
        failed = await leaps(game, ada)
        assert failed.message.notes == ("Alarm is resolved.",)

        pressed = await turn(game, ada, failed)

        assert pressed.result.message.notes == ("Alarm is running again.",)
        assert await values(game, gm) == {"Alarm": "0/1"}

    async def test_the_rival_countdown_of_a_rewound_duel_runs_again_too(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        evidence = a_plan(links=LINKED)
        await begin(game, gm, evidence, evidence.against("Alarm", 1, kind=Kind.FAILURE))
        failed = await leaps(game, ada)
        assert await values(game, gm) == {"Evidence": "0/4 closed", "Alarm": "1/1 resolved"}

        await turn(game, ada, failed)

        assert await values(game, gm) == {"Evidence": "1/4", "Alarm": "0/1"}

    async def test_a_countdown_named_for_the_failure_follows_the_new_result_too(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan("Chase", Kind.TUG, 6))
        failed = await play.perform(game, gm.asks(), "leap", FAILS, acting="Ada", countdown="Chase")

        await turn(game, ada, failed)

        assert await values(game, gm) == {"Chase": "4/6"}

    async def test_a_tug_of_war_that_was_won_since_is_not_pulled_beyond_its_end(
        self, game: Table, gm: Person
    ) -> None:
        lasting = replace(game, games={"toy": LASTING})
        await gm_cases.make_npc(lasting, gm.asks(), "Ogre")
        await gm_cases.set_resource(lasting, gm.asks(), "luck", 1, "Ogre")
        await begin(lasting, gm, a_plan("Chase", Kind.TUG, 6))
        lands = {"fate": "always"}
        landed = await play.perform(lasting, gm.asks(), "leap", lands, acting="Ogre", countdown="Chase")
        assert await values(lasting, gm) == {"Chase": "2/6"}
        await countdown_actions.move(lasting, gm.asks(), "Chase", 4)

        await not_turn(lasting, gm, landed)

        assert await values(lasting, gm) == {"Chase": "6/6 resolved"}

    async def test_a_rewind_tells_nothing_of_a_hidden_countdown(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan("Doom", Kind.FAILURE, links=LINKED, visibility=Visibility.GM))
        failed = await leaps(game, ada)

        pressed = await turn(game, ada, failed)

        assert "Doom" not in str(pressed)
        assert await values(game, gm) == {"Doom": "0/4"}


class TestDeadlines:
    async def test_a_later_action_of_the_character_expires_the_button(self, game: Table, ada: Person) -> None:
        failed = await leaps(game, ada)
        await play.perform(game, ada.asks(), "spend", {})

        mistake = await refused(game, ada, failed)

        assert isinstance(mistake, Expired)
        assert mistake.what == "Too late to change this roll: somebody has acted since."
        shown = await journal.entry_result(game, ada.asks(), failed.entry)
        assert [one.follow_up.label for one in shown.follow_ups] == ["Rest"]
        rest = await play.press(game, ada.asks(), failed.follow_ups[2].id)
        assert rest.message.follow_ups == ()

    async def test_an_action_of_somebody_else_leaves_the_button_open(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        failed = await leaps(game, ada)
        await leaps(game, bo)

        assert (await turn(game, ada, failed)).result.message.changes[0].what == "Luck"

    async def test_an_action_against_the_character_expires_the_button(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        failed = await leaps(game, ada)
        await play.perform(game, gm.asks(), "hurt", {"target": "Ada"})

        assert isinstance(await refused(game, ada, failed), Expired)

    async def test_undoing_the_later_action_opens_the_button_again(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        failed = await leaps(game, ada)
        hurt = await play.perform(game, gm.asks(), "hurt", {"target": "Ada"})
        await journal.undo(game, gm.asks(), hurt.entry)

        assert (await turn(game, ada, failed)).result.message.changes[0].what == "Luck"

    async def test_a_look_up_expires_no_button(self, game: Table, ada: Person) -> None:
        failed = await leaps(game, ada)
        await play.perform(game, ada.asks(), "eat", {})

        assert (await turn(game, ada, failed)).result.message.changes[0].what == "Luck"

    async def test_a_secret_gm_action_expires_no_button(self, game: Table, gm: Person, ada: Person) -> None:
        failed = await leaps(game, ada)
        await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)

        assert (await turn(game, ada, failed)).result.message.changes[0].what == "Luck"

    async def test_a_button_expires_after_five_hundred_other_entries(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        failed = await leaps(game, ada)
        for _ in range(501):
            await play.perform(game, bo.asks(), "eat", {})

        assert (
            await refused(game, ada, failed)
        ).what == "Too late to change this roll: play has gone on since."

    async def test_the_session_end_expires_the_button(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        failed = await leaps(game, ada)
        await endings.end(game, gm.asks())

        assert (
            await refused(game, ada, failed)
        ).what == "Too late to change this roll: it is past the session has ended."

    async def test_an_event_named_by_a_procedure_expires_the_button(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        failed = await leaps(game, ada)
        await play.perform(game, gm.asks(), "nightfall", {})

        assert (await refused(game, ada, failed)).what == "Too late to change this roll: it is past dusk."

    @pytest.mark.parametrize(
        ("visibility", "why"),
        [(Visibility.OPEN, "a countdown has ended since"), (Visibility.GM, "play has gone on since")],
    )
    async def test_a_countdown_that_ends_for_another_reason_expires_the_button(
        self, game: Table, gm: Person, ada: Person, visibility: Visibility, why: str
    ) -> None:
        await begin(game, gm, a_plan("Alarm", Kind.FAILURE, links=LINKED, visibility=visibility))
        failed = await leaps(game, ada)
        await countdown_actions.move(game, gm.asks(), "Alarm", 3)

        assert (await refused(game, ada, failed)).what == f"Too late to change this roll: {why}."
