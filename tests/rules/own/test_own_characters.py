"""Characters of a game of one's own: how they are made, what a beginner has, how they change versions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel import NoOptions
from bot.rules.own.own_changes import game_changes, moved_sheet
from bot.rules.own.own_creation import build
from bot.rules.own.own_sheet import OwnSheet, numbers_of
from tests.dice import ScriptedDice
from tests.rules.own.games import GAMES, HEAD, WIDE, game_of, ruleset, scene_of, sheet_of, shipped


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
