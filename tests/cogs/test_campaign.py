"""Pages of settings, as a GM and as a player sees them."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import Choice, Ruleset, subject_of
from bot.rules.shared.countdowns import Kind, Status, Visibility
from bot.table import watch
from bot.table.base.results import ChangeLine, EntryId, Message, Result
from bot.table.base.table import Table
from bot.table.campaigns.campaign_settings import Setting, SettingsPage, settings_of
from bot.table.play.countdown_plans import Listing
from bot.table.play.countdowns import CountdownView
from bot.ui.input.discord_format import MOST_PARTS, parts
from bot.ui.text.reply import Select
from cogs.campaign import setting_form, settings_page_reply
from cogs.countdown import listing_reply
from cogs.privacy import welcome_reply
from tests.cogs.desk import Desk, open_desk
from tests.table.conftest import HOME, Person
from tests.ui.shown import shown

SWITCH = Setting(
    key="money",
    title="Money",
    description="Coin and prices.",
    value="none",
    default="none",
    comes_to="off",
    choices=("yes", "no", "none"),
    subject="World",
)
CHOICE = Setting(
    key="grid",
    title="Grid",
    description="Shape of a space.",
    value="hex",
    default="square",
    choices=("square", "hex"),
    words={"hex": "hexes", "square": "squares"},
    subject="World",
)
NUMBER = Setting(
    key="cap",
    title="Most Luck",
    description="Empty: no limit.",
    value="none",
    default="none",
    choices=("none",),
    words={"none": "no limit"},
    subject="World",
)
PAGE = SettingsPage(
    campaign=7,
    campaign_name="The *Manor*",
    subjects=("Sessions", "World"),
    page=1,
    settings=(SWITCH, CHOICE, NUMBER),
    changed=(0, 1),
    may_change=True,
)


def test_a_gm_sees_each_value_in_force_with_its_source_and_what_changes_it() -> None:
    assert shown(settings_page_reply(PAGE)) == (
        "private, board\n"
        "### World\n-# Settings of The \\*Manor\\* · ◆ changed here\n"
        "**Money:** off\n-# Coin and prices. · default (module)  [!Turn on]\n"
        "◆ **Grid:** hexes\n-# Shape of a space. · changed here\n"
        "<Grid 1..1: Squares / *Hexes>\n"
        "**Most Luck:** no limit\n-# Empty: no limit.  [Change …]\n"
        "<Back to the default … 1..1: Grid>\n"
        "<Other settings … 1..1: Sessions / *World (1 changed here)>\n"
        "[Desk]"
    )


def test_a_player_sees_no_control_but_the_menu_of_pages() -> None:
    assert shown(settings_page_reply(replace(PAGE, may_change=False))) == (
        "private, board\n"
        "### World\n-# Settings of The \\*Manor\\* · ◆ changed here\n"
        "**Money:** off\n-# Coin and prices. · default (module)\n"
        "◆ **Grid:** hexes\n-# Shape of a space. · changed here\n"
        "**Most Luck:** no limit\n-# Empty: no limit.\n"
        "<Other settings … 1..1: Sessions / *World (1 changed here)>"
    )


def test_what_has_just_been_changed_is_told_with_its_undo() -> None:
    line = ChangeLine("The Manor", "Money", "off", "on")
    told = Message(who="Gwen", headline="changes a setting", changes=(line,))

    reply = settings_page_reply(PAGE, Result(entry=EntryId(9), message=told))

    assert "Money: off → **on**  [Undo]" in shown(reply)


def test_a_form_begins_with_what_is_set_and_is_empty_where_nothing_is() -> None:
    unset, set_ = (setting_form(7, 1, one) for one in (NUMBER, replace(NUMBER, value="4")))

    assert [getattr(form.fields[0], "value", None) for form in (unset, set_)] == ["", "4"]
    assert unset.id == "setting:1:7:wrote:1:cap"
    hours = setting_form(7, 1, replace(NUMBER, description="Hours."))
    assert [form.fields[0].note for form in (unset, hours)] == ["Empty: no limit.", "Hours. Empty: default."]


@pytest.mark.parametrize("game", rulesets().values(), ids=lambda game: game.key)
def test_every_page_of_every_game_fits_into_a_message(game: Ruleset) -> None:
    every = [one for one in settings_of(game.settings()) if one.subject]
    for subject in {subject_of(info) for info in game.settings.model_fields.values()} - {""}:
        # each changed, so that the menu of defaults is there
        settings = tuple(replace(one, default="another") for one in every if one.subject == subject)
        line = ChangeLine("The Manor", "Money", "off", "on")
        told = Message(who="Gwen", headline="changes a setting", changes=(line,))
        reply = settings_page_reply(replace(PAGE, settings=settings), Result(entry=EntryId(9), message=told))

        assert 1 + sum(parts(block) for block in reply.blocks) <= MOST_PARTS


def running(count: int) -> Listing:
    """Return a player's list of this many running countdowns."""
    found = tuple(
        CountdownView(
            id=number,
            name=f"Alarm {number}",
            kind=Kind.FAILURE,
            visibility=Visibility.OPEN,
            status=Status.RUNNING,
            value=0,
            difficulty=4,
        )
        for number in range(1, count + 1)
    )
    return Listing(campaign="The Long Road", is_gm=False, running=found, over=())


