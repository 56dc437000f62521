"""Games written by forms: lists, rolls and moves in, the file's text out."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.kernel.errors import UserError
from bot.rules.own.game_file import MOST_BYTES
from bot.rules.own.game_forms import (
    MoveForm,
    RollForm,
    begun,
    head_of,
    labels_of,
    move_form,
    roll_form,
    rolls_of,
    skeletons,
    with_head,
    with_move,
    with_roll,
)
from bot.rules.own.game_lists import ListPart, beside_of, lines_of_part, with_lines
from bot.rules.own.game_report import checked_game
from bot.rules.own.game_text import NotByForm, as_copy, rewritten, table_of, values_of, with_header
from tests.readme import ROOT
from tests.rules.own.games import HEAD, WIDE

GAMES = [
    *sorted((ROOT / "bot" / "rules" / "own" / "data").glob("*.toml")),
    *sorted((Path(__file__).parent / "sketches").glob("*.toml")),
]
TEXTS = {path.parent.name + "/" + path.stem: path.read_text(encoding="utf-8") for path in GAMES} | {
    **{key: one.text for key, one in skeletons().items()},
    "wide": WIDE,
}
SALT = TEXTS["data/salt"]
MOVES = skeletons()["moves"].text


def moves_of(text: str) -> list[str]:
    """The keys of a game's moves."""
    return [where.removeprefix("moves.") for where in labels_of(text) if where.startswith("moves.")]


def problems(text: str) -> list[str]:
    return [str(one) for one in checked_game(text)[1]]


def changed_lines(before: str, after: str) -> list[str]:
    """The lines that are only in one of them."""
    old, new = before.splitlines(), after.splitlines()
    return [f"-{one}" for one in old if one not in new] + [f"+{one}" for one in new if one not in old]


class TestSkeletons:
    @pytest.mark.parametrize("key", [*skeletons()])
    def test_a_game_begins_without_problems(self, key: str) -> None:
        text = begun(key, "The Long Night", "/Night")

        assert problems(text) == []
        assert head_of(text) == ("The Long Night", "night", "")

    def test_there_are_eight(self) -> None:
        assert [*skeletons()] == ["moves", "pool", "count", "d100", "d20", "steps", "cards", "empty"]
        assert all(len(one.label) <= 45 and len(one.about) <= 100 for one in skeletons().values())


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
class TestAnUnchangedForm:
    def test_a_list_sent_as_it_was_shown_changes_nothing(self, text: str) -> None:
        for part in ListPart:
            shown = lines_of_part(text, part)
            edited = with_lines(text, part, shown, beside=beside_of(text, part))

            assert edited.text == text
            assert edited.refused == ()

    def test_a_roll_or_a_move_sent_as_it_was_shown_changes_nothing(self, text: str) -> None:
        edited = [with_roll(text, key, roll_form(text, key)) for key in rolls_of(text)]
        edited += [with_move(text, key, move_form(text, key)) for key in moves_of(text)]

        assert [one.text for one in edited if one.text != text or one.refused] == []


