"""Own games as they are played: characters and their versions; checks with given dice and their chances."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.rules.kernel import NoOptions
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.own.check_odds import chances
from bot.rules.own.game_parts import OwnGame
from bot.rules.own.own_creation import build
from bot.rules.own.own_play import (
    Answers,
    Attempting,
    OwnNote,
    OwnRoll,
    answer,
    average,
    do_move,
    happen,
    play,
    press,
)
from bot.rules.own.own_ruleset import game_changes, moved_sheet
from bot.rules.own.own_sheet import OwnSheet, numbers_of
from tests.dice import ScriptedDice
from tests.rules.own.games import (
    GAMES,
    HEAD,
    WIDE,
    every_way,
    game_of,
    made,
    ruleset,
    scene_of,
    sheet_of,
    shipped,
)


class TestCreation:
    def test_points_beyond_what_there_is_are_refused(self) -> None:
        creation = ruleset(WIDE).creation
        draft = {
            "playbook": ("scout",),
            "dice": ("grit=5",),
            "points.eye": ("3",),
            "points.hand": ("3",),
        }

        problems = [one.sentence for one in creation.problems_of(draft, NoOptions())]

        assert problems == ["You spent 6 of 4 points."]

    def test_the_rest_is_spent_evenly_up_to_what_an_attribute_can_have(self) -> None:
        text = shipped("ash").replace("total = 90, each = 40", "total = 118, each = 60")
        creation = ruleset(text.replace("max = 95, start = 20", "max = 60, start = 20")).creation
        draft = {"dice": ("body=40", "nerve=40"), "points.shoot": ("33",)}

        spent = creation.spend(draft, NoOptions(), "points")

        assert creation.unspent(draft, NoOptions(), "points") == "85 points"
        assert [spent[f"points.{name}"] for name in ("shoot", "fight", "drive")] == [
            ("33",),
            ("45",),
            ("40",),
        ]
        assert creation.unspent(spent, NoOptions(), None) == ""
        assert creation.problems_of(spent, NoOptions()) == ()
        assert creation.spend(draft, NoOptions(), "words") == draft

    def test_a_sheet_has_its_playbook_dice_points_and_entries(self) -> None:
        draft = {
            "playbook": ("scout",),
            "dice": ("grit=5",),
            "points.eye": ("1",),
            "points.hand": ("3",),
            "entries.bonds": ("Old Ann 2, the smith",),
        }

        sheet = build(game_of(WIDE), draft)

        assert {name: sheet.numbers[name] for name in ("eye", "hand", "grit", "craft")} == {
            "eye": 3,
            "hand": 3,
            "grit": 5,
            "craft": 6,
        }
        assert sheet.entries == {"bonds": {"Old Ann": 2, "the smith": 1}}
        assert sheet.items == {"rope": 0}

    def test_a_spread_is_given_out_once(self) -> None:
        creation = ruleset(GAMES["salt"]).creation
        twice = {f"spread.{name}": ("2",) for name in ("bold", "calm", "keen", "odd")}

        assert "+2 is given too often." in [one.sentence for one in creation.problems_of(twice, NoOptions())]

        right = dict(zip(twice, (("2",), ("1",), ("0",), ("-1",)), strict=True))
        assert creation.problems_of(right, NoOptions()) == ()
        assert creation.build(right, NoOptions()).numbers["odd"] == -1


class TestVersions:
    @pytest.mark.parametrize("name", GAMES)
    def test_the_same_version_changes_nothing(self, name: str) -> None:
        game = game_of(GAMES[name])
        sheet = next(iter(ruleset(GAMES[name]).creation.ready_made.values()))

        assert game_changes(game, game) == ()
        assert moved_sheet(game, game, sheet) == (sheet, ())

    @settings(max_examples=30, deadline=None)
    @given(
        gone=st.sets(st.sampled_from(["guts", "doom", "oil", "grit"])),
        numbers=st.fixed_dictionaries({"guts": st.integers(0, 4), "doom": st.integers(0, 5)}),
    )
    def test_what_goes_and_returns_is_as_it_was(self, gone: set[str], numbers: dict[str, int]) -> None:
        before = game_of(WIDE)
        after = game_of(
            HEAD
            + "[attributes]\n"
            + "\n".join(
                f"{name} = {{ label = '{name}', max = 12 }}"
                for name in ("eye", "hand", "grit", "guts", "doom", "oil")
                if name not in gone
            )
        )
        sheet = OwnSheet(numbers=numbers)

        there, _ = moved_sheet(before, after, sheet)
        back, _ = moved_sheet(after, before, there)

        assert numbers_of(before, back) == numbers_of(before, sheet)


def test_a_part_with_another_name_in_the_file_alone_is_told_by_it() -> None:
    before = game_of("[attributes]\nbold = { label = 'Bold', max = 3 }\n")
    after = game_of("[attributes]\nbrave = { label = 'Bold', max = 3, was = 'bold' }\n")

    assert [one.words for one in game_changes(before, after)] == [
        "Bold becomes “brave” in the file (renamed attribute)."
    ]


class TestBeginners:
    def test_what_creation_never_gives_is_told(self) -> None:
        made = ruleset(WIDE)
        sheet = sheet_of(scene_of(made).actor)
        cheat = sheet.model_copy(
            update={"numbers": {**sheet.numbers, "hp": 6, "craft": 12}, "items": {"rope": 0, "anvil": 0}}
        )

        found = [str(one) for one in made.beginner.excess(cheat, NoOptions())]

        assert found == ["Craft d12 (a beginner: d6)", "Anvil carried (a beginner: none)"]
        assert [*made.beginner.excess(sheet, NoOptions())] == []

    def test_numbers_beyond_their_ends_are_problems(self) -> None:
        made = ruleset(WIDE)

        found = made.sheet_problems(OwnSheet(numbers={"hp": 60, "gone": 5}))

        assert [one.sentence for one in found] == ["Hit points can't be 60; the nearest is 6."]

    def test_entries_in_words_are_checked(self) -> None:
        creation = ruleset(WIDE).creation
        draft = {"playbook": ("smith",), "dice": ("grit=4",), "points.eye": ("3",), "points.hand": ("1",)}

        many = {**draft, "entries.bonds": (", ".join(f"Friend{n}" for n in range(12)),)}
        wrong = {**draft, "entries.bonds": ("Old Ann 7",)}

        assert creation.problems_of(draft, NoOptions()) == ()
        assert [one.sentence for one in creation.problems_of(many, NoOptions())] == ["Bonds: 10 is the most."]
        assert (
            "should be a name and a value (1, 2, 3)" in creation.problems_of(wrong, NoOptions())[0].sentence
        )

    def test_a_creation_roll_can_be_rolled_again_from_what_is_stored(self) -> None:
        made = ruleset(WIDE)
        (throw,) = next(
            one.throws for one in made.creation.steps({"playbook": ("scout",)}, NoOptions()) if one.throws
        )
        rule = made.rolls[throw.rule]

        roll = rule.resolve(throw.inputs, ScriptedDice("d4:3 d4:4"))

        assert (roll.verdict.title, throw.answer(roll)) == ("Grit 7", ("grit=7",))


SKETCHES = Path(__file__).parent / "sketches"


def sketch(name: str) -> OwnGame:
    return made((SKETCHES / f"{name}.toml").read_text("utf-8").partition("version = ")[2].partition("\n")[2])


def attempt(game: OwnGame, check: str, answers: Mapping[str, str], **numbers: int) -> Attempting:
    named = {name.replace("__", "."): number for name, number in numbers.items()}
    sheet = {**average(game), **{f"at.{name}": number for name, number in average(game).items()}, **named}
    move = game.moves.get(check)
    found = game.checks[check] if move is None else move.check
    assert found is not None
    given = {**{key: str(value) for key, value in (move.given if move else {}).items()}, **answers}
    return Attempting(game, found, move, answer(game, found, given, sheet), sheet)


def changed(roll: OwnRoll, start: Mapping[str, int]) -> dict[str, int]:
    return {name: number for name, number in roll.after.items() if start[name] != number}


class TestARoll:
    def test_dice_readings_tier_and_effects(self) -> None:
        asked = attempt(
            sketch("lamp"), "action", {"action": "hunt", "push": "yes", "effect": "2", "clock": "watch"}
        )
        roll = play(asked, ScriptedDice("d6:6 d6:2 d6:6"))

        assert [die.face for die in roll.dice["pool"]] == [6, 2, 6]
        assert roll.amounts == {"best": 6, "sixes": 2}
        assert roll.name == "Critical"
        assert changed(roll, asked.numbers) == {"stress": 2, "watch": 3}

    def test_where_there_are_no_dice_two_are_rolled_and_the_lower_counts(self) -> None:
        asked = attempt(sketch("lamp"), "action", {"action": "hunt"}, hunt=0)
        roll = play(asked, ScriptedDice("d6:6 d6:2"))

        assert [(die.face, die.is_kept) for die in roll.dice["pool"]] == [(6, False), (2, True)]
        assert roll.name == "Trouble"

    def test_an_edge_rolls_twice_and_the_name_is_filled_in(self) -> None:
        asked = attempt(sketch("ash"), "skill", {"skill": "shoot", "edge": "advantage"}, shoot=55)
        roll = play(asked, ScriptedDice("d100:71 d100:23"))

        assert (roll.dice["roll"][0].face, roll.dropped[0].face, roll.name) == (23, 71, "Success by 3")

    def test_effects_change_whom_it_aims_at(self) -> None:
        asked = attempt(sketch("ash"), "damage", {"weapon": "Rifle"}, at__wounds=4, at__body=20)
        roll = play(asked, ScriptedDice("d10:9"))

        assert roll.name == "Deep wound"
        assert changed(roll, asked.numbers) == {"ammo": 11, "at.wounds": 5}
        assert roll.notes == (OwnNote("Dying.", "at"),)

    def test_a_move_adds_its_own_text_and_effects(self) -> None:
        asked = attempt(sketch("salt"), "brave", {})
        roll = play(asked, ScriptedDice("d6:1 d6:2"))

        assert (roll.name, roll.notes) == ("Miss", (OwnNote("It has you."),))
        assert changed(roll, asked.numbers) == {"xp": 1, "storm": 1}

    def test_a_full_counter_says_so_and_does_what_it_does(self) -> None:
        asked = attempt(sketch("lamp"), "resist", {"part": "wits"}, stress=6)
        roll = play(asked, ScriptedDice("d6:1 d6:2"))

        assert roll.notes == (OwnNote("You break."),)
        assert changed(roll, asked.numbers) == {"stress": 0, "scars": 1}

    def test_what_cannot_be_paid_is_refused_and_nothing_rolled(self) -> None:
        asked = attempt(sketch("ash"), "damage", {"weapon": "Pistol"}, ammo=0)

        with pytest.raises(UserError, match="You don't have enough Ammo: 0, and it costs 1"):
            play(asked, ScriptedDice(""))


class TestButtons:
    def test_a_reroll_takes_back_what_the_first_roll_did(self) -> None:
        asked = attempt(sketch("salt"), "move", {"stat": "keen"})
        missed = play(asked, ScriptedDice("d6:1 d6:2"))
        again = press(asked, missed, "Spend Luck", ScriptedDice("d6:5 d6:6"))

        assert changed(missed, asked.numbers) == {"xp": 1}
        assert (again.name, changed(again, asked.numbers)) == ("Hit", {"luck": 0})

    def test_a_button_is_pressed_once(self) -> None:
        asked = attempt(sketch("salt"), "move", {"stat": "keen"})
        again = press(asked, play(asked, ScriptedDice("d6:1 d6:2")), "Spend Luck", ScriptedDice("d6:5 d6:6"))

        with pytest.raises(UserError, match="“Spend Luck” can't be pressed now"):
            press(asked, again, "Spend Luck", ScriptedDice(""))

    POOLS = made("""
