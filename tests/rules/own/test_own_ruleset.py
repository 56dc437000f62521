"""A game of one's own as a ruleset: whatever is done, numbers stay within their ends and rolls replay."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.rules.kernel import (
    Act,
    CharacterId,
    FollowUp,
    NoOptions,
    Outcome,
    Ruleset,
    Scene,
)
from bot.rules.kernel.dice import FairDice, Fall, ReplayedDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.procedures import acts_in
from bot.rules.own.game_parts import OwnGame
from bot.rules.own.own_events import CarriedOptions, ChangeOptions, EventOptions
from bot.rules.own.own_play import high_of, known_of
from bot.rules.own.own_procedures import AFTER, ROLL, RollOptions
from bot.rules.own.own_sheet import OwnSheet, numbers_of, sheet_changes
from bot.rules.shared.encounters import AddOptions, NextOptions, StartOptions
from bot.rules.shared.encounters.model import DelayOptions, OrderOptions
from tests.dice import ScriptedDice
from tests.rules.own.games import GAMES, HEAD, WIDE, game_of, ruleset, scene_of, sheet_of


def every_act(made: Ruleset[Any, Any], scene: Scene[Any, Any]) -> list[FollowUp]:
    """Everything that can be done now, each entry of a menu by itself."""
    found: list[Act] = [*acts_in(made.acts(scene)), *made.gm_acts(scene)]
    return [done for act in found if not act.why_not for done in _each(act.do)]


def _each(do: FollowUp) -> Iterator[FollowUp]:
    if do.procedure.startswith("encounter") or do.blanks:
        return
    values = [choice.value for choice in do.choices] or [""]
    for value in values:
        chosen = {do.chosen: value} if do.chosen else {}
        options = type(do.options).model_validate({**do.options.model_dump(mode="json"), **chosen})
        yield replace(do, options=options)


def check_outcome(made: Ruleset[Any, Any], game: OwnGame, done: Outcome) -> None:
    """Numbers are within their ends, and every roll can be replayed from what is stored of it."""
    for character in done.scene.characters.values():
        numbers = numbers_of(game, sheet_of(character))
        known = known_of(game, numbers)
        for name, number in numbers.items():
            span, high = game.span(name), high_of(game, name, known)
            assert number in span.steps if span.steps else span.low <= number
            assert high is None or number <= high
            assert sheet_of(character).numbers.get(name, number) == number
    for roll in done.rolls:
        rule = made.rolls[roll.rule]
        dice = ReplayedDice(Fall(die.sides, die.face) for die in roll.dice)
        again = rule.resolve(rule.inputs.model_validate(roll.inputs.model_dump(mode="json")), dice)
        dice.assert_all_rolled()
        assert (again.dice, again.earlier, again.total, again.verdict) == (
            roll.dice,
            roll.earlier,
            roll.total,
            roll.verdict,
        )
    assert all(len(one.label) <= 80 for one in done.follow_ups)


class TestWhateverIsDone:
    @pytest.mark.parametrize("name", GAMES)
    @settings(max_examples=12, deadline=None)
    @given(data=st.data())
    def test_numbers_stay_within_their_ends_and_rolls_replay(self, name: str, data: st.DataObject) -> None:
        made, game = ruleset(GAMES[name]), game_of(GAMES[name])
        scene = scene_of(made)
        seed = data.draw(st.binary(min_size=32, max_size=32))
        for turn in range(6):
            able = every_act(made, scene)
            do = able[data.draw(st.integers(0, len(able) - 1))]
            dice = FairDice(seed, str(turn))
            try:
                done = made.procedures[do.procedure].run(scene, do.options, dice)
            except UserError:
                continue
            thrown = [(die.sides, die.face) for roll in done.rolls for die in roll.dice]
            assert thrown == [(fall.sides, fall.face) for fall in dice.fallen]
            check_outcome(made, game, done)
            scene = done.scene
            for button in done.follow_ups[:1]:
                if button.procedure == AFTER and data.draw(st.booleans()):
                    options = made.procedures[AFTER].options.model_validate(
                        button.options.model_dump(mode="json")
                    )
                    pressed = made.procedures[AFTER].run(
                        done.paid or scene_of(made), options, FairDice(seed, f"{turn}/press")
                    )
                    check_outcome(made, game, pressed)

    @pytest.mark.parametrize("name", GAMES)
    def test_every_act_that_is_offered_can_be_done(self, name: str) -> None:
        made = ruleset(GAMES[name])
        scene = scene_of(made)

        for do in every_act(made, scene):
            if do.procedure == "change":
                continue  # a number at its end stays there, and says so
            done = made.procedures[do.procedure].run(scene, do.options, FairDice(b"s" * 32, "1"))

            assert done.headline

    @pytest.mark.parametrize("name", GAMES)
    def test_a_session_end_puts_back_what_it_says_and_nothing_else(self, name: str) -> None:
        made, game = ruleset(GAMES[name]), game_of(GAMES[name])
        scene = scene_of(made)
        everybody = list(scene.find_everybody())

        done = made.end_session(scene, everybody, [])

        changed = {
            what
            for id_ in everybody
            for what, _, _ in sheet_changes(
                game, sheet_of(scene.character(id_)), sheet_of(done.scene.character(id_)), None
            )
        }
        returning = {row.label for row in game.file.resources.values() if "session end" in row.reset}
        effects = {game.label(one.target) for one in game.resets.get("session end", ())}
        assert changed <= returning | effects
        assert bool(done.follow_ups) is (name == "wide")  # one of its effects rolls a die


class TestAButton:
    def test_its_worth_is_how_often_it_makes_the_result_better(self) -> None:
        made = ruleset(WIDE)
        scene = scene_of(made)
        run = made.procedures[ROLL].run
        done = run(scene, RollOptions(what="push", first="hand"), ScriptedDice("d6:2 d6:3 d6:1"))
        again, _ = done.follow_ups

        better = 0
        for first in range(1, 7):
            for second in range(1, 7):
                dice = ScriptedDice(f"d6:{first} d6:{second}")
                pressed = made.procedures[AFTER].run(done.paid or scene, again.options, dice)
                better += pressed.rolls[-1].verdict.title != "Fails"

        assert Fraction(better, 36) == Fraction(27, 36)
        assert again.label == "Again · 75% better · +1 Doom"

    def test_pressing_keeps_what_lies_there_and_pays_each_time(self) -> None:
        made = ruleset(WIDE)
        scene = scene_of(made)
        done = made.procedures[ROLL].run(
            scene, RollOptions(what="push", first="hand"), ScriptedDice("d6:4 d6:3 d6:3")
        )
        add = done.follow_ups[1]

        pressed = made.procedures[AFTER].run(done.paid or scene, add.options, ScriptedDice("d6:2"))
        again = pressed.follow_ups[0]
        last = made.procedures[AFTER].run(
            pressed.paid or scene, again.options, ScriptedDice("d6:6 d6:1 d6:1")
        )

        assert [die.face for die in pressed.rolls[-1].earlier] == [4, 3, 3]
        assert (
            sheet_of(pressed.scene.actor).numbers["oil"],
            sheet_of(pressed.scene.actor).numbers["doom"],
        ) == (6, 1)
        assert [one.label.split(" · ")[0] for one in pressed.follow_ups] == ["Again"]
        assert [die.face for die in last.rolls[-1].earlier] == [3]
        assert (last.verdict and last.verdict.title, sheet_of(last.scene.actor).numbers["doom"]) == (
            "Clean",
            2,
        )

    def test_one_that_cannot_make_it_better_is_not_offered(self) -> None:
        made = ruleset(GAMES["salt"])

        done = made.procedures[ROLL].run(scene_of(made), RollOptions(what="brave"), ScriptedDice("d6:6 d6:6"))

        assert done.follow_ups == ()


class TestHarm:
    def test_what_a_counter_cannot_take_goes_on_and_is_told(self) -> None:
        made = ruleset(WIDE)
        scene = scene_of(made)
        notes = {}
        for name, times in (("Ada", 4), ("Rat", 2)):
            who = next(one for one in scene.find_everybody() if scene.character(one).name == name)
            options = RollOptions(what="wrestle", at=who, theirs=1)
            for _ in range(times):
                done = made.procedures[ROLL].run(scene, options, ScriptedDice("d20:20"))
                scene, notes[name] = done.scene, done.notes
            assert numbers_of(game_of(WIDE), sheet_of(scene.character(who)))["guts"] == 2

        assert notes == {"Ada": ("Ada: Hit points can't take 2 more: Guts does.",), "Rat": ()}
        assert not made.is_down(done.scene.character(who), scene.settings)

    def test_a_full_counter_does_what_it_does_to_clocks_too(self) -> None:
        made = ruleset(WIDE)
        scene = scene_of(made)
        sheet = scene.actor.sheet
        scene = scene.with_sheet(
            scene.actor, sheet.model_copy(update={"numbers": {**sheet.numbers, "doom": 4}})
        )

        done = made.procedures[ROLL].run(
            scene, RollOptions(what="push", first="hand"), ScriptedDice("d6:6 d6:6 d6:1")
        )

        assert "Night 0 → 1 of 4" in done.notes
        assert numbers_of(game_of(WIDE), sheet_of(done.scene.actor))["doom"] == 0


class TestAiming:
    def test_at_oneself_pays_and_gains(self) -> None:
        made = ruleset(WIDE)
        scene = scene_of(made)
        sheet = sheet_of(scene.actor)
        hurt = sheet.model_copy(update={"numbers": {**sheet.numbers, "hp": 1}})
        scene = scene.with_sheet(scene.actor, hurt)

        done = made.procedures[ROLL].run(
            scene, RollOptions(what="rally", at=scene.actor.id), ScriptedDice("d4:3")
        )

        numbers = sheet_of(done.scene.actor).numbers
        assert (numbers["guts"], numbers["hp"]) == (3, 4)


def with_order(order: str) -> Ruleset[Any, Any]:
    """The wide game with another order of fights."""
    return ruleset(WIDE.replace('order = "roll"\nby    = "d6 + eye"', order))


def fight(made: Ruleset[Any, Any], script: str) -> tuple[Scene[Any, Any], Outcome]:
    """A fight of both heroes and the rat, begun."""
    scene = replace(scene_of(made), is_gm=True)
    others = tuple(one for one in scene.find_everybody() if one != scene.actor_id)
    run = {key: one.run for key, one in made.procedures.items()}
    opened = run["encounter.start"](scene, StartOptions(others=others), ScriptedDice("")).scene
    begun = run["encounter.next"](opened, NextOptions(), ScriptedDice(script))
    return begun.scene, begun


class TestAFight:
    @pytest.mark.parametrize(
        ("order", "script", "names", "added"),
        [
            ('order = "roll"\nby    = "d6 + eye"', "d6:1 d6:6 d6:4", "Ada, Rat, Mo", {"Eye"}),
            ('order = "roll"\nby    = "d6 + 2 * eye"', "d6:1 d6:6 d6:4", "Ada, Mo, Rat", {"bonus"}),
            ('order = "roll"\ncheck = "wrestle"', "d20:2 d20:9 d20:20", "Rat, Ada, Mo", {"Hand"}),
            ('order = "fixed"\nby    = "hand"', "", "Ada, Mo, Rat", set()),
            ('order = "sides"', "", "Mo, Ada, Rat", set()),
            ('order = "as called"', "", "Mo, Ada, Rat", set()),
        ],
    )
    def test_has_the_order_that_the_file_says(
        self, order: str, script: str, names: str, added: set[str]
    ) -> None:
        made = with_order(order)

        scene, begun = fight(made, script)

        assert begun.notes == (f"Turn order: {names}.",)
        assert {term.label for roll in begun.rolls for term in roll.terms} == added
        check_outcome(made, game_of(WIDE), begun)
        assert made.tracker is not None
        view = made.tracker.view(scene)
        assert view is not None
        assert [line.name for line in view.lines] == names.split(", ")

    def test_offers_what_is_aimed_first_and_the_end_of_the_turn(self) -> None:
        made = with_order('order = "as called"')
        scene, _ = fight(made, "")
        assert made.tracker is not None

        offered = made.tracker.choices(scene)

        assert [one.label for one in offered[:2]] == ["Attack Rat · 57%", "Wrestle …"]
        assert offered[-1].label == "End turn"
        assert made.tracker.choices(scene_of(made)) == ()
        assert made.tracker.view(scene_of(made)) is None

    def test_passes_over_who_is_out_and_counts_rounds(self) -> None:
        made = with_order('order = "as called"')
        scene, _ = fight(made, "")
        ada = scene.character(CharacterId(2))
        scene = scene.with_sheet(ada, sheet_of(ada).model_copy(update={"numbers": {"guts": 0}}))
        run = made.procedures["encounter.next"].run

        to_the_rat = run(scene, NextOptions(), ScriptedDice(""))
        next_round = run(to_the_rat.scene, NextOptions(), ScriptedDice(""))

        assert to_the_rat.verdict is not None
        assert to_the_rat.verdict.title == "Rat acts"
        assert "Round 2 starts." in next_round.notes
        assert made.tracker is not None
        view = made.tracker.view(next_round.scene)
        assert view is not None
        assert view.lines[1].facts == ("Guts 0/4", "out")

    def test_takes_another_order_delays_and_newcomers(self) -> None:
        made = with_order('order = "fixed"\nby    = "hand"')
        scene = replace(scene_of(made), is_gm=True)
        run = {key: one.run for key, one in made.procedures.items()}
        opened = run["encounter.start"](scene, StartOptions(others=(CharacterId(3),)), ScriptedDice("")).scene
        begun = run["encounter.next"](opened, NextOptions(), ScriptedDice("")).scene

        joined = run["encounter.add"](begun, AddOptions(characters=(CharacterId(2),)), ScriptedDice(""))
        ordered = run["encounter.order"](
            joined.scene, OrderOptions(characters=(CharacterId(3),)), ScriptedDice("")
        )
        delayed = run["encounter.delay"](
            ordered.scene, DelayOptions(character=CharacterId(3)), ScriptedDice("")
        )
        ended = made.end_session(delayed.scene, [CharacterId(1)], ["encounter/0"])

        assert "Turn order: Ada, Mo, Rat." in joined.notes
        assert ordered.notes == ("Turn order: Rat, Ada, Mo.",)
        assert delayed.notes == ("Turn order: Ada, Rat, Mo.",)
        assert ended.scene.document("encounter/0") is None


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("procedure", "given", "said"),
        [
            ("roll", {"what": "wrestle"}, "needs a target"),
            ("roll", {"what": "push", "answers": "stat=hand, edge=maybe"}, "“maybe” is no answer"),
            ("roll", {"what": "bond", "first": "Nobody"}, "You have no Bonds called “Nobody”."),
            ("use", {"item": "rope of stars"}, "There is no thing you carry"),
            ("take", {"item": "rope", "target": 1}, "Mo already has Rope."),
            ("take", {"item": "anvil", "target": 1}, "Mo has no room for Anvil."),
            ("entry", {"kind": "bonds", "name": " "}, "give it a name"),
            ("entry", {"kind": "bonds", "name": "X", "value": "9"}, "It is one of 1, 2, 3."),
            ("entry", {"kind": "bonds", "name": "X", "value": "none"}, "You have no Bonds called “X”."),
            ("change", {"what": "doom", "by": 0, "target": 1}, "changes nothing"),
            ("change", {"what": "doom", "by": -1, "target": 1}, "stays as it is"),
            ("change", {"what": "doom", "by": 1}, "Say whose Doom it is."),
            ("set", {"what": "doom", "value": "many", "target": 1}, "“many” is no number"),
            ("set", {"what": "doom", "value": "9", "target": 1}, "The nearest is 5."),
            ("event", {"event": "session end"}, "Sessions start and end with /session."),
            ("event", {"event": "feast"}, "There is no event called “feast”."),
        ],
    )
    def test_says_why(self, procedure: str, given: dict[str, Any], said: str) -> None:
        made = ruleset(WIDE)
        found = made.procedures[procedure]

        with pytest.raises(UserError) as refused:
            found.run(scene_of(made), found.options.model_validate(given), FairDice(b"s" * 32, "1"))

        assert said in " ".join(refused.value.sentences)

    def test_a_move_of_another_playbook_is_refused(self) -> None:
        made = ruleset(WIDE)
        scene = replace(scene_of(made), actor_id=CharacterId(2))

        with pytest.raises(UserError, match="Spy is a move of Scout"):
            made.procedures[ROLL].run(scene, RollOptions(what="spy"), ScriptedDice(""))

    def test_what_is_used_up_returns_at_its_event(self) -> None:
        made = ruleset(WIDE)
        scene = replace(scene_of(made), actor_id=CharacterId(2))
        use, torch = made.procedures["use"], CarriedOptions(item="Torch")
        for face in (1, 2):
            scene = use.run(scene, torch, ScriptedDice(f"d4:{face}")).scene
        with pytest.raises(UserError, match="Torch is used up"):
            use.run(scene, torch, ScriptedDice(""))

        rested = made.procedures["event"].run(scene, EventOptions(event="rest"), ScriptedDice("d6:1 d6:1"))

        assert sheet_of(rested.scene.character(CharacterId(2))).items["torch"] == 0


class TestTheGm:
    def test_clocks_are_shown_as_far_as_one_may_see_them(self) -> None:
        made = ruleset(WIDE)
        scene, shown = scene_of(made), made.procedures["clocks"]

        for_all = shown.run(scene, NoOptions(), ScriptedDice(""))
        for_gm = shown.run(replace(scene, is_gm=True), NoOptions(), ScriptedDice(""))

        assert for_all.notes == ("Night 0 of 4",)
        assert (for_gm.notes, for_gm.is_public) == (("Night 0 of 4", "Spies 0 of 4"), False)

    def test_a_clock_is_moved_and_a_die_stepped_by_hand(self) -> None:
        made = ruleset(WIDE)
        scene, change = scene_of(made), made.procedures["change"]

        moved = change.run(scene, ChangeOptions(what="Spies", by=2), ScriptedDice(""))
        stepped = change.run(
            scene, ChangeOptions(what="Craft", by=2, target=scene.actor.id), ScriptedDice("")
        )

        assert (moved.headline, moved.is_public) == ("sets Spies to 2", False)
        assert sheet_of(stepped.scene.actor).numbers["craft"] == 10

    def test_points_are_awarded_within_their_ends(self) -> None:
        made = ruleset(WIDE)
        sheet = sheet_of(scene_of(made).actor)
        award = next(one for one in made.awards if one.key == "doom")

        assert award.give(sheet, 2).numbers["doom"] == 2
        with pytest.raises(UserError, match="Doom can't be 9"):
            award.give(sheet, 9)

    def test_growth_is_what_rose(self) -> None:
        made = ruleset(WIDE)
        sheet = sheet_of(scene_of(made).actor)
        more = sheet.model_copy(update={"numbers": {**sheet.numbers, "eye": 4, "hand": 1}})

        assert [(one.what, one.before, one.after) for one in made.growth(sheet, more, NoOptions())] == [
            ("Eye", "2", "4")
        ]

    def test_odds_are_for_a_character_or_an_average_one_against_an_average_one(self) -> None:
        made = ruleset(WIDE)
        ask = made.odds.question
        strong = OwnSheet(numbers={"hand": 4})

        average_ = made.odds.answer(ask.model_validate({"what": "make"}))
        opposed = made.odds.answer(ask.model_validate({"what": "wrestle"}))
        better = made.odds.answer(ask.model_validate({"what": "wrestle", "sheet": strong.model_dump()}))

        assert average_.enough == Fraction(1, 6)
        assert opposed.enough == Fraction(190, 400)
        assert better.enough == Fraction(247, 400)  # by 3
        with pytest.raises(UserError, match="rolls no dice"):
            made.odds.answer(ask.model_validate({"what": "rally"}))


BUTTONS = (
    HEAD.replace('command = "game"', 'command = "buttons"')
    + """