class TestLists:
    def test_new_stats_stand_below_the_others_and_notes_stay(self) -> None:
        typed = "Bold -2..3\nCalm -2..3\nKeen -1..3\nOdd -2..3\nThe Luck d4..d12 start d6"
        edited = with_lines(
            SALT,
            ListPart.STATS,
            typed,
            beside="2 1 0 -1 0\nWhat do people notice first?\nWhom on the mainland do you owe?",
        )

        assert changed_lines(SALT, edited.text) == [
            "-spread = [2, 1, 0, -1]           # over the attributes",
            '-keen = { label = "Keen", min = -2, max = 3 }',
            "+spread = [2, 1, 0, -1, 0]           # over the attributes",
            '+keen = { label = "Keen", min = -1, max = 3 }',
            '+luck_2 = { label = "The Luck", min = "d4", max = "d12", start = "d6" }',
        ]

    def test_a_counter_has_a_range_a_start_resets_and_what_happens_at_its_ends(self) -> None:
        typed = (
            "Stress 0..9 reset session end; full: You break. -> Harm + 1, Stress = 0\nHope 2/3\nTorch d8\n"
            "Hint 0..3; reset rest, session end\nLuck 0..(2 + bold)"
        )
        edited = with_lines(MOVES, ListPart.COUNTERS, typed)

        assert values_of(edited.text)["resources"] == {
            "stress": {
                "label": "Stress",
                "max": 9,
                "reset": "session end",
                "full": "You break.",
                "full_do": ["harm + 1", "stress = 0"],
            },
            "hope": {"label": "Hope", "start": 2, "max": 3},
            "torch": {"label": "Torch", "start": "d8"},
            "hint": {"label": "Hint", "max": 3, "reset": ["rest", "session end"]},
            "luck": {"label": "Luck", "max": "2 + bold"},
        }
        assert lines_of_part(edited.text, ListPart.COUNTERS) == (
            "Stress 0..9 reset session end; full: You break. -> harm + 1, stress = 0\n"
            "Hope 0..3 start 2\nTorch d8\nHint 0..3 reset rest, session end\nLuck 0..(2 + bold)"
        )

    def test_tracks_and_clocks(self) -> None:
        wounds = with_lines(MOVES, ListPart.WOUNDS, "Harm: Shaken, Hurt, Dying; heal rest\nShield 4")
        clocks = with_lines(
            wounds.text, ListPart.CLOCKS, "The storm 6; full: It is here.\nThe watch 4 hidden"
        )

        assert wounds.refused + clocks.refused == ()
        assert problems(clocks.text) == []
        assert lines_of_part(clocks.text, ListPart.WOUNDS) == (
            "Harm: Shaken, Hurt, Dying; heal rest\nShield 4"
        )
        assert values_of(clocks.text)["clocks"] == {
            "storm": {"label": "The storm", "size": 6, "full": "It is here."},
            "watch": {"label": "The watch", "size": 4, "seen": "gm"},
        }

    def test_stats_have_groups_and_numbers_that_follow_from_them(self) -> None:
        typed = "Body 0..80\nSkills:\nShoot 0..95 start floor(Body / 2)\nSoak = floor(Body / 20)"
        edited = with_lines(begun("empty", "Ash", "ash"), ListPart.STATS, typed)

        assert problems(edited.text) == []
        assert values_of(edited.text)["attributes"] == {
            "body": {"label": "Body", "max": 80},
            "shoot": {"label": "Shoot", "max": 95, "start": "floor(body / 2)", "group": "Skills"},
        }
        assert values_of(edited.text)["derived"] == {"soak": "floor(body / 20)"}

    def test_how_characters_are_made_is_one_thing_a_line(self) -> None:
        lines = lines_of_part(MOVES, ListPart.STATS)
        typed = "5 points, 2 each\nBold = 2d6 − 7\nWhat do you fear?\nI fear nothing"
        edited = with_lines(MOVES, ListPart.STATS, lines, beside=typed)
        again = with_lines(edited.text, ListPart.STATS, lines, beside="5 points\nWhat do you fear?")

        assert edited.refused == (
            "New characters, line 4, “I fear nothing”: "
            "write it like 2, 1, 0 or 5 points, 2 each or What do you fear?",
        )
        assert values_of(edited.text)["create"] == {
            "spread": [2, 1, 0, -1],  # not removed, as a line was not understood
            "points": {"total": 5, "each": 2},
            "roll": {"bold": "2d6 - 7"},
            "ask": {"do_you_fear": "What do you fear?"},
        }
        assert values_of(again.text)["create"] == {
            "points": {"total": 5},
            "ask": {"do_you_fear": "What do you fear?"},
        }

    def test_gear_playbooks_foes_heroes_and_entries_are_lists_too(self) -> None:
        text = begun("moves", "A game", "game")
        for part, typed, beside in (
            (ListPart.ENTRIES, "Bonds 1..3; most 4\nAspects", None),
            (
                ListPart.ITEMS,
                "Gear, Bold + 2 slots:\nTorch; uses 3; slots 2; reset rest; do Hold + 1 | It burns.\nAxe = 2",
                None,
            ),
            (ListPart.PLAYBOOKS, "Scout: Keen 2, Hold 1, Torch | Looks ahead.", None),
            (ListPart.FOES, "A raider: Bold 1, Harm 2", "order: roll\nby: d6 + Bold\nout: Harm"),
            (ListPart.HEROES, "Ada (Scout): Bold 2, Axe", None),
        ):
            edited = with_lines(text, part, typed, beside=beside)
            assert edited.refused == ()
            text = edited.text

        assert problems(text) == []
        values = values_of(text)
        assert values["entries"] == {
            "bonds": {"label": "Bonds", "value": "1..3", "most": 4},
            "aspects": {"label": "Aspects"},
        }
        torch = {
            "label": "Torch",
            "text": "It burns.",
            "uses": 3,
            "slots": 2,
            "reset": "rest",
            "do": ["hold + 1"],
        }
        items = {"torch": torch, "axe": {"label": "Axe", "value": 2}}
        assert values["lists"] == {"gear": {"label": "Gear", "slots": "bold + 2", "items": items}}
        assert table_of(values["create"])["playbooks"] == {
            "scout": {
                "label": "Scout",
                "text": "Looks ahead.",
                "attributes": {"keen": 2},
                "resources": {"hold": 1},
                "items": ["torch"],
            }
        }
        assert values["npcs"] == {
            "raider": {"label": "A raider", "attributes": {"bold": 1}, "tracks": {"harm": 2}}
        }
        assert values["fight"] == {"order": "roll", "by": "d6 + bold", "out": "harm"}
        assert values["heroes"] == {
            "ada": {"label": "Ada", "playbook": "scout", "attributes": {"bold": 2}, "items": ["axe"]}
        }

    def test_how_fights_go_stays_where_a_line_of_it_is_not_understood(self) -> None:
        edited = with_lines(
            WIDE, ListPart.FOES, lines_of_part(WIDE, ListPart.FOES), beside="order: sides\nturns 2"
        )

        assert edited.refused == ("Fights, line 2, “turns 2”: write it like order: sides or out: harm",)
        assert edited.text == WIDE

    def test_a_fight_can_be_ordered_by_a_roll_and_a_new_list_joins_the_others(self) -> None:
        text = with_lines(WIDE, ListPart.FOES, "Rat: Hit points 2", beside="order: roll\ncheck: Push").text
        items = lines_of_part(text, ListPart.ITEMS) + "\nGifts:\nSecond sight"
        text = with_lines(text, ListPart.ITEMS, items).text

        assert values_of(text)["fight"] == {"order": "roll", "check": "push"}
        assert problems(text) == []
        assert lines_of_part(text, ListPart.ITEMS).endswith("Gifts:\nSecond sight")

    def test_the_last_line_of_a_list_removes_it(self) -> None:
        text = WIDE
        for part in (ListPart.HEROES, ListPart.FOES, ListPart.PLAYBOOKS, ListPart.ITEMS):
            text = with_lines(text, part, "").text

        assert not {"heroes", "npcs", "lists"} & set(values_of(text))
        assert "playbooks" not in str(values_of(text))

    def test_a_line_that_is_not_understood_is_told_and_nothing_is_removed_for_it(self) -> None:
        edited = with_lines(SALT, ListPart.STATS, "Bold -2...3\nCalm -3..3\nGrim 2")

        assert edited.refused == (
            "line 1, “Bold -2...3”: write it like Bold -2..3",
            "line 3, “Grim 2”: write it like Bold -2..3",
        )
        assert changed_lines(SALT, edited.text) == [
            '-calm = { label = "Calm", min = -2, max = 3 }',
            '+calm = { label = "Calm", min = -3, max = 3 }',
        ]

    @pytest.mark.parametrize(
        ("part", "line", "said"),
        [
            (ListPart.STATS, "x" * 46 + " 0..3", "its name has 46 characters; 45 is the most."),
            (ListPart.STATS, "A 0..3\nA 0..4", "this name is there already."),
            (ListPart.STATS, "Bold 0..3 reset rest", "write it like Bold -2..3"),
            (ListPart.STATS, "\n" * 100 + "Late 0..3", "100 lines are the most."),
            (ListPart.COUNTERS, "Hope 3", "write it like Stress 0..9 reset session end"),
            (ListPart.COUNTERS, "Hope 0..3; fool: x", "behind ; stands full: and a text, or heal and when."),
            (ListPart.WOUNDS, "Hurt", "write it like Harm: Bruised, Bleeding, Dying"),
            (ListPart.CLOCKS, "The storm", "write it like The storm 6"),
            (ListPart.ITEMS, "Torch = many", "write it like Torch; uses 3; do storm - 1"),
            (
                ListPart.ITEMS,
                "Torch; burns 3",
                "behind ; stands uses 3, slots 2, reset rest, cost or do and what changes.",
            ),
            (ListPart.PLAYBOOKS, "Scout (Smith): Bold 1", "write it like Scout: Keen 2, Rope"),
            (
                ListPart.FOES,
                "Rat: Fangs 3",
                "“Fangs 3” is nothing that can stand there; Raider: Bold 1, Harm 2 is an example",
            ),
            (ListPart.ENTRIES, "Bonds = 3", "write it like Bonds 1..3; most 5"),
            (
                ListPart.ENTRIES,
                "Bonds 1..3; least 2",
                "behind ; stands most and how many, or start and a value.",
            ),
        ],
    )
    def test_a_line_that_is_refused_says_what_to_write(self, part: ListPart, line: str, said: str) -> None:
        edited = with_lines(MOVES, part, line)

        assert [one.rpartition("”: ")[2] for one in edited.refused] == [said]

    def test_what_no_line_can_say_is_shown_as_it_is_and_stays(self) -> None:
        text = MOVES.replace('max = 3, reset = "session end"', 'max = "6 + (2 * bold)", text = "x"')
        shown = lines_of_part(text, ListPart.COUNTERS)
        odd = text.replace('label = "Hold"', 'label = "Hold 2 = 3"')

        assert with_lines(text, ListPart.COUNTERS, shown).text == text
        assert with_lines(odd, ListPart.COUNTERS, lines_of_part(odd, ListPart.COUNTERS)).text == odd
        assert with_lines(text, ListPart.WOUNDS, "Harm").refused == (
            "line 1, “Harm”: write it like Harm: Bruised, Bleeding, Dying",
        )

    def test_what_a_line_cannot_say_stays(self) -> None:
        text = SALT.replace('odd  = { label = "Odd",', 'odd  = { label = "Odd", was = "weird", text = "x",')
        edited = with_lines(text, ListPart.STATS, "Bold -2..3\nCalm -2..3\nKeen -2..3\nOdd -2..2")

        assert values_of(edited.text)["attributes"]["odd"] == {  # type: ignore[index]
            "label": "Odd",
            "was": "weird",
            "text": "x",
            "min": -2,
            "max": 2,
        }

    def test_a_new_name_at_the_same_place_is_taken_up_in_a_draft_and_keeps_its_key_once_published(
        self,
    ) -> None:
        typed = "Daring -2..3\nCalm -2..3\nKeen -2..3\nOdd -2..3"
        draft = with_lines(SALT, ListPart.STATS, typed)
        published = with_lines(SALT, ListPart.STATS, typed, is_published=True)

        assert problems(draft.text) == []
        assert 'daring = { label = "Daring", min = -2, max = 3 }' in draft.text
        assert 'with  = { stat = "daring" }' in draft.text
        assert changed_lines(SALT, published.text) == [
            '-bold = { label = "Bold", min = -2, max = 3 }',
            '+bold = { label = "Daring", min = -2, max = 3 }',
        ]


