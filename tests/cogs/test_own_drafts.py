"""A game of one's own by forms: written, tried and published through the real client."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.playground.discord.payloads import walk_components
from bot.rules import rulesets
from bot.rules.own.game_forms import skeletons
from bot.table import own_games
from tests.cogs.desk import Filled, Sent, open_desk
from tests.cogs.played import Play, Said, get_up, sit_down
from tests.readme import ROOT
from tests.table.conftest import ELSEWHERE, Interactions, Person

MOST_FORMS = 14

# The game in docs/own-games/by-forms.md.
LISTS: tuple[tuple[str, dict[str, Filled]], ...] = (
    ("Stats", {"lines": "Bold -1..3\nSly -1..3\nWise -1..3", "beside": "2, 1, 0"}),
    ("Counters", {"lines": "Hope 2/3 reset session end\nClues 0..9"}),
    ("Wounds", {"lines": "Harm: Scratched, Hurt, Down"}),
    ("Clocks", {"lines": "The engine 6; full: The train is lost."}),
)
# Its eight moves: name, roll, stat, text, what happens.
MOVES = (
    ("Force your way", "move", "bold", "", "Hit: clues + 1\nAt cost: clues + 1, harm + 1\nMiss: engine + 1"),
    ("Talk them round", "move", "sly", "", "Hit: hope + 1\nMiss: engine + 1"),
    ("Look closely", "move", "wise", "", "Hit: clues + 2\nAt cost: clues + 1\nMiss: engine + 1"),
    ("Hide", "move", "sly", "", "At cost: engine + 1\nMiss: harm + 1"),
    ("Mend somebody", "move", "wise", "", "at: ally\nHit: at.Harm - 2\nAt cost: at.Harm - 1"),
    (
        "Pull the brake",
        "move",
        "bold",
        "Hit: It slows.\nMiss: It is fast.",
        "Hit: engine - 1\nMiss: engine + 2",
    ),
    ("Take heart", "-", "-", "", "cost: Clues - 1\nHope + 1"),
    ("Name the culprit", "-", "-", "The GM says what is true.", "when: clues >= 5"),
)


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[Play]:
    at = await sit_down(tmp_path, rulesets()["compare_roll"], alices="Juno Marsh", bobs="Otto Brandt")
    yield at
    await get_up(at)


async def write_the_night_train(play: Play) -> tuple[int, Said]:
    """Write the game of the docs; return how many forms that took, and the page."""
    forms = 1
    await begin(play)
    for button, fields in LISTS:
        await play.presses(play.gwen, button)
        said = await play.writes(play.gwen, **fields)
        forms += 1
    await play.chooses(play.gwen, "Change a roll", "Make a move")
    said = await play.writes(play.gwen, buttons="Hope: hope - 1, reroll all")
    forms += 1
    for label, check, stat, text, results in MOVES:
        await play.presses(play.gwen, "+ Move")
        said = await play.writes(
            play.gwen, label=label, check=(check,), stat=(stat,), text=text, results=results
        )
        forms += 1
    return forms, said


class TestAGameByForms:
    def test_it_is_the_one_that_the_docs_let_people_write(self) -> None:
        page = (ROOT / "docs/own-games/by-forms.md").read_text(encoding="utf-8")
        rows = [[cell.strip() for cell in line.split("|")] for line in page.splitlines()]
        shown = {row[1]: " ".join(row[2:]) for row in rows if len(row) > 3}

        for _, fields in LISTS:
            assert all(f"```text\n{typed}\n```" in page for typed in fields.values())
        for label, _, stat, text, results in MOVES:
            typed = [*text.splitlines(), *results.splitlines()]
            assert re.findall("`([^`]+)`", shown[label]) == typed
            assert stat == "-" or stat.capitalize() in shown[label]

    async def test_whatever_the_docs_call_a_button_a_menu_a_field_or_a_problem_is_called_so(
        self, play: Play
    ) -> None:
        page = (ROOT / "docs/own-games/by-forms.md").read_text(encoding="utf-8")
        (problem,) = re.findall(r"the draft says:\n\n```text\n(.+)\n```", page)
        emphasized = [bold or slanted for bold, slanted in re.findall(r"\*\*(.+?)\*\*|\*(.+?)\*", page)]
        named = {one for one in emphasized if not one.endswith((".", ":"))}
        named |= set(re.findall(r"^\| ([A-Z][^|]+) \| [^|]+ \|$", page, re.MULTILINE))

        await write_the_night_train(play)
        await play.chooses(play.gwen, "Change a roll", "Force your way")
        wrong = await play.writes(play.gwen, results="Hit: clues + 1\nAt cost: clues + 1\nMiss: engin + 1")
        await play.presses(play.gwen, "Undo")
        await play.types(play.gwen, "/game new")
        for part in ("Gear", "Fights", "What players name"):
            await play.chooses(play.gwen, "Gear, foes and more", part)
        seen = json.dumps([one.body for one in play.desk.wire.sent], ensure_ascii=False)

        assert problem in unescaped(wrong.text)
        assert {"Begin with …", "+ Move", "New characters", "Playbooks", "Results"} < named
        assert {one for one in named if f'"{one}' not in seen} == set()

    async def test_eight_moves_take_fourteen_forms_at_most(self, play: Play) -> None:
        forms, page = await write_the_night_train(play)

        assert forms <= MOST_FORMS
        assert page.labels[:6] == ["Stats", "Counters", "Wounds", "Clocks", "+ Roll", "+ Move"]
        assert page.text == (
            "### The Night Train\n-# /train · not published yet\n"
            "**No problems.** A typical character:\n"
            "**Make a move** (Bold 2, bonus 0): Hit 42% · At cost 42% · Miss 17%"
        )

    async def test_it_is_tried_published_and_rolled_at_the_table(self, play: Play) -> None:
        await write_the_night_train(play)
        tried = await play.chooses(play.gwen, "Try it", "Force your way")
        ready = await play.presses(play.gwen, "Publish")
        await play.types(play.gwen, "/campaign create", ruleset="The Night Train", name="Midnight")
        await play.types(play.alice, "/character create", name="Ines")
        for stat, number in (("Bold", "+2"), ("Sly", "+1"), ("Wise", "+0")):
            await play.chooses(play.alice, stat, number)
        await play.presses(play.alice, "Next")
        await play.presses(play.alice, "Enter a name")
        await play.writes(play.alice, name="Ines")
        await play.presses(play.alice, "Finish")
        rolled = await play.presses(play.alice, "Force your way", "d6:1 d6:2")
        other = Person(5, "Olga", Interactions(), server=ELSEWHERE, manages_server=True)
        elsewhere = [
            await play.types(other, "/train roll", what="Force your way"),
            await play.types(other, "/game export", game="train"),
            await play.presses(other, "Hope"),
        ]

        assert "Force your way\\: two" in tried.text
        assert tried.labels[-5:] == ["Roll again", "Publish", "Undo", "Name", "Discard"]
        assert [one.text.splitlines()[:2] for one in ready.sent] == [
            ["### The Night Train", "-# /train · version 1, as it is played"],
            [
                "**The Night Train** is published, version 1.",
                "Play it: /campaign create ruleset:The Night Train",
            ],
        ]
        assert "**Ines** rolls Force your way" in rolled.text
        assert "+ Bold 2 = " in rolled.text
        assert all(one.is_private for one in elsewhere)
        assert [one.text.split(".")[0] for one in elsewhere] == [
            "There is no campaign here yet",
            "There is no game of your own called “train” here",
            "You can no longer do that",
        ]

    async def test_what_is_published_is_shown_as_it_is_played_and_then_as_changed(self, play: Play) -> None:
        await write_the_night_train(play)
        await play.presses(play.gwen, "Publish")
        await play.types(play.gwen, "/game new")
        played = await play.chooses(play.gwen, "Go on with", "The Night Train")
        await play.presses(play.gwen, "Clocks")
        changed = await play.writes(play.gwen, lines="The engine 8")

        assert "-# /train · version 1, as it is played" in played.text
        assert "Publish" not in played.labels
        assert "-# /train · version 1, changed since" in changed.text
        assert "Publish" in changed.labels

    @pytest.mark.parametrize("key", [key for key in skeletons() if key != "empty"])
    async def test_whatever_it_begins_with_can_be_tried_published_and_made_a_campaign_of(
        self, play: Play, key: str
    ) -> None:
        await play.types(play.gwen, "/game new")
        await play.chooses(play.gwen, "Begin with", skeletons()[key].label)
        page = await play.writes(play.gwen, name="A Try", command="a_try")
        for label in menu_of(page.sent[-1]):
            tried = await play.chooses(play.gwen, "Try it", label)
            again = await play.presses(play.gwen, "Roll again")
            assert f"\n{label}\\:" in tried.text
            assert f"\n{label}\\:" in again.text
        for button in ("Stats", "Counters", "Wounds", "Clocks"):
            await play.presses(play.gwen, button)
            page = await play.writes(play.gwen)
        await play.chooses(play.gwen, "Change a roll", menu_of(page.sent[-1])[0])
        page = await play.writes(play.gwen)
        await play.presses(play.gwen, "Publish")
        made = await play.types(play.gwen, "/campaign create", ruleset="A Try", name="Midnight")

        assert "**No problems.** A typical character:" in page.text
        assert "**Midnight** · A Try" in made.text

    async def test_a_change_of_a_game_that_is_played_is_shown_before_it_is_made(self, play: Play) -> None:
        await begin(play)
        await play.presses(play.gwen, "Publish")
        await play.types(play.gwen, "/campaign create", ruleset="The Night Train", name="Midnight")
        await play.types(play.alice, "/character create", name="Ines")
        for stat, number in (("Bold", "+2"), ("Calm", "+1"), ("Keen", "+0"), ("Odd", "−1")):
            await play.chooses(play.alice, stat, number)
        await play.presses(play.alice, "Next")
        await play.presses(play.alice, "Enter a name")
        await play.writes(play.alice, name="Ines")
        await play.presses(play.alice, "Finish")
        await play.types(play.gwen, "/game new")
        await play.chooses(play.gwen, "Go on with", "The Night Train")
        await play.presses(play.gwen, "Stats")
        await play.writes(play.gwen, lines="Brave -2..1\nCalm -2..3\nKeen -2..3\nOdd -2..3")
        ready = await play.presses(play.gwen, "Publish")
        back = await play.presses(play.gwen, "Back")
        await play.presses(play.gwen, "Publish")
        done = await play.presses(play.gwen, "Publish")

        assert unescaped(ready.sent[-1].text).splitlines() == [
            "**The Night Train** would change:",
            "- Brave changes (attribute: label, max).",
            "These characters would change:",
            "- Ines, Brave: 2 → 1",
            "-# Nothing has changed yet.",
        ]
        assert "version 1, changed since" in back.text
        assert "**The Night Train** is published, version 2." in done.text

    async def test_it_is_given_to_another_server_with_its_notes_and_its_origin(self, play: Play) -> None:
        await begin(play)
        own = 'format = 1\nname = "The Night Train"\ncommand = "train"\n\n# ours\n[clocks]\n'
        await own_games.save_draft(play.table, play.gwen.asks(), "train", own)
        await play.presses(play.gwen, "Clocks")
        await play.writes(play.gwen, lines="The engine 6")
        await play.presses(play.gwen, "Publish")
        file = await own_games.export(play.table, play.gwen.asks(), "train")
        other = Person(5, "Olga", Interactions(), server=ELSEWHERE, manages_server=True)
        await own_games.import_(play.table, other.asks(), file.text)
        copy = await own_games.export(play.table, other.asks(), "train")
        again = await own_games.import_(play.table, play.gwen.asks(), file.text)

        assert file.text.startswith("#: The Night Train, version 1\n#: from 900 ")
        assert file.text.endswith(own + 'engine = { label = "The engine", size = 6 }\n')
        origin = file.text.splitlines()[1].removeprefix("#: from ")
        assert copy.text.startswith("#: The Night Train, version 1\n#: from 901 ")
        assert f'command = "train"\norigin  = "{origin}"\n\n# ours\n[clocks]\n' in copy.text
        assert again.published is not None
        assert again.published.version == 1


class TestADraft:
    async def test_a_mistake_is_told_with_the_name_that_was_meant_and_closes_publishing(
        self, play: Play
    ) -> None:
        await begin(play)
        await play.presses(play.gwen, "+ Move")
        said = await play.writes(play.gwen, label="Run", check=("move",), results="Hit: holt + 1")

        assert (
            "**1 problem**\n- Run, what happens: “holt” is nothing that an effect can change. "
            "Did you mean “hold”? (line 36)"
        ) in unescaped(said.text)
        assert "Publish" not in said.labels
        assert not any(label.startswith("Try") for label in said.labels)

    async def test_a_line_that_is_not_understood_is_told_and_the_rest_is_saved(self, play: Play) -> None:
        await begin(play)
        await play.presses(play.gwen, "Stats")
        said = await play.writes(play.gwen, lines="Bold -2..3\nCalm 1 to 3\nKeen -1..2", beside="2, x")
        await play.presses(play.gwen, "Stats")

        assert said.text.startswith("### The Night Train\n-# /train · not published yet\n**Not understood**")
        assert "- line 2, “Calm 1 to 3”: write it like Bold -2..3" in unescaped(said.text)
        assert play.opened_fields["lines"] == "Bold -2..3\nCalm -2..3\nKeen -1..2\nOdd -2..3"

    async def test_a_form_that_is_sent_twice_changes_things_once(self, play: Play) -> None:
        await begin(play)
        twice = await play.desk.fill(play.gwen, "own:1:begun:moves", name="The Night Train", command="train")
        move: dict[str, Filled] = {
            "label": "Run",
            "check": ("move",),
            "stat": ("bold",),
            "text": "",
            "results": "",
        }
        await play.desk.fill(play.gwen, "own:1:moved:train:-", **move)
        (page,) = await play.desk.fill(play.gwen, "own:1:moved:train:-", **move)

        assert "### The Night Train" in twice[0].text
        assert menu_of(page) == [
            "Make a move",
            "Run",
        ]

    async def test_what_another_gm_has_changed_meanwhile_is_not_overwritten(self, play: Play) -> None:
        await begin(play)
        await play.presses(play.gwen, "Clocks")
        other = await play.desk.press(play.gwen, "own:1:clocks:train")
        await play.desk.fill(play.gwen, other[0].body["custom_id"], lines="The storm 6")
        late = await play.writes(play.gwen, lines="The flood 4")
        await play.presses(play.gwen, "Clocks")

        assert "Somebody else has changed this since you opened the form" in late.text
        assert play.opened_fields["lines"] == "The storm 6"

    async def test_its_name_and_command_change_until_it_is_published(self, play: Play) -> None:
        await begin(play)
        await play.presses(play.gwen, "Name")
        renamed = await play.writes(play.gwen, name="Night Bus", command="/Bus", about="A bus at night.")
        await play.presses(play.gwen, "Publish")
        (kept,) = await play.desk.fill(play.gwen, "own:1:named:bus", name="X", command="car", about="")
        (taken,) = await play.desk.fill(play.gwen, "own:1:begun:d20", name="X", command="bus")
        (ours,) = await play.desk.fill(play.gwen, "own:1:begun:d20", name="X", command="roll")
        (wrong,) = await play.desk.fill(play.gwen, "own:1:begun:d20", name="X", command="a:b c")

        assert renamed.text.startswith("### Night Bus\n-# /bus · not published yet")
        assert "The command of a published game stays: /bus." in unescaped(kept.text)
        assert "This server has a game with the command /bus already." in taken.text
        assert "/roll is already a command." in ours.text
        assert "A command is one word" in wrong.text

    async def test_a_line_that_is_gone_is_told_and_a_roll_or_a_move_is_removed_only_when_asked(
        self, play: Play
    ) -> None:
        await begin(play)
        await play.presses(play.gwen, "Stats")
        less = await play.writes(play.gwen, lines="Bold -2..3\nCalm -2..3", beside="")
        await play.presses(play.gwen, "+ Move")
        await play.writes(play.gwen, label="Run", results="Hit: hold + 1")
        await play.chooses(play.gwen, "Change a roll", "Run")
        asked = await play.writes(play.gwen, label="")
        kept = await play.presses(play.gwen, "Back")
        await play.chooses(play.gwen, "Change a roll", "Run")
        await play.writes(play.gwen, label=" ")
        gone = await play.presses(play.gwen, "Remove")
        await play.chooses(play.gwen, "Change a roll", "Make a move")
        await play.writes(play.gwen, label="")
        empty = await play.presses(play.gwen, "Remove")

        assert "-# Removed: Keen -2..3 · Odd -2..3" in unescaped(less.text)
        assert asked.text == "### Remove Run?"
        assert menu_of(kept.sent[-1]) == ["Make a move", "Run"]
        assert menu_of(gone.sent[-1]) == ["Make a move"]
        assert "**No problems.** It has no roll yet." in empty.text

    async def test_discarding_asks_first(self, play: Play) -> None:
        await begin(play)
        asked = await play.presses(play.gwen, "Discard")
        back = await play.presses(play.gwen, "Back")
        await play.presses(play.gwen, "Discard")
        await play.presses(play.gwen, "Discard the draft")
        (gone,) = await play.desk.press(play.gwen, "own:1:open:train")

        assert "It was never published; nothing of it is left then." in asked.text
        assert back.text.startswith("### The Night Train")
        assert "There is no game of your own called “train” here." in gone.text

    async def test_its_page_works_after_a_restart(self, play: Play) -> None:
        await begin(play)
        desk = await open_desk(play.table)
        (page,) = await desk.press(play.gwen, "own:1:open:train")
        (form,) = await desk.press(play.gwen, page.controls["Clocks"])
        (written,) = await desk.fill(play.gwen, form.body["custom_id"], lines="The storm 6")
        await desk.bot.close()

        assert "No problems." in written.text

    async def test_gear_foes_and_more_are_behind_a_menu(self, play: Play) -> None:
        await begin(play)
        await play.chooses(play.gwen, "Gear, foes and more", "Fights and foes")
        fields = dict(play.opened_fields)
        page = await play.writes(play.gwen, lines="Wolf: Bold 1, Harm 2", beside="order: sides\nout: Harm")
        await play.chooses(play.gwen, "Gear, foes and more", "Fights and foes")

        assert fields == {"lines": "", "beside": ""}
        assert "No problems." in page.text
        assert play.opened_fields == {"lines": "Wolf: Bold 1, Harm 2", "beside": "order: sides\nout: harm"}

    async def test_its_last_change_is_undone_once_and_returns(self, play: Play) -> None:
        await begin(play)
        await play.presses(play.gwen, "Stats")
        less = await play.writes(play.gwen, lines="Bold -2..3\nCalm -2..3", beside="")
        desk = await open_desk(play.table)
        (back,) = await desk.press(play.gwen, less.sent[-1].controls["Undo"])
        (twice,) = await desk.press(play.gwen, less.sent[-1].controls["Undo"])
        (form,) = await desk.press(play.gwen, "own:1:stats:train")
        (again,) = await desk.press(play.gwen, back.controls["Undo"])
        (then,) = await desk.press(play.gwen, "own:1:stats:train")
        await desk.bot.close()

        assert "No problems." in back.text
        assert back.text == twice.text
        assert "Odd -2..3" in str(form.body)
        assert "Odd -2..3" not in str(then.body)
        assert "Undo" in again.controls

    async def test_with_many_moves_the_menus_have_pages(self, play: Play) -> None:
        await begin(play)
        for number in range(25):
            fields: dict[str, Filled] = {
                "label": f"Move {number}",
                "check": ("-",),
                "stat": ("-",),
                "text": "x",
                "results": "",
            }
            (page,) = await play.desk.fill(play.gwen, "own:1:moved:train:-", **fields)
        menu = page.controls["Change a roll or move …"]
        (more,) = await play.desk.choose(play.gwen, menu, "more:23")
        (form,) = await play.desk.choose(play.gwen, menu, "move:move_24")

        assert menu_of(page)[-1] == "More …"
        assert menu_of(more) == [
            "Move 22",
            "Move 23",
            "Move 24",
            "Back …",
        ]
        assert form.body["title"] == "Change a move"


class TestWhoMayWrite:
    PRESSES = (
        "own:1:stats:train",
        "own:1:roll:train",
        "own:1:move:train",
        "own:1:head:train",
        "own:1:open:train",
        "own:1:undo:train:-",
        "own:1:again:train:move",
        "own:1:discard:train",
        "own:1:remove:train:rolled:move",
        "owngame:1:ready:train",
        "owngame:1:discard:train",
    )
    FORMS = (
        ("own:1:begun:moves", {"name": "X", "command": "x"}),
        ("own:1:listed:train:stats", {"lines": "", "beside": ""}),
        ("own:1:rolled:train:move", {"label": ""}),
        ("own:1:moved:train:-", {"label": "X"}),
        ("own:1:named:train", {"name": "X", "command": "x", "about": ""}),
    )
    MENUS = (
        ("own:1:begin", "moves"),
        ("own:1:goon", "train"),
        ("own:1:more:train", "items"),
        ("own:1:try:train", "roll:move"),
        ("ownentry:1:train", "roll:move"),
    )

    async def test_nobody_but_a_gm_gets_anywhere(self, play: Play) -> None:
        await begin(play)
        before = (await play.desk.press(play.gwen, "own:1:open:train"))[0].text
        answers = [await play.desk.press(play.alice, one) for one in self.PRESSES]
        answers += [await play.desk.fill(play.alice, id_, **fields) for id_, fields in self.FORMS]
        answers += [await play.desk.choose(play.alice, id_, value) for id_, value in self.MENUS]
        answers.append(await play.desk.type(play.stranger, "/game new"))
        after = (await play.desk.press(play.gwen, "own:1:open:train"))[0].text

        assert {unescaped(sent[-1].text) for sent in answers} == {
            "Only a GM can do that (a GM of a campaign here, or Manage Server)."
        }
        assert after == before

    async def test_ids_that_no_button_has_are_answered(self, play: Play) -> None:
        await begin(play)
        wrong = [
            await play.desk.press(play.gwen, one)
            for one in ("own:1:nothing:train", "own:1:stats", "own:1:listed:train:nothing", "own:1:begin")
        ]
        wrong.append(await play.desk.choose(play.gwen, "own:1:begin", "nothing"))
        gone = [
            await play.desk.choose(play.gwen, "ownentry:1:train", value)
            for value in ("roll:gone", "move:gone", "more:x", "")
        ]

        assert all("older version" in sent[-1].text for sent in (*wrong, gone[2]))
        assert all("no longer in the game" in sent[-1].text for sent in gone[:2])


async def begin(play: Play) -> None:
    """Begin the night train."""
    await play.types(play.gwen, "/game new")
    await play.chooses(play.gwen, "Begin with", "2d6 moves")
    await play.writes(play.gwen, name="The Night Train", command="train")


def menu_of(page: Sent) -> list[str]:
    """What the menu of rolls and moves offers."""
    menus = {one.get("placeholder"): one for one in walk_components(page.body["components"])}
    return [option["label"] for option in menus["Change a roll or move …"]["options"]]


def unescaped(text: str) -> str:
    """A text as people read it."""
    return re.sub(r"\\(.)", r"\1", text)