[resources]
nerve = { label = "Nerve", start = 3, max = 5 }
[checks.do]
dice = { base = "4d6", gear = "d8" }
read = { sixes = "count base = 6", ones = "count base = 1", g = "total gear", low = "lowest base" }
value = "g"
tiers = [{ name = "Well", when = "sixes + (g >= 6) > 0", do = ["nerve - ones"] }, { name = "Badly" }]
after = [
  { label = "Push", reroll = "base 2..5", often = "paid", cost = ["nerve - 1"] },
  { label = "Add", add = "base" },
  { label = "Step", step = "gear up", when = "g < 6" },
]
""")

    CARDS = made("""
[checks.do]
dice = { hand = "1 card of 54" }
read = { top = "highest hand" }
tiers = [{ name = "High", when = "top > 10" }, { name = "Low" }]
after = [{ label = "Draw", add = "hand", often = "paid" }]
""")

    def test_pushing_keeps_sixes_and_ones(self) -> None:
        asked = attempt(self.POOLS, "do", {})
        roll = play(asked, ScriptedDice("d6:1 d6:3 d6:6 d6:5 d8:2"))
        pushed = press(asked, roll, "Push", ScriptedDice("d6:1 d6:2"))
        again = press(asked, pushed, "Push", ScriptedDice("d6:6"))

        assert [die.face for die in pushed.dice["base"]] == [1, 1, 6, 2]
        assert [die.face for die in again.dice["base"]] == [1, 1, 6, 6]
        assert changed(again, asked.numbers) == {"nerve": 0}

    def test_a_die_is_added(self) -> None:
        asked = attempt(self.POOLS, "do", {})
        roll = play(asked, ScriptedDice("d6:2 d6:3 d6:4 d6:5 d8:2"))

        assert press(asked, roll, "Add", ScriptedDice("d6:6")).name == "Well"

    def test_a_card_is_drawn_from_those_that_are_left(self) -> None:
        asked = attempt(self.CARDS, "do", {})
        joker = play(asked, ScriptedDice("d54:54"))
        more = press(asked, joker, "Draw", ScriptedDice("d53:53"))
        before = press(replace(asked, parts_jokers=False), joker, "Draw", ScriptedDice("d52:52"))

        assert [card.shown for card in more.dice["hand"]] == ["Joker", "Joker"]
        assert [card.shown for card in before.dice["hand"]] == ["Joker", "A♠"]  # as earlier code drew

    def test_no_card_is_drawn_from_an_empty_deck(self) -> None:
        asked = attempt(self.CARDS, "do", {})
        lying = play(asked, ScriptedDice("d54:1"))
        for left in range(53, 0, -1):
            lying = press(asked, lying, "Draw", ScriptedDice(f"d{left}:1"))

        assert len({(card.face, card.suit) for card in lying.dice["hand"]}) == 53  # the jokers are alike
        with pytest.raises(UserError, match="You can't draw another card: all 54 are on the table"):
            press(asked, lying, "Draw", ScriptedDice(""))

    def test_a_die_steps_up_and_is_rolled_again(self) -> None:
        asked = attempt(self.POOLS, "do", {})
        roll = play(asked, ScriptedDice("d6:2 d6:3 d6:4 d6:5 d8:2"))
        stepped = press(asked, roll, "Step", ScriptedDice("d10:9"))

        assert (stepped.name, stepped.amounts["g"]) == ("Well", 9)
        with pytest.raises(UserError):
            press(asked, stepped, "Step", ScriptedDice(""))

    def test_the_other_of_two_readings_is_taken(self) -> None:
        game = made("""
