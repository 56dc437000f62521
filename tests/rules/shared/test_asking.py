"""What an ask shows: nobody, one, several; outcomes that are neither success nor failure; secrets."""

from typing import Any

import pytest

from bot.rules import rulesets
from bot.rules.kernel import (
    Answer,
    Character,
    CharacterId,
    Document,
    Family,
    Noted,
    Outcome,
    RequestableCheck,
    Ruleset,
    Scene,
    ToldRoll,
    Verdict,
)
from bot.rules.kernel.errors import UserError
from bot.rules.shared.asking import CLOSE, Ask, CloseOptions, close_ask, note_answer, view_ask
from tests.dice import ScriptedDice

ADA, BO = CharacterId(1), CharacterId(2)
PEOPLE = {
    id_: Character(id=id_, name=name, owner=None, sheet=Document())
    for id_, name in ((ADA, "Ada"), (BO, "Bo"))
}
GOOD, BAD = Verdict(Family.SUCCESS, "success"), Verdict(Family.FAILURE, "failure")
BETWEEN, TOLD = Verdict(Family.PARTIAL, "Cost"), Verdict(Family.NEWS, "7 points")


def find(id_: CharacterId) -> Character:
    if id_ not in PEOPLE:
        raise UserError("There is no such character here.")
    return PEOPLE[id_]


def scene(kept: Ask | None = None, *, is_gm: bool = False) -> Scene:
    documents = {} if kept is None else {kept.key: kept}
    return Scene(settings=Document(), find_character=find, is_gm=is_gm, moment="5", documents=documents)


def answer(
    name: str, verdict: Verdict | None, total: int | None = 7, *, passed: bool | None = None
) -> Answer:
    rolls = (ToldRoll(total=total, verdict=verdict or TOLD),)
    return Answer(name=name, moment="4", rolls=rolls, verdict=verdict, passed=passed)


def ask(*answers: Answer, **more: Any) -> Ask:
    given = {str(id_): one for id_, one in zip((ADA, BO), answers, strict=False)}
    return Ask(key="ask/4", procedure="check", members=(ADA, BO), answers=given, **more)


def told(kept: Ask, *, is_gm: bool = False) -> tuple[str | None, list[str | None]]:
    """What an ask comes to, and each answer of it."""
    view = view_ask(kept, scene(is_gm=is_gm))
    verdicts = (view.verdict, *(part.verdict for part in view.parts))
    first, *others = (None if one is None else one.title for one in verdicts)
    return first, others


class TestVerdict:
    def test_a_request_closed_without_rolls_says_so(self) -> None:
        assert told(ask(is_closed=True)) == ("nobody rolled", [])

    def test_answers_without_success_or_failure_are_not_counted(self) -> None:
        assert told(ask(answer("Ada", TOLD), answer("Bo", TOLD))) == (
            "all have rolled",
            ["7 points", "7 points"],
        )

    @pytest.mark.parametrize(
        ("first", "second", "verdict"),
        [
            ((GOOD, True), (GOOD, True), Verdict(Family.SUCCESS, "2 of 2 succeed")),
            ((GOOD, True), (BAD, False), Verdict(Family.PARTIAL, "1 of 2 succeed")),
            ((BAD, False), (BAD, False), Verdict(Family.FAILURE, "0 of 2 succeed")),
            ((BETWEEN, None), (BAD, False), Verdict(Family.PARTIAL, "0 of 2 succeed, 1 partly")),
            ((GOOD, True), (BETWEEN, None), Verdict(Family.PARTIAL, "1 of 2 succeed, 1 partly")),
            ((TOLD, None), (BAD, False), Verdict(Family.FAILURE, "0 of 2 succeed")),
        ],
    )
    def test_the_verdict_of_a_group_counts_successes(
        self, first: tuple[Verdict, bool | None], second: tuple[Verdict, bool | None], verdict: Verdict
    ) -> None:
        pairs = (("Ada", first), ("Bo", second))
        kept = ask(*(answer(name, came_to, passed=passed) for name, (came_to, passed) in pairs))

        assert view_ask(kept, scene()).verdict == verdict

    def test_the_verdict_of_a_single_answer_is_shown_unchanged(self) -> None:
        alone = Ask(
            key="ask/4", procedure="check", members=(ADA,), answers={"1": answer("Ada", GOOD, passed=True)}
        )

        assert told(alone) == ("success", ["success"])

    def test_hidden_results_are_shown_to_the_gm(self) -> None:
        kept = ask(answer("Ada", GOOD, passed=True), answer("Bo", GOOD, passed=True), is_hidden=True)

        assert told(kept) == ("rolled; the GM knows", [None, None])
        assert told(kept, is_gm=True) == ("2 of 2 succeed", ["success", "success"])