class TestRollsAndMoves:
    def test_a_roll_is_one_form(self) -> None:
        form = RollForm(
            "Fight",
            "skill: attribute\nweapon: Knife = 0, Axe = 2\nrisk: Low, High",
            "pool = {skill}d6\nnone = 2d6 lowest\nbest = highest pool\nextra = weapon\nvalue = best + extra",
            "Hit 6+: Hold + 1 | You are through.\nMixed 4-5\nMiss",
            "Push: Harm + 1, reroll all",
        )
        edited = with_roll(MOVES, "", form)
        key = next(one for one in rolls_of(edited.text) if one != "move")

        assert edited.refused == ()
        assert values_of(edited.text)["checks"][key] == {  # type: ignore[index]
            "label": "Fight",
            "ask": {"skill": "attribute", "weapon": {"Knife": 0, "Axe": 2}, "risk": ["Low", "High"]},
            "dice": {"pool": "{skill}d6", "none": "2d6 lowest"},
            "read": {"best": "highest pool"},
            "let": {"extra": "weapon"},
            "value": "best + extra",
            "tiers": [
                {"name": "Hit", "is": "6+", "do": ["hold + 1"], "text": "You are through."},
                {"name": "Mixed", "is": "4-5"},
                {"name": "Miss"},
            ],
            "after": [{"label": "Push", "reroll": "all", "cost": ["harm + 1"]}],
        }
        assert with_roll(edited.text, key, roll_form(edited.text, key)).text == edited.text

    def test_a_move_is_one_form_and_names_things_as_people_read_them(self) -> None:
        form = MoveForm(
            "Mend somebody",
            "move",
            "Calm",
            "hit: Better.\nMiss: Worse.",
            "at: ally\nHIT: at.Harm - 2\nAt cost: at.harm − 1\nmiss: The storm + 1",
        )
        edited = with_move(SALT, "", form)

        assert edited.refused == ()
        assert edited.text.partition("[moves.mend_somebody]\n")[2].partition("\n\n")[0] == (
            'label = "Mend somebody"\n'
            'check = "move"\n'
            'with  = { stat = "calm" }\n'
            'at    = "ally"\n'
            'text  = { Hit = "Better.", Miss = "Worse." }\n'
            'do    = { Hit = ["at.harm - 2"], "At cost" = ["at.harm - 1"], Miss = ["storm + 1"] }'
        )
        assert problems(edited.text) == []

    def test_a_move_without_a_roll_simply_happens(self) -> None:
        edited = with_move(SALT, "", MoveForm("Breathe", results="cost: Hold - 1\nharm - 1, luck + 1"))

        assert values_of(edited.text)["moves"]["breathe"] == {  # type: ignore[index]
            "label": "Breathe",
            "cost": ["hold - 1"],
            "do": ["harm - 1", "luck + 1"],
        }

    def test_a_mistake_in_what_happens_is_kept_and_told_with_the_name_that_was_meant(self) -> None:
        edited = with_move(SALT, "", MoveForm("Run", "move", "bold", "", "Hit: holt + 1"))

        assert problems(edited.text) == [
            "line 73, [moves.run] do: “holt” is nothing that an effect can change. Did you mean “hold”?"
        ]

    def test_results_keep_their_names_in_moves_when_a_roll_renames_them(self) -> None:
        form = roll_form(SALT, "move")
        edited = with_roll(
            SALT, "move", RollForm(form.label, form.asks, form.how, form.results.replace("At cost", "Mixed"))
        )

        assert problems(edited.text) == []
        assert 'Mixed = "You are through, and something is not."' in edited.text
        assert "after" not in values_of(edited.text)["checks"]["move"]  # type: ignore[index]

    def test_lines_of_a_roll_or_a_move_that_are_not_understood_remove_nothing(self) -> None:
        form = roll_form(SALT, "move")
        rolled = with_roll(
            SALT,
            "move",
            RollForm("Move", "stat attribute", "two 2d6", ": x\nHit 11+", "Luck\nOdds: luck - 1"),
        )
        moved = with_move(
            SALT, "brave", MoveForm("Brave it", "move", "bold", "", "Hit:\nhold + 1\nMiss: harm + 1")
        )
        row = values_of(rolled.text)["checks"]["move"]  # type: ignore[index]

        assert len(rolled.refused) == 5
        assert row["ask"] == {"stat": "attribute", "bonus": "-2..2"}
        assert [one["name"] for one in row["tiers"]] == ["Hit", "At cost", "Miss"]
        assert row["after"] == [{"label": "Spend Luck", "cost": ["luck - 1"], "reroll": "all"}]
        assert form.how == roll_form(rolled.text, "move").how
        assert moved.refused == (
            "Results, line 1, “Hit:”: write what happens, like Hit: hold + 1",
            "Results, “hold + 1”: say for which result, like Hit: hold + 1",
        )

    def test_a_new_roll_or_move_needs_a_name_and_room(self) -> None:
        full = HEAD + "".join(f"[moves.m{at}]\nlabel = 'M{at}'\n" for at in range(60))
        checks = "".join(
            f"[checks.c{at}]\ndice = {{ d = 'd6' }}\ntiers = [{{ name = 'A' }}]\n" for at in range(12)
        )

        assert with_move(SALT, "", MoveForm()).refused == ("It has no name, so nothing was added.",)
        assert with_roll(SALT, "", RollForm()).text == SALT
        with pytest.raises(UserError, match="60 moves at most"):
            with_move(full, "", MoveForm("One more"))
        with pytest.raises(UserError, match="12 rolls at most"):
            with_roll(HEAD + checks, "", RollForm("One more"))

    def test_a_form_without_a_name_removes_the_move(self) -> None:
        edited = with_move(SALT, "mend", MoveForm())

        assert "mend" not in moves_of(edited.text)
        assert [line for line in changed_lines(SALT, edited.text) if line.startswith("+")] == []

    def test_the_same_new_move_twice_is_there_once(self) -> None:
        form = MoveForm("Run", "move", "bold", "", "Hit: hold + 1")
        once = with_move(SALT, "", form)

        assert with_move(once.text, "", form).text == once.text