[checks.do]
dice = { a = "d10", b = "d10" }
read = { n = "total a", other = "total b" }
let = { twice = "2 * n" }
tiers = [{ name = "High {twice}", when = "twice > 10" }, { name = "Low" }]
after = [{ label = "Swap", take = "n = other" }]
""")
        asked = attempt(game, "do", {})
        roll = play(asked, ScriptedDice("d10:2 d10:8"))

        assert roll.name == "Low"
        assert press(asked, roll, "Swap", ScriptedDice("")).name == "High 16"


GEAR = made("""
[attributes]
strength = { label = "Strength", start = 10, max = 18 }
blade = { label = "Blade", start = "d8", min = "d4", max = "d12" }
[resources.hp]
label = "HP"
start = 4
max = "strength - 4"
overflow = ["armour", "strength"]
reset = "rest"
empty = "Down."
[resources.armour]
label = "Armour"
start = 2
max = 3
[resources.torch]
label = "Torch"
start = "d6"
reset = "session end"
empty = "Dark."
[tracks]
harm = { label = "Harm", boxes = 3, overflow = "scars", heal = "rest" }
scars = { label = "Scars", boxes = ["One", "Two"] }
[moves.hit]
label = "Take a hit"
do = ["hp - 8"]
[moves.burn]
label = "Burn"
do = ["torch down", "blade up"]
[moves.wound]
label = "Be wounded"
do = ["harm + 4"]
[moves.heal]
label = "Heal"
do = ["hp + 20", "harm - 9"]
[resets]
rest = ["armour + d4"]
""")


def test_an_entry_that_was_used_steps_down() -> None:
    game = made("""
