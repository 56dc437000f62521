"""/character, as it is typed and pressed."""

import json
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import discord
import pytest
from msgspec.structs import replace

from bot.playground.discord.payloads import walk_components
from bot.rules import compare_roll, post_magic_maid, rpj, swim_class, sword_and_swarm
from bot.rules.kernel import Choice, Creation, Question, Ruleset, Step
from bot.rules.kernel.errors import WAYS_TO_JOIN
from bot.table.base.table import Table
from tests.cogs.desk import Desk, Sent, Under, open_desk
from tests.cogs.played import Play, Said, get_up, sit_down
from tests.table.characters.test_creation_pages import GUIDED
from tests.table.conftest import Person
from tests.table.play.test_play import DICEY, build, problems, steps
from tests.table.toy_module import ToySheet

ALONE = Under(is_private=True)


def attached(desk: Desk, content: bytes, size: int | None = None) -> discord.Attachment:
    """A file that somebody sends along."""
    data: Any = {
        "id": "5",
        "filename": "ada.json",
        "size": len(content) if size is None else size,
        "url": "https://cdn.example/ada.json",
        "proxy_url": "https://cdn.example/ada.json",
    }
    return discord.Attachment(data=data, state=desk.bot._connection)


class HeldGames(dict[str, Ruleset]):
    """Games that are read only once something has been sent to Discord."""

    def __init__(self, games: Mapping[str, Ruleset]) -> None:
        super().__init__(games)
        self._may_be_read = Event()
        self._may_be_read.set()

    def get(self, key: str, otherwise: Any = None) -> Any:
        """Wait until the game may be read, in the store's thread."""
        assert self._may_be_read.wait(60), "nothing was sent while the game was being read"
        return super().get(key, otherwise)

    async def read_once_promised(self, desk: Desk, doing: Coroutine[Any, Any, list[Sent]]) -> list[Sent]:
        """Hold the games back until the first answer has left."""
        self._may_be_read.clear()
        desk.wire.on_sent = self._may_be_read.set
        return await doing


class TestTheWizard:
    async def test_a_character_is_made_step_by_step(self, desk: Desk, ada: Person) -> None:
        (opened,) = await desk.type(ada, "/character create")
        assert opened.is_private
        assert opened.text == (
            "**Or make my own**\n**Brawn** · new character, Toy Game · 1 of 2\nHow strong?\nBrawn –"
        )

        (form,) = await desk.press(ada, opened.controls["Write …"])
        (written,) = await desk.fill(ada, form.body["custom_id"], brawn="5")
        assert "Brawn **5**" in written.text
        (last,) = await desk.press(ada, written.controls["Next"])
        assert "Finish" not in last.controls
        (form,) = await desk.press(ada, last.controls["Enter a name"])
        (named,) = await desk.fill(ada, form.body["custom_id"], name="Cy *the* Bold")
        edited, told = await desk.press(ada, named.controls["Finish"])

        assert edited.how == "edit"
        assert edited.text.startswith("### Cy \\*the\\* Bold\n-# Toy Game")
        assert told.text == r"**Cy \*the\* Bold** joins the campaign"
        assert not told.is_private

    async def test_a_discarded_draft_says_so(self, desk: Desk, ada: Person) -> None:
        (opened,) = await desk.type(ada, "/character create")

        (gone,) = await desk.press(ada, opened.controls["Discard"])
        (again,) = await desk.press(ada, opened.controls["Next"])

        assert gone.text == "The unfinished character was discarded."
        assert again.text.startswith("That character is finished or was discarded.")

    async def test_a_ready_made_character_is_created_at_once(self, desk: Desk, ada: Person) -> None:
        told, sheet = await desk.type(ada, "/character create", ready="Ada", name="Abe")

        assert told.text == "**Abe** joins the campaign"
        assert sheet.is_private
        assert sheet.text.startswith("### Abe\n-# Toy Game")

    async def test_ready_made_characters_are_offered_while_typing(self, desk: Desk, ada: Person) -> None:
        assert await desk.complete(ada, "/character create", "ready", "b") == ["Bo"]