class TestButtons:
    def test_a_long_name_on_a_button_is_cut(self) -> None:
        for length, name in ((75, f"{'x' * 73}…"), (74, "x" * 74)):
            long = Character(id=CharacterId(3), name="x" * length, owner=None, sheet=Document())
            PEOPLE[CharacterId(3)] = long
            kept = Ask(key="ask/4", procedure="check", members=(CharacterId(3),))

            first, close = view_ask(kept, scene()).follow_ups

            assert first.label == f"{name}: roll"
        assert (close.procedure, close.options) == (CLOSE, CloseOptions(ask="ask/4"))

    def test_a_closed_or_deleted_request_cannot_be_closed_again(self) -> None:
        options = CloseOptions(ask="ask/4")
        closed = close_ask(scene(ask()), options, ScriptedDice("")).scene

        with pytest.raises(UserError, match="closed already"):
            close_ask(closed, options, ScriptedDice(""))
        with pytest.raises(UserError, match="closed already"):
            close_ask(scene(), options, ScriptedDice(""))


class TestLeaving:
    def test_missing_or_hidden_members_are_not_waited_for_and_their_rolls_stay(self) -> None:
        gone, hidden = CharacterId(8), CharacterId(4)
        PEOPLE[hidden] = Character(id=hidden, name="Shade", owner=None, sheet=Document(), is_hidden=True)
        members, answers = (ADA, gone, hidden), {"8": answer("Cid", GOOD, passed=True)}
        kept = Ask(key="ask/4", procedure="check", members=members, answers=answers)

        seen, by_gm = view_ask(kept, scene()), view_ask(kept, scene(is_gm=True))

        assert [part.who for part in seen.parts] == ["Cid"]
        assert seen.lines == ("Still to roll: Ada",)
        assert by_gm.lines == ("Still to roll: Ada, Shade",)


class TestNoting:
    def noted(self, actor: CharacterId | None, verdict: Verdict | None, *, is_again: bool = False) -> Noted:
        outcome = Outcome(scene=scene(), headline="checks", verdict=verdict)
        return Noted(scene=scene(), outcome=outcome, actor=actor, is_again=is_again)

    def test_rolls_by_others_and_rolls_without_a_result_are_no_answer(self) -> None:
        kept = ask()

        assert note_answer(kept, self.noted(CharacterId(9), GOOD)) == kept
        assert note_answer(kept, self.noted(None, GOOD)) == kept
        assert note_answer(kept, self.noted(ADA, None)) == kept

    def test_consequences_of_an_answer_do_not_replace_it(self) -> None:
        kept = ask(answer("Ada", GOOD, passed=True))

        assert note_answer(kept, self.noted(ADA, TOLD)) == kept
        assert note_answer(kept, self.noted(ADA, TOLD, is_again=True)).answers["1"].verdict == TOLD
        assert note_answer(kept, self.noted(ADA, GOOD)).answers["1"].moment == "5"


GAMES = rulesets()
ASKS = [pytest.param(game, ask, id=f"{key}-{ask.title}") for key, game in GAMES.items() for ask in game.asks]


@pytest.mark.parametrize("key", GAMES)
def test_no_two_checks_of_a_game_have_the_same_name(key: str) -> None:
    titles = [ask.title.casefold() for ask in GAMES[key].asks]

    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(("game", "ask"), ASKS)
def test_every_offered_name_is_accepted_by_its_check(game: Ruleset, ask: RequestableCheck) -> None:
    procedure, settings = game.procedures[ask.procedure], game.settings()
    names, difficulties = list(ask.names(None, settings)), list(ask.difficulties(None, settings))
    assert bool(names) == bool(ask.what or ask.read) or ask.what == "obstacle"  # the GM adds obstacles
    assert bool(difficulties) == bool(ask.difficulty)
    assert not procedure.gm_only

    for what in names or ([""] if not (ask.what or ask.read) else ["8"]):
        for difficulty in difficulties or [""]:
            procedure.options.model_validate(ask.options(what, difficulty))


@pytest.mark.parametrize(("game", "ask"), ASKS)
def test_missing_and_unknown_options_are_named(game: Ruleset, ask: RequestableCheck) -> None:
    asks_what = bool(ask.what or ask.read)
    with pytest.raises(UserError, match="needs to know what" if asks_what else "takes no further detail"):
        ask.options("" if asks_what else "Rope", "")
    if not ask.difficulty:
        with pytest.raises(UserError, match="has no difficulty of its own"):
            ask.options("x" if asks_what else "", "3")
    if ask.needs_difficulty:
        with pytest.raises(UserError, match="needs a difficulty"):
            ask.options("x", "")
    if ask.read is not None:
        with pytest.raises(UserError):
            ask.read("Nonsense")
    assert game.procedures[ask.procedure]
