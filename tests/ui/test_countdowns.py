"""Countdowns as they are shown, compared whole; their pictures; and every board within Discord's limits."""

import io
from typing import Any, cast

import pytest
from PIL import Image

from bot.rules.countdowns import Kind, Side, Status, Term, Visibility
from bot.store.records import CampaignId, ServerId
from bot.table.boards import Board, BoardPlace, Listing
from bot.table.countdown_deeds import SkillWanted
from bot.table.countdowns import CountdownView
from bot.table.table import Table
from bot.ui.answer import answer, fitted
from bot.ui.clocks import SIZE, Clock, draw
from bot.ui.countdowns import board_reply, gm_reply, hints_reply, listing_reply, mark_of, skill_form
from bot.ui.reply import Picture, Pictured
from tests.cogs.desk import bare_desk
from tests.table.conftest import Interactions, Person
from tests.ui.shown import shown

PLACE = BoardPlace(ServerId(900), CampaignId(1))


def a_view(name: str = "Evidence Planted", **other: Any) -> CountdownView:
    given: dict[str, Any] = {
        "id": 1,
        "kind": Kind.SUCCESS,
        "visibility": Visibility.OPEN,
        "status": Status.RUNNING,
        "value": 3,
        "difficulty": 4,
        "boxes": "◼◼◼◻",
        "about": ("success", "moderate", "2 different skills", "against Alarm"),
        "is_shared": True,
    }
    return CountdownView(name=name, **(given | other))


ALARM = a_view(
    "Alarm", id=2, kind=Kind.FAILURE, value=1, difficulty=2, boxes="◼◻", about=("failure",), is_shared=False
)
REVOLT = a_view("Revolt", id=3, kind=Kind.TUG, difficulty=6, boxes="◼◼◼│◻◻◻", about=("tug-of-war",))
TREACHERY = CountdownView(
    id=4,
    name="Treachery?",
    kind=Kind.SUCCESS,
    visibility=Visibility.KNOWN,
    status=Status.RUNNING,
)


def a_board(*countdowns: CountdownView) -> Board:
    return Board(
        place=PLACE, campaign="The Long Road", channel=50, message=None, shown="", countdowns=countdowns
    )


class TestBoard:
    def test_each_has_its_clock_beside_it_and_its_buttons_below(self) -> None:
        reply = board_reply(a_board(a_view(), ALARM, REVOLT, TREACHERY))

        assert shown(reply) == (
            "public, board\n"
            "### Countdowns · The Long Road\n"
            "**Evidence Planted**\n"
            "◼◼◼◻ 3 of 4\n"
            "-# success · moderate · 2 different skills · against Alarm"
            "  (clock-1.png: A clock for Evidence Planted: 3 of 4 filled)\n"
            "**Alarm**\n"
            "◼◻ 1 of 2\n"
            "-# failure  (clock-2.png: A clock for Alarm: 1 of 2 filled)\n"
            "**Revolt**\n"
            "◼◼◼│◻◻◻ 3 of 6\n"
            "-# tug-of-war  (clock-3.png: A clock for Revolt: 3 of 6 filled)\n"
            "**Treachery?**\n"
            "-# known, progress hidden  (clock-4.png: A clock for Treachery?: progress hidden)\n"
            "[!+ Evidence Planted] [+ Alarm] [!+ Revolt] [− Revolt] [GM …]"
        )

    def test_without_any_it_says_so(self) -> None:
        assert shown(board_reply(a_board())) == (
            "public, board\n### Countdowns · The Long Road\nNothing counts down just now.\n[GM …]"
        )

    async def test_however_many_there_are_it_fits(self) -> None:
        many = [a_view("N" * 60 + str(id_), id=id_, kind=Kind.TUG) for id_ in range(30)]
        desk = await bare_desk(cast("Table", None))

        await answer(desk.pressed(Person(2, "Alice", Interactions())), board_reply(a_board(*many)))

        (sent,) = desk.wire.sent  # held against Discord's limits there
        assert len(sent.files) == 8
        assert "and 22 more" in sent.text

    def test_what_somebody_wrote_stays_what_they_wrote(self) -> None:
        text = shown(board_reply(a_board(a_view("**x** @everyone"))))

        assert r"\*\*x\*\* \@everyone" in text

    def test_its_mark_changes_when_what_it_shows_changes(self) -> None:
        marks = {mark_of(a_board(one)) for one in (a_view(), a_view(value=2), a_view("Proof"), a_view())}

        assert len(marks) == 3

    def test_a_paragraph_that_is_too_long_is_cut_and_keeps_its_picture(self) -> None:
        picture = Picture("clock-1.png", b"x", "alt")

        (block,) = fitted([Pictured("x" * 5000, picture)])

        assert isinstance(block, Pictured)
        assert (len(block.text), block.picture) == (4000, picture)