class TestJoining:
    @pytest.fixture
    def cy(self, ada: Person) -> Person:
        """Somebody without a character."""
        return replace(ada, id=8, name="Cy")

    async def test_whoever_has_no_character_gets_both_ways_in(self, desk: Desk, cy: Person) -> None:
        typed = await desk.type(cy, "/sheet")
        pressed = await desk.press(cy, "hand:1:0:0:open")
        for (told,) in (typed, pressed):
            assert told.is_private
            assert told.text == f"You have no character here. {WAYS_TO_JOIN}"
            assert list(told.controls) == ["Ready-made hero", "Make a character"]

    async def test_the_first_page_of_a_game_is_promised_before_the_game_is_read(
        self, game: Table, cy: Person
    ) -> None:
        games = HeldGames(game.games)
        desk = await open_desk(replace(game, games=games))
        desk.bot.pace = replace(desk.bot.pace, private_promise_seconds=0)

        opened = await games.read_once_promised(desk, desk.press(cy, "hero:1:make"))
        heroes = await games.read_once_promised(desk, desk.press(cy, "hero:1:ready"))
        typed = await games.read_once_promised(desk, desk.type(cy, "/character create"))

        for sent in (opened, heroes, typed):
            assert sent[0].how == "defer"
            assert len(sent) == 2
        assert "Play a ready-made hero …" in typed[-1].controls

    async def test_a_ready_made_hero_is_two_taps_away(self, desk: Desk, cy: Person) -> None:
        (menu,) = await desk.press(cy, "hero:1:ready")
        assert menu.is_private
        (id_,) = [one for label, one in menu.controls.items() if label.startswith("Play")]

        (form,) = await desk.choose(cy, id_, "Ada", under=ALONE)
        taken = await desk.fill(cy, form.body["custom_id"], name="Ada")
        edited, told = await desk.fill(cy, form.body["custom_id"], name="Ida")

        assert "already taken" in taken[0].text
        assert edited.text.startswith("### Ida\n-# Toy Game")
        assert told.text == "**Ida** joins the campaign"

    async def test_the_wizard_offers_the_ready_made_until_something_is_answered(
        self, desk: Desk, cy: Person
    ) -> None:
        (opened,) = await desk.press(cy, "hero:1:make")
        assert "Play a ready-made hero …" in opened.controls

        (form,) = await desk.press(cy, opened.controls["Write …"])
        (written,) = await desk.fill(cy, form.body["custom_id"], brawn="5")

        assert "Play a ready-made hero …" not in written.controls


class TestReading:
    async def test_a_sheet_is_private_unless_it_is_shown(self, desk: Desk, ada: Person) -> None:
        (private,) = await desk.type(ada, "/character sheet")
        (shown,) = await desk.type(ada, "/character sheet", name="Bo", show=True)

        assert (private.is_private, shown.is_private) == (True, False)
        assert private.text == "### Ada\n-# Toy Game · played by <@2>\n**Toy**\nBrawn 4"

    async def test_the_list_marks_the_character_you_play(self, desk: Desk, ada: Person) -> None:
        (listed,) = await desk.type(ada, "/character list")

        assert listed.text == "**Characters**\nAda · <@2> · your current character\nBo · <@3>"

    async def test_character_names_are_offered_while_typing(
        self, desk: Desk, ada: Person, neighbour: Person
    ) -> None:
        assert await desk.complete(ada, "/character sheet", "name", "") == ["Ada", "Bo"]
        assert await desk.complete(ada, "/character rename", "name", "") == ["Ada"]
        assert await desk.complete(neighbour, "/character sheet", "name", "") == []