class TestTheText:
    def test_a_file_that_is_no_toml_is_refused(self) -> None:
        with pytest.raises(NotByForm):
            with_head('name = "x', "Night", "night", "")

    def test_results_written_as_tables_of_their_own_are_left_to_the_file(self) -> None:
        tiers = "[[checks.m.tiers]]\nname = 'A'\n[[checks.m.tiers]]\nname = 'B'\n"
        text = "[checks.m]\ndice = { d = 'd6' }\n" + tiers
        form = roll_form(text, "m")

        with pytest.raises(NotByForm, match="laid out in a way that forms can't change"):
            with_roll(text, "m", RollForm("M", form.asks, form.how, "A 4+\nB"))
        assert with_roll(text, "m", RollForm("M", "Stat: Attribute", form.how, form.results)).text == (
            '[checks.m]\ndice = { d = \'d6\' }\nlabel = "M"\nask  = { stat = "attribute" }\n'
            "[[checks.m.tiers]]\nname = 'A'\n[[checks.m.tiers]]\nname = 'B'\n"
        )

    def test_a_list_written_as_tables_of_its_own_is_changed_where_it_stands(self) -> None:
        storm = '[clocks.storm] # far\nlabel = "Storm"\nsize = 4\n\n# and\n'
        flood = '[clocks.flood]\nlabel = "Flood"\nsize = 6\n'
        edited = with_lines(f"# mine\n{storm}{flood}", ListPart.CLOCKS, "Storm 5\nFlood 6\nFire 3 hidden")

        assert edited.text == (
            '# mine\n[clocks]\nfire = { label = "Fire", size = 3, seen = "gm" }\n\n'
            + storm.replace("4", "5")
            + flood
        )

    def test_a_game_that_becomes_too_large_is_refused_with_its_size(self) -> None:
        text = SALT + "# " + "x" * 8000 + "\n" + ("# " + "y" * 8000 + "\n") * 6
        lines = "\n".join(f"Clock {number} 6; full: {'z' * 300}" for number in range(60))

        with pytest.raises(UserError, match=f"{MOST_BYTES:,} is the most"):
            with_lines(text, ListPart.CLOCKS, lines)

    @given(st.text(max_size=200), st.sampled_from(ListPart))
    def test_whatever_is_typed_into_a_list_leaves_a_file_that_can_be_read(
        self, typed: str, part: ListPart
    ) -> None:
        edited = with_lines(SALT, part, typed)

        assert values_of(edited.text)["name"] == "Salt and Signal"
        assert with_lines(edited.text, part, lines_of_part(edited.text, part)).text == edited.text

    @given(st.text(max_size=80), st.text(max_size=120), st.text(max_size=120))
    def test_whatever_is_typed_into_a_roll_or_a_move_leaves_a_file_that_can_be_read(
        self, label: str, how: str, results: str
    ) -> None:
        rolled = with_roll(SALT, "move", RollForm(label, how, how, results, results))
        moved = with_move(rolled.text, "brave", MoveForm(label, how, label, how, results))

        assert values_of(moved.text)["name"] == "Salt and Signal"

    def test_values_written_with_dots_or_in_braces_are_changed_where_they_stand(self) -> None:
        text = 'format = 1\nname = "x"\nclocks.storm.label = "Storm" # far\nclocks.storm.size = 4\n'
        edited = with_lines(text, ListPart.CLOCKS, "Storm 6")

        assert edited.text == text.replace("size = 4", "size = 6")
        assert rewritten("a = { b = 1 } # c\n", {"a": {"b": 1, "c": 2}}) == "a = { b = 1, c = 2 } # c\n"