[attributes]
skill = { label = "Skill", max = 60, start = 40 }

[resources]
grit = { label = "Grit", start = 3, max = 3 }

[checks.low]
ask   = { edge = "edge" }
dice  = { roll = "d100", luck = "d6" }
edge  = "lowest roll"
read  = { n = "total roll", m = "total luck" }
tiers = [{ name = "Hit", when = "n <= skill or m = 6" }, { name = "Miss" }]
after = [{ label = "Swap", cost = ["grit - 1"], take = "n = m" }]

[checks.step]
dice  = { die = "d6" }
read  = { n = "total die" }
tiers = [{ name = "High", is = "7+" }, { name = "Odd", when = "n % 2 = 1" }, { name = "Low" }]
after = [{ label = "Bigger", cost = ["grit - 1"], step = "die up" }]

[checks.fate]
dice  = { four = "4dF" }
read  = { n = "total four" }
value = "n"
tiers = [{ name = "Good", is = "1+" }, { name = "Bad", is = "0-" }]
after = [{ label = "Again", cost = ["grit - 1"], reroll = "all" }]

[heroes.one]
label = "One"
"""
)


class TestOtherButtons:
    @pytest.mark.parametrize(
        ("what", "first", "script", "shown", "button", "again", "title"),
        [
            ("low", "advantage", "d100:90 d6:2 d100:70", ["roll 70", "⚁", "roll 90"], "Swap", "", "Hit"),
            ("low", "", "d100:90 d6:2", ["roll 90", "⚁"], "Swap", "", "Hit"),
            ("step", "", "d6:4", [""], "Bigger · 62% better", "d8:8", "High"),
            (
                "fate",
                "",
                "d3:1 d3:1 d3:3 d3:2",
                ["−1", "−1", "+1", "0"],
                "Again",
                "d3:3 d3:3 d3:2 d3:2",
                "Good",
            ),
        ],
    )
    def test_take_another_reading_step_a_die_or_roll_fate_again(
        self, what: str, first: str, script: str, shown: list[str], button: str, again: str, title: str
    ) -> None:
        made, game = ruleset(BUTTONS), game_of(BUTTONS)
        scene = scene_of(made)

        done = made.procedures[ROLL].run(scene, RollOptions(what=what, first=first), ScriptedDice(script))
        follow_up = done.follow_ups[0]
        pressed = made.procedures[AFTER].run(done.paid or scene, follow_up.options, ScriptedDice(again))

        check_outcome(made, game, done)
        check_outcome(made, game, pressed)
        assert sorted(die.shown for die in done.rolls[-1].dice) == sorted(shown)
        assert [die.face for die in done.rolls[-1].dice if not die.is_kept] == ([90] if first else [])
        assert follow_up.label.startswith(button)
        assert pressed.rolls[-1].verdict.title == title
        assert sheet_of(pressed.scene.actor).numbers["grit"] == 2