class TestPicture:
    @pytest.mark.parametrize(
        "clock",
        [
            Clock(value=3, difficulty=4),
            Clock(value=1, difficulty=2, kind=Kind.FAILURE),
            Clock(value=4, difficulty=6, kind=Kind.TUG),
            Clock(value=0, difficulty=1, side=Side.OPPOSITION),
            Clock(value=12, difficulty=12),
            Clock(value=None, difficulty=None),
        ],
    )
    def test_it_is_sharp_on_phones_and_small(self, clock: Clock) -> None:
        content = draw(clock)

        assert Image.open(io.BytesIO(content)).size == (SIZE, SIZE) == (176, 176)
        assert len(content) < 30_000

    def test_its_parts_are_filled_clockwise_from_the_top_in_the_colour_of_whose_gain_it_is(self) -> None:
        def colours(clock: Clock) -> list[tuple[int, ...]]:
            """At the middle of each quarter, clockwise from the top."""
            image = Image.open(io.BytesIO(draw(clock)))
            return [cast("tuple[int, ...]", image.getpixel(at)) for at in ((134, 42), (134, 134), (42, 134))]

        green, red = (47, 158, 107, 255), (194, 69, 63, 255)
        assert colours(Clock(value=2, difficulty=4))[:2] == [green, green]
        assert colours(Clock(value=2, difficulty=4))[2][3] < 255
        assert colours(Clock(value=1, difficulty=4, kind=Kind.FAILURE))[0] == red
        assert colours(Clock(value=1, difficulty=4, kind=Kind.TUG)) == [green, red, red]


class TestForOne:
    def test_a_player_reads_what_everybody_may(self) -> None:
        done = a_view("Chase", status=Status.RESOLVED, value=4, boxes="◼◼◼◼", consequence="You have them.")
        found = Listing(campaign="Road", is_gm=False, running=(a_view(), TREACHERY), over=(done,))

        assert shown(listing_reply(found)) == (
            "private, board\n"
            "**Countdowns** · Road\n"
            "**Evidence Planted**\n"
            "◼◼◼◻ 3 of 4\n"
            "-# success · moderate · 2 different skills · against Alarm\n"
            "**Treachery?**\n"
            "-# known, progress hidden\n"
            "**Over**\n"
            "**Chase** · **resolved**\n"
            "◼◼◼◼ 4 of 4\n"
            "-# success · moderate · 2 different skills · against Alarm\n"
            "-# You have them."
        )

    def test_the_gm_reads_notes_and_the_latest_moves_and_has_buttons(self) -> None:
        secret = a_view(
            "Doom",
            visibility=Visibility.GM,
            term=Term.LONG,
            note="The baron turns.",
            consequence="War.",
            history=("+1 Ada · Guile", "+2 by hand"),
            hint="Alone.",
        )
        found = Listing(campaign="Road", is_gm=True, running=(secret,), over=())

        assert shown(gm_reply(found)) == (
            "private, board\n"
            "### Countdowns · Road · for the GM\n"
            "**Doom**\n"
            "◼◼◼◻ 3 of 4\n"
            "-# success · moderate · 2 different skills · against Alarm\n"
            "-# only you know of it · long-term\n"
            "-# The baron turns.\n"
            "-# then: War.\n"
            "-# +1 Ada · Guile; +2 by hand\n"
            "-# Alone.\n"
            "[!+ 1] [− 1]"
        )

    def test_where_there_is_none_it_says_how_one_begins(self) -> None:
        nothing = Listing(campaign="Road", is_gm=True, running=(), over=())

        assert "None yet. A GM begins one with /countdown create." in shown(listing_reply(nothing))
        assert "Nothing counts down just now." in shown(gm_reply(nothing))

    def test_more_than_fit_are_counted(self) -> None:
        many = tuple(a_view(id=id_) for id_ in range(30))
        found = Listing(campaign="Road", is_gm=True, running=many, over=())

        assert "and 10 more" in shown(listing_reply(found))
        assert "and 22 more" in shown(gm_reply(found))

    def test_a_tug_of_war_that_is_over_says_for_whom(self) -> None:
        lost = a_view("Revolt", kind=Kind.TUG, status=Status.RESOLVED, winner=Side.OPPOSITION, value=0)
        won = a_view("Revolt", kind=Kind.TUG, status=Status.RESOLVED, winner=Side.PLAYERS, value=4)
        text = shown(listing_reply(Listing(campaign="Road", is_gm=False, running=(), over=(lost, won))))

        assert "**Revolt** · **resolved for the opposition**" in text
        assert "**Revolt** · **resolved for the players**" in text

    def test_the_form_asks_for_a_skill(self) -> None:
        form = skill_form(SkillWanted(7, "Evidence"), for_gm=True)

        assert (form.id, form.title) == ("countskill:1:7:gm", "+ Evidence")

    def test_hints_are_for_the_gm_alone(self) -> None:
        assert shown(hints_reply(("One.", "Two."))) == "private, news\nOne.\nTwo."