class TestChanging:
    async def test_rename_use_and_retire_are_announced_and_can_be_undone(
        self, desk: Desk, ada: Person
    ) -> None:
        (renamed,) = await desk.type(ada, "/character rename", name="Ada", to="Adelheid")
        (retired,) = await desk.type(ada, "/character retire", name="adelheid")
        (undone,) = await desk.press(ada, retired.controls["Undo"])
        (used,) = await desk.type(ada, "/character use", name="Adelheid")

        assert renamed.text == "**Ada** is now called Adelheid"
        assert retired.text == "**Adelheid** retires"
        assert (undone.how, undone.text) == ("edit", "~~**Adelheid** retires~~\n-# Undone.")
        assert used.text == "**Alice** plays Adelheid"

    async def test_a_user_error_is_shown_to_the_person_alone(self, desk: Desk, bo: Person) -> None:
        (told,) = await desk.type(bo, "/character retire", name="Ada")

        assert told.is_private
        assert told.text == "Ada isn't your character. Only its player or a GM can act with it."


class TestFiles:
    async def test_a_character_is_exported_as_a_file(self, desk: Desk, ada: Person) -> None:
        (sent,) = await desk.type(ada, "/character export")

        assert (sent.text, sent.files, sent.is_private) == (
            "Here is **Ada** as a file.",
            ("character.json",),
            True,
        )

    async def test_a_character_file_that_is_too_large_is_not_downloaded(
        self, desk: Desk, ada: Person
    ) -> None:
        (sent,) = await desk.type(ada, "/character import", file=attached(desk, b"", 270_000))

        assert sent.is_private
        assert sent.text == r"This file is too large \(263 KiB\). The limit is 256 KiB."

    async def test_an_imported_character_is_announced_to_everybody(self, desk: Desk, ada: Person) -> None:
        file = {"ruleset": "toy", "name": "Cy", "sheet_version": 1, "sheet": {"brawn": 3}}
        desk.wire.files["https://cdn.example/ada.json"] = json.dumps(file).encode()

        deferred, read, told = await desk.type(ada, "/character import", file=attached(desk, b"x"))

        assert (deferred.how, read.text) == ("defer", "Character imported.")
        assert deferred.is_private
        assert told.text == "**Cy** joins the campaign from a file"
        assert not told.is_private

    async def test_problems_of_a_character_file_are_shown_to_the_person_alone(
        self, desk: Desk, ada: Person
    ) -> None:
        desk.wire.files["https://cdn.example/ada.json"] = b"hello"

        deferred, told = await desk.type(ada, "/character import", file=attached(desk, b"x"))

        assert deferred.is_private
        assert told.text.startswith("This isn't a character file. This isn't JSON")


MANY = Question(key="knack", prompt="Knack", choices=tuple(Choice(f"k{n}", f"Knack {n}") for n in range(60)))
KNACKS = Step(key="knacks", title="Knacks", text="One\nof many", picks=(MANY,))


@pytest.fixture
async def wizard(game: Table) -> AsyncIterator[Desk]:
    """A desk whose game throws dice for characters, and asks for one of sixty knacks."""
    made = Creation(
        steps=lambda draft, settings: (*steps(draft, settings), KNACKS),
        problems=problems,
        build=build,
        npc=ToySheet,
    )
    opened = await open_desk(replace(game, games={"toy": replace(DICEY, creation=made)}))
    yield opened
    await opened.bot.close()


