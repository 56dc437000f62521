"""/character, as it is typed and pressed."""

import json
from typing import Any

import discord

from tests.cogs.desk import Desk
from tests.table.conftest import Person


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


class TestTheWizard:
    async def test_a_character_is_made_step_by_step(self, desk: Desk, ada: Person) -> None:
        (opened,) = await desk.type(ada, "/character create")
        assert opened.is_private
        assert opened.text == ("**Brawn** · new character, Toy Game · 1 of 2\nHow strong?\nBrawn –")

        (form,) = await desk.press(ada, opened.controls["Write: Brawn"])
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