class TestSharing:
    HASH = "0123456789abcdef01234567"

    def test_an_export_says_what_it_is_and_an_import_takes_that_away_again(self) -> None:
        given = with_header(SALT, 900, self.HASH, 3)

        assert given == (
            "#: Salt and Signal, version 3\n"
            "#: from 900 0123456789abcdef01234567\n"
            "#: Tablekeeper · CC0\n" + SALT
        )
        assert problems(given) == []
        assert as_copy(given, 900) == SALT
        assert as_copy(SALT, 901) == SALT
        assert with_header(given, 900, self.HASH, 3) == given

    def test_a_copy_names_its_origin_and_keeps_its_notes(self) -> None:
        copy = as_copy(with_header(SALT, 900, self.HASH, 3).replace("\n", "\r\n"), 901)

        assert changed_lines(SALT, copy) == ['+origin  = "900 0123456789abcdef01234567"']
        assert problems(copy) == []

    def test_what_is_no_game_stays_as_it_is(self) -> None:
        assert as_copy("#: from 900 0123456789abcdef01234567\nname = [", 901) == "name = ["
        assert with_header("name = [", 900, self.HASH, 0) == (
            "#: , not published\n#: from 900 0123456789abcdef01234567\nname = ["
        )


PAGE = (ROOT / "docs/own-games/by-forms.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
SHOWN = {title: re.findall("`([^`]+)`", lines) for title, lines in ROWS}


class TestTheDocs:
    @pytest.mark.parametrize(
        ("row", "part"),
        [
            ("Stats", ListPart.STATS),
            ("Counters", ListPart.COUNTERS),
            ("Wounds", ListPart.WOUNDS),
            ("Clocks", ListPart.CLOCKS),
        ],
    )
    def test_every_line_that_they_show_is_understood(self, row: str, part: ListPart) -> None:
        first = SHOWN[row][0]
        lines = [f"{first}{one}" if one.startswith((";", "reset")) else one for one in SHOWN[row]]
        for line in lines:
            edited = with_lines(MOVES, part, line.replace(f"{first}reset", f"{first} reset"), beside="")
            assert edited.refused == ()
            assert edited.text != MOVES

    def test_every_line_of_the_lists_behind_the_menu_is_understood(self) -> None:
        text = begun("moves", "The Night Train", "train")
        items, people = SHOWN["Gear and abilities"], SHOWN["Fights and foes"]
        for part, lines, beside in (
            (ListPart.STATS, ["Bold -1..3", "Sly -1..3", "Wise -1..3"], "2, 1, 0"),
            (ListPart.COUNTERS, ["Hope 2/3"], None),
            (ListPart.CLOCKS, ["The engine 6"], None),
            (ListPart.ITEMS, items, None),
            (ListPart.ENTRIES, SHOWN["What players name"], None),
            (ListPart.FOES, people[:1], "\n".join((people[1], *people[-2:]))),
        ):
            edited = with_lines(text, part, "\n".join(lines), beside=beside)
            assert edited.refused == ()
            text = edited.text
        text = with_move(text, "", MoveForm("Look closely", "move", "wise")).text
        for part, row in ((ListPart.PLAYBOOKS, "Playbooks"), (ListPart.HEROES, "Ready-made heroes")):
            edited = with_lines(text, part, "\n".join(SHOWN[row]))
            assert edited.refused == ()
            text = edited.text

        assert problems(text) == []

    def test_every_line_of_a_roll_and_of_new_characters_is_understood(self) -> None:
        texts = ["\n".join(SHOWN[row]) for row in ("Questions", "Dice, what they say", "Results", "Buttons")]
        rolled = with_roll(MOVES, "", RollForm("R", *texts))
        for line in SHOWN["New characters"]:
            made = with_lines(MOVES, ListPart.STATS, lines_of_part(MOVES, ListPart.STATS), beside=line)
            assert made.refused == ()

        assert rolled.refused == ()
        assert len(SHOWN["New characters"]) == 5