class TestDice:
    async def test_creation_dice_are_rolled_in_public_and_shown_on_the_page(
        self, wizard: Desk, ada: Person
    ) -> None:
        (opened,) = await wizard.type(ada, "/character create")

        page, told = await wizard.press(ada, opened.controls["Roll for Luck"])

        assert page.how == "edit"
        assert "Roll for Luck" not in page.controls
        assert not told.is_private
        assert told.text.startswith("**Alice** rolls for Luck")
        assert "Undo" in told.controls

    async def test_pressing_an_old_pages_dice_button_posts_nothing_again(
        self, wizard: Desk, ada: Person
    ) -> None:
        (opened,) = await wizard.type(ada, "/character create")
        (page, _told) = await wizard.press(ada, opened.controls["Roll for Luck"])

        (again,) = await wizard.press(ada, opened.controls["Roll for Luck"])

        assert (again.how, again.text) == ("edit", page.text)

    async def test_a_stranger_is_told_that_the_draft_is_not_theirs(
        self, wizard: Desk, ada: Person, bo: Person
    ) -> None:
        (opened,) = await wizard.type(ada, "/character create")

        (told,) = await wizard.press(bo, opened.controls["Roll for Luck"])

        assert told.is_private
        assert told.text.startswith("That character is finished or was discarded.")

    async def test_an_unknown_creation_roll_is_reported(self, wizard: Desk, ada: Person) -> None:
        (opened,) = await wizard.type(ada, "/character create")
        nonsense = opened.controls["Roll for Luck"].replace("luck", "gold")

        (told,) = await wizard.press(ada, nonsense)

        assert told.text.startswith("This character doesn't roll those dice.")


class TestManyChoices:
    async def test_another_menu_is_opened_and_stays_open_after_a_choice(
        self, wizard: Desk, ada: Person
    ) -> None:
        (opened,) = await wizard.type(ada, "/character create")
        (page,) = await wizard.press(ada, opened.controls["Next"])
        assert "One\nof many" in page.text

        (second,) = await wizard.press(ada, page.controls["Knack 25 …"])
        assert "Knack 25 …" not in second.controls
        (chosen,) = await wizard.choose(ada, second.controls["Knack"], "k30")

        assert "**Knack** Knack 30" in chosen.text
        assert "Knack 25 …" not in chosen.controls

    async def test_a_menu_id_from_before_menus_were_split_still_works(
        self, wizard: Desk, ada: Person
    ) -> None:
        (opened,) = await wizard.type(ada, "/character create")
        (page,) = await wizard.press(ada, opened.controls["Next"])
        older = page.controls["Knack"].removesuffix(":0")

        (chosen,) = await wizard.choose(ada, older, "k3")

        assert "**Knack** Knack 3" in chosen.text


class TestAnOlderCopy:
    """F-REL-05: two messages with one unfinished character, as on the phone and at the desk."""

    async def test_an_old_pages_write_button_opens_the_form_of_its_own_step(
        self, game: Table, ada: Person
    ) -> None:
        desk = await open_desk(game)
        (older,) = await desk.type(ada, "/character create")
        (newer,) = await desk.type(ada, "/character create")
        await desk.press(ada, newer.controls["Next"])

        (form,) = await desk.press(ada, older.controls["Write …"])
        (page,) = await desk.fill(ada, form.body["custom_id"], brawn="5")

        assert (form.how, form.body["title"]) == ("modal", "Brawn")
        assert page.how == "edit"
        assert page.text.startswith("**Brawn** · new character, Toy Game · 1 of 2\nHow strong?\nBrawn **5**")
        await desk.bot.close()

    async def test_an_old_write_button_of_a_step_without_text_fields_shows_the_open_step(
        self, game: Table, ada: Person
    ) -> None:
        desk = await open_desk(replace(game, games={"toy": GUIDED}))
        (opened,) = await desk.type(ada, "/character create")
        (name,) = await desk.press(ada, opened.controls["Next"])
        gone = name.controls["Enter a name"].removesuffix("name") + "gear"

        (page,) = await desk.press(ada, gone)

        assert page.how == "edit"
        assert page.text.startswith("**Name** · new character · 2 of 2")
        assert (
            "There is nothing to write in that step any more.\n-# You are now at step 2\\: Name." in page.text
        )
        await desk.bot.close()


