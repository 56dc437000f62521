"""The wizard as it is pressed: dice, and questions whose choices take several menus."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.rules.kernel import Choice, Creation, Question, Step
from bot.table.base.table import Table
from tests.cogs.desk import Desk, open_desk
from tests.table.characters.test_creation_pages import GUIDED
from tests.table.conftest import Person
from tests.table.play.test_thrown import DICEY, build, problems, steps
from tests.table.toy_module import ToySheet

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

        (form,) = await desk.press(ada, older.controls["Write: Brawn"])
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
        assert page.text.startswith("**Name** · new character, Toy Game · 2 of 2")
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