[entries.skill]
label = "Skills"
value = "d4..d12"
[entries.bond]
label = "Bonds"
value = "1..4"
[checks.do]
ask = { used = "skill", bond_used = "bond" }
dice = { d = "d{used}" }
read = { n = "total d" }
value = "n + bond_used"
tiers = [{ name = "Well", is = "6+" }, { name = "Badly", do = ["used down", "bond_used - 9"] }]
""")
    asked = attempt(game, "do", {"used": "d8", "bond_used": "2"}, skill=8, bond=2)
    roll = play(asked, ScriptedDice("d8:3"))

    assert (roll.name, changed(roll, asked.numbers)) == ("Badly", {"skill": 6, "bond": 1})


class TestEffects:
    def done(self, move: str, dice: str = "", **numbers: int) -> tuple[dict[str, int], tuple[str, ...]]:
        start = {**average(GEAR), **numbers}
        changing = do_move(GEAR, GEAR.moves[move], start, ScriptedDice(dice))
        return {name: one for name, one in changing.numbers.items() if start[name] != one}, changing.texts

    def test_what_a_counter_cannot_take_goes_to_others_in_order(self) -> None:
        assert self.done("hit") == (
            {"hp": 0, "armour": 0, "strength": 8},
            ("HP can't take 2 more: Armour does.", "HP can't take 2 more: Strength does.", "Down."),
        )

    def test_a_full_track_hands_on(self) -> None:
        assert self.done("wound") == ({"harm": 3, "scars": 1}, ("Harm can't take 1 more: Scars does.",))

    def test_more_healing_than_harm_is_lost(self) -> None:
        assert self.done("heal") == ({"hp": 6}, ())

    def test_dice_step_up_and_down(self) -> None:
        assert self.done("burn") == ({"torch": 4, "blade": 10}, ())
        assert self.done("burn", torch=4, blade=12) == ({"torch": 0}, ("Dark.",))

    def test_an_event_resets_heals_and_does_more(self) -> None:
        start = {**average(GEAR), "hp": 1, "harm": 2, "armour": 0, "torch": 0}

        rested = happen(GEAR, "rest", start, ScriptedDice("d4:2")).numbers
        ended = happen(GEAR, "session end", start, ScriptedDice("")).numbers

        assert (rested["hp"], rested["harm"], rested["armour"], rested["torch"]) == (4, 0, 2, 0)
        assert (ended["hp"], ended["torch"]) == (1, 6)


ROLLS = made("""
[attributes]
stat = { label = "Stat", max = 3 }
blade = { label = "Blade", start = "d4", min = "d4", max = "d6" }
[checks.pool]
ask = { which = ["stat"] }
dice = { pool = "{which}d4", none = "2d4 lowest" }
read = { best = "highest pool", fours = "count pool = 4" }
tiers = [{ name = "Two", when = "fours > 1" }, { name = "One", when = "best = 4" }, { name = "None" }]
[checks.edge]
ask = { edge = "edge" }
dice = { d = "2d4" }
edge = "highest d"
read = { n = "total d", pair = "doubles d" }
tiers = [{ name = "Pair", when = "pair" }, { name = "High", when = "n > 5" }, { name = "Low" }]
[checks.score]
dice = { act = "d{blade}", ch = "2d4" }
read = { a = "total act", hits = "count ch < score" }
let = { score = "min(a + stat, 4)" }
tiers = [{ name = "{hits} hits", when = "hits > 0" }, { name = "No hit" }]
[checks.cards]
dice = { hand = "2 cards" }
read = { top = "highest hand", s = "suit hand" }
tiers = [{ name = "Hearts", when = "s = hearts" }, { name = "Face", when = "top > 10" }, { name = "Else" }]
""")


class TestRollingAndReckoning:
    @pytest.mark.parametrize(
        ("check", "answers", "numbers"),
        [
            *(("pool", {}, {"stat": stat}) for stat in range(4)),
            *(("edge", {"edge": edge}, {}) for edge in ("none", "advantage", "disadvantage")),
            *(("score", {}, {"stat": stat, "blade": blade}) for stat in (0, 3) for blade in (4, 6)),
            ("cards", {}, {}),
        ],
    )
    def test_agree(self, check: str, answers: dict[str, str], numbers: dict[str, int]) -> None:
        asked = attempt(ROLLS, check, answers, **numbers)

        def tier(dice: Dice) -> str:
            return ROLLS.checks[check].tiers[play(asked, dice).tier].name

        found = chances(ROLLS.checks[check], asked.known(asked.numbers))
        assert {name: chance for name, chance in found.items() if chance} == every_way(tier)


def test_an_answer_that_is_none_is_refused_with_the_choices() -> None:
    game = sketch("ash")

    with pytest.raises(UserError) as refused:
        answer(game, game.checks["skill"], {"hard": "easy"}, average(game))

    assert refused.value.sentences == ("“easy” is no answer to “hard”.", "It is 0, -20, +20.")


def test_questions_without_an_answer_have_their_usual_one() -> None:
    game = sketch("ash")

    assert answer(game, game.checks["skill"], {}, average(game)) == Answers(
        {"skill": 41, "hard": 0, "edge": 0}, {"skill": "body"}
    )