@pytest.mark.parametrize(
    ("count", "more"),
    [
        (20, ""),
        (21, "\n-# and 1 more: /countdown show with its name"),
        (23, "\n-# and 3 more: /countdown show with its name"),
    ],
)
def test_a_list_names_twenty_countdowns_and_counts_the_rest(count: int, more: str) -> None:
    text = listing_reply(running(count)).text

    assert "**Alarm 20**" in text
    assert "**Alarm 21**" not in text
    assert text.count("\n-# and ") == (1 if more else 0)
    assert text.endswith(more)


@pytest.fixture
async def door(table: Table) -> AsyncIterator[Desk]:
    """A server without a campaign."""
    opened = await open_desk(table)
    yield opened
    await opened.bot.close()


class TestTheDoor:
    async def test_whoever_manages_the_server_makes_its_first_campaign_with_one_choice(
        self, door: Desk, gm: Person, ada: Person
    ) -> None:
        (menu,) = [
            one for one in welcome_reply((Choice("toy", "Toy Game"),)).blocks if isinstance(one, Select)
        ]

        (refused,) = await door.choose(ada, menu.id, "toy")
        (made,) = await door.choose(gm, menu.id, "toy")
        (late,) = await door.choose(gm, menu.id, "toy")

        assert refused.is_private
        assert "Manage Server" in refused.text
        assert (made.how, made.text) == (
            "edit",
            "**Toy Game** · Toy Game\nGM: <@1>\n-# Dice are provably fair",
        )
        assert list(made.controls) == ["Ready-made hero", "Make a character", "Desk", "Set up …", "Proof"]
        assert late.text.startswith("Toy Game is played here already.")

    async def test_everybody_may_ask_what_it_is(self, door: Desk, ada: Person) -> None:
        (told,) = await door.press(ada, "door:1:what")

        assert told.is_private
        assert told.text.startswith("**Tablekeeper** plays")

    async def test_help_offers_the_games_to_whoever_may_choose_one(
        self, door: Desk, gm: Person, ada: Person
    ) -> None:
        (for_gm,), (for_player,) = [await door.type(who, "/help") for who in (gm, ada)]

        assert "Choose a game …" in for_gm.controls
        assert "Choose a game …" not in for_player.controls
        (more_for_gm,) = await door.press(gm, for_gm.controls["Next"])
        (more_for_player,) = await door.press(ada, for_player.controls["Next"])
        assert "`/campaign list`" in more_for_gm.text
        assert "`/campaign list`" not in more_for_player.text

    async def test_nothing_is_said_where_the_bot_may_not_write(self, door: Desk) -> None:
        closed = SimpleNamespace(
            id=7, permissions_for=lambda _me: SimpleNamespace(view_channel=True, send_messages=False)
        )
        for channel in (None, closed):
            door.bot.dispatch("guild_join", SimpleNamespace(id=HOME, me=None, system_channel=channel))
        await asyncio.sleep(0)

        assert door.wire.sent == []
        assert await watch.welcome(door.bot.table, HOME)  # nothing was noted either

    async def test_a_gm_renames_the_new_campaign_from_its_message(
        self, door: Desk, gm: Person, ada: Person
    ) -> None:
        (made,) = await door.type(gm, "/campaign create", ruleset="toy", name="Rough")
        (page,) = await door.press(gm, made.controls["Set up …"])
        (form,) = await door.press(gm, page.controls["Rename …"])
        edited, told = await door.fill(gm, form.body["custom_id"], name="The Long Road")
        (refused,) = await door.press(ada, made.controls["Set up …"])

        assert page.is_private
        assert edited.text.startswith("**Set up The Long Road**")
        assert "Rough → The Long Road" in told.text.replace("**", "")
        assert refused.text.startswith("Only a GM can do that")