class TestLeave:
    async def test_the_gm_reads_and_approves_a_waiting_character(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        """F-ALL-08: that it joins is shown in the message in which it asked."""
        made = replace(game.games["toy"].creation, needs_leave=lambda _settings: True)
        desk = await open_desk(replace(game, games={"toy": replace(game.games["toy"], creation=made)}))
        (asked,) = await desk.type(ada, "/character create", ready="Bo", name="Eve")

        (refused,) = await desk.press(ada, asked.controls["Approve (GM)"])
        (sheet,) = await desk.press(gm, asked.controls["Show sheet"])
        (edited,) = await desk.press(gm, asked.controls["Approve (GM)"])
        (undone,) = await desk.press(gm, edited.controls["Undo"])

        assert refused.text.startswith("Only a GM can do that")
        assert (sheet.is_private, sheet.text) == (True, "### Eve\n-# Toy Game\n**Toy**\nBrawn 2")
        assert (edited.how, undone.how) == ("edit", "edit")
        assert "Approve (GM)" not in edited.controls
        assert edited.text.split("\n")[-1] == "**Eve** joins the campaign"
        assert "joins the campaign" not in undone.text
        assert "Approve (GM)" in undone.controls
        await desk.bot.close()


SUM = re.compile(r"= \*\*(\d+)\*\* against|= \*\*(\d+)\*\*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Shown:
    """Where a game shows its numbers.

    Attributes:
        game: The game.
        alices: Alice's character.
        bobs: Bob's.
        change: What the GM changes first: a command and its options.
        gauges: How the picture's text says a number, and how the sheet's text or the GM's desk does.
        check: The best check, as its button and the menus call it, with what it rolls.
        line: What the sheet's text says of it.
        rolls: The command that makes that roll, and its dice.
        roll: Its options.
        rolled: What a roll says that it added to its dice, or how many dice it has.
        of_line: The number in the sheet's line.
    """

    game: Ruleset
    alices: str
    bobs: str
    change: tuple[str, Mapping[str, object]]
    gauges: Mapping[str, str]
    check: str
    line: str
    rolls: tuple[str, str]
    roll: Mapping[str, str]
    rolled: Callable[[str], int]
    of_line: Callable[[str], int] = field(default=lambda line: int(re.findall(r"\d+", line)[-1]))


def added(dice: int) -> Callable[[str], int]:
    """What a roll added to its dice."""

    def rolled(text: str) -> int:
        found = SUM.search(text)
        assert found is not None, text
        return int(found[1] or found[2]) - dice

    return rolled


GAMES = {
    "rpj": Shown(
        rpj.RULESET,
        "Marit Vance",
        "Oskar Brandt",
        ("/gm set resource", {"resource": "Lucky Breaks", "value": 1, "character": "Marit Vance"}),
        {r"Lucky Breaks (\d)/(\d)": r"Lucky Breaks (\d)/(\d)"},
        "Concealment +7",
        r"Concealment 6 .*rolls \+\d+",
        ("/rpj check", "d6:2 d6:3"),
        {"skill": "Concealment", "difficulty": "10+"},
        added(5),
    ),
    "swim_class": Shown(
        swim_class.RULESET,
        "Sable Thornwick",
        "Ondra Kestrel",
        ("/swim-gm harm", {"target": "Sable Thornwick", "points": 1}),
        {
            r"Composure (\d)/(\d)": r"Composure (\d)/(\d)",
            r"Physical (\d)/(\d)": r"Physical (\d)/(\d)",
        },
        "Basic Melee 3",
        "●+○+ Basic Melee",
        ("/swim roll", "d6:5 d6:2 d6:6"),
        {"skill": "Basic Melee", "difficulty": "5"},
        lambda text: len(re.findall("[⚀-⚅]", text)),
        lambda line: line.count("●"),
    ),
    "compare_roll": Shown(
        compare_roll.RULESET,
        "Juno Marsh",
        "Otto Brandt",
        ("/compare-gm fate", {"target": "Juno Marsh", "stress": 2, "hp": 20}),
        {r"HP (\d+)/(\d+)": r"HP (\d+)/(\d+)", r"Stress (\d)/(\d)": r"Stress (\d)/(\d)"},
        "Precision +3",
        r"Acrobatics \(−\d each\): Precision 4",
        ("/compare roll", "d12:1 d12:2 d6:3 d6:4"),
        {"skill": "Precision"},
        added(7),
        lambda line: sum(int(number.replace("−", "-")) for number in re.findall(r"−?\d", line)),
    ),
    "post_magic_maid": Shown(
        post_magic_maid.RULESET,
        "Nettle Quickwater",
        "Bram Ostergard",
        ("/maid-gm wound", {"target": "Nettle Quickwater", "track": "blunt", "tier": "10"}),
        {r"Blitz Points (\d)": r"Blitz Points (\d)"},
        "Rooftop running +5",
        r"Rooftop running \+\d",
        ("/maid check", "d20:5 d12:4"),
        {"first": "Dex", "second": "Lck", "ability": "Rooftop running"},
        lambda text: added(5 + 4 + 2 + 1)(text),  # the dice, and what Dex and Lck add
    ),
    "sword_and_swarm": Shown(
        sword_and_swarm.RULESET,
        "Odalys Thorne",
        "Corvin Asher",
        ("/swarm-gm ranks", {"target": "Odalys Thorne", "proficiency": "Architecture", "ranks": 3}),
        {r"Star (\d)": r"Star (\d)"},
        "Architecture +4",
        r"Architecture 3 .*2d6 \+\d",
        ("/swarm proficiency", "d6:2 d6:4"),
        {"proficiency": "Architecture", "difficulty": "8"},
        added(6),
    ),
}


def alt_text(said: Said) -> str:
    """What the picture of a sheet shows, in words."""
    found = [one["items"] for one in walk_components(said.sent[-1].body["components"]) if "items" in one]
    return str(found[0][0]["description"])


async def whole_sheet(play: Play, first: str) -> str:
    """The sheet's text, page by page."""
    pages = [first]
    while (turning := f"Page {len(pages) + 1}") in play.labels(play.alice):
        pages.append((await play.presses(play.alice, turning)).text)
    return "\n".join(pages).replace("\\", "")


@pytest.mark.parametrize("name", GAMES)
async def test_f_all_37_every_number_is_the_same_wherever_it_is_read(name: str, tmp_path: Path) -> None:
    shown = GAMES[name]
    play = await sit_down(tmp_path, shown.game, shown.alices, shown.bobs)
    line, options = shown.change
    assert not (changed := await play.types(play.gwen, line, **options)).is_private, changed.text

    sheet = await play.types(play.alice, "/sheet")
    text = await whole_sheet(play, sheet.text)
    desk = next(
        line for line in (await play.types(play.gwen, "/gm desk")).text.splitlines() if shown.alices in line
    )
    for of_picture, of_text in shown.gauges.items():
        pictured, written = re.search(of_picture, alt_text(sheet)), re.search(of_text, f"{text}\n{desk}")
        assert pictured is not None
        assert written is not None
        assert pictured.groups() == written.groups()

    number = int(re.findall(r"\d+", shown.check)[-1])
    (found,) = re.findall(shown.line, text)
    assert shown.of_line(found) == number
    quick = shown.check.rpartition(" ")[0]  # a button of the sheet has the chance instead
    assert any(label.startswith(quick) for label in sheet.labels) or name == "compare_roll"
    await play.presses(play.alice, "Check …")
    composed = await play.chooses(play.alice, "Roll with options …", shown.check)
    assert f"{shown.alices} · {shown.check}" in composed.text.replace("\\", "")
    command, fall = shown.rolls
    rolled = await play.types(play.alice, command, fall, **shown.roll)
    assert shown.rolled(rolled.text) == number, rolled.text
    await get_up(play)
