"""Every failure is answered, in one place, to the person alone: a test for each row of the order."""

import asyncio
from typing import Any, cast

import aiohttp
import discord
import pytest
from discord import app_commands
from structlog.testing import capture_logs

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError, UserErrors
from bot.table.base.table import Table
from bot.table.base.turn import OutcomeUnknown, StoreUnavailable
from bot.ui.commands.options import completed
from bot.ui.input.answer import answer_failure, answer_failures, log_failures, mistake_reply
from bot.ui.text.reply import Picture
from tests.cogs.desk import Sent, bare_desk
from tests.table.conftest import Interactions, Person
from tests.ui.shown import shown

SOMEBODY = Person(2, "Alice", Interactions())


class Answered:
    """What a real HTTP answer has that discord.py's exceptions look at."""

    def __init__(self, status: int) -> None:
        self.status, self.reason = status, "Not Found"


def http_error(code: int, status: int = 404) -> discord.HTTPException:
    return discord.HTTPException(cast(Any, Answered(status)), {"code": code, "message": "Unknown"})


def refused(kind: type[discord.HTTPException], status: int, code: int) -> discord.HTTPException:
    return kind(cast(Any, Answered(status)), {"code": code, "message": "Refused"})


class Empty:
    """A table with nothing in its journal."""

    @property
    def store(self) -> "Empty":
        return self

    async def run(self, _unit: Any) -> None:
        return None

    read = run


async def answered(error: BaseException, *, refusal: Exception | None = None) -> list[Sent]:
    desk = await bare_desk(cast("Table", Empty()))
    interaction = desk.pressed(SOMEBODY)
    desk.wire.refusal = refusal
    await answer_failure(interaction, error)
    return desk.wire.sent


class TestTheOrder:
    async def test_a_user_error_is_shown_unchanged_to_the_person_alone(self) -> None:
        (sent,) = await answered(UserError("You have no *Luck* left.", "It comes back.", "/session start"))

        assert sent.is_private
        assert sent.text == r"You have no \*Luck\* left. It comes back. /session start"

    async def test_an_unwritable_store_is_reported_without_the_reason(self) -> None:
        (sent,) = await answered(StoreUnavailable("The disk at /var is full."))

        assert sent.is_private
        assert sent.text == (
            "I can't save anything right now, so nothing was changed. Please try again in a minute."
        )

    @pytest.mark.parametrize(
        "error",
        [
            app_commands.CommandNotFound("toy", []),
            app_commands.CommandSignatureMismatch(app_commands.Group(name="toy", description="x")),
        ],
    )
    async def test_an_outdated_command_is_reported_as_outdated(self, error: Exception) -> None:
        (sent,) = await answered(error)

        assert sent.text == "This command has just changed, so nothing was done. Type it again in a minute."

    @pytest.mark.parametrize("code", [10062, 40060])
    async def test_an_expired_interaction_gets_no_answer(self, code: int) -> None:
        assert await answered(http_error(code)) == []

    @pytest.mark.parametrize(
        "error",
        [
            refused(discord.NotFound, 404, 10008),
            refused(discord.NotFound, 404, 10015),
            refused(discord.Forbidden, 403, 50013),
            refused(discord.DiscordServerError, 503, 0),
            http_error(0, 429),
            http_error(50027, 401),
        ],
    )
    async def test_an_answer_refused_by_discord_is_logged_as_a_warning(
        self, error: discord.HTTPException
    ) -> None:
        """F-REL-07."""
        with capture_logs() as logs:
            assert await answered(error) == []

        assert [(one["event"], one["log_level"], one["status"]) for one in logs] == [
            ("answer not taken", "warning", error.status)
        ]

    async def test_an_unknown_outcome_is_not_said_to_be_none(self) -> None:
        (sent,) = await answered(OutcomeUnknown("The database cannot be reached."))

        assert sent.is_private
        assert sent.text == (
            "I lost my database while saving, so I can't tell whether this was done. "
            "Look at /log in a minute before you try again."
        )

    async def test_a_lost_connection_is_logged_as_a_warning(self) -> None:
        """F-REL-07."""
        with capture_logs() as logs:
            assert await answered(aiohttp.ServerDisconnectedError()) == []

        assert [(one["event"], one["log_level"]) for one in logs] == [("answer not taken", "warning")]

    @pytest.mark.parametrize("error", [RuntimeError("secret"), http_error(0, 400), KeyError("seed")])
    async def test_any_other_error_is_reported_as_a_bug_with_an_id_only(self, error: Exception) -> None:
        (sent,) = await answered(error)

        assert sent.is_private
        assert sent.text.startswith(
            "Something went wrong on my side. Nothing was changed; please try again.\n-# Report 7"
        )

    async def test_an_answer_with_an_invalid_form_is_told_and_logged_in_one_line(self) -> None:  # F-REL-18
        with capture_logs() as logs:
            (sent,) = await answered(http_error(50035, 400))

        assert sent.is_private
        assert sent.text.startswith(
            "Discord didn't accept my answer. Nothing was changed; please try again.\n-# Report 7"
        )
        (line,) = [one for one in logs if one["log_level"] == "error"]
        assert line["event"] == "answer refused"
        assert "exc_info" not in line
        assert "\n" not in line["reason"]


class TestAnswering:
    @pytest.mark.parametrize(
        "refusal", [http_error(10062), aiohttp.ClientPayloadError(), OSError("reset"), TimeoutError()]
    )
    async def test_a_failing_error_answer_raises_nothing(self, refusal: Exception) -> None:
        assert await answered(UserError("No."), refusal=refusal) == []

    async def test_an_error_after_a_deferral_is_sent_as_a_follow_up(self) -> None:
        desk = await bare_desk(cast("Table", None))
        interaction = desk.pressed(SOMEBODY)
        await interaction.response.defer(ephemeral=True)

        async with answer_failures(interaction):
            raise UserError("No.")

        assert [(sent.how, sent.is_private) for sent in desk.wire.sent][1:] == [("follow-up", True)]

    async def test_a_cancelled_press_stays_cancelled(self) -> None:
        desk = await bare_desk(cast("Table", None))
        with pytest.raises(asyncio.CancelledError):
            async with answer_failures(desk.pressed(SOMEBODY)):
                raise asyncio.CancelledError
        assert desk.wire.sent == []


class TestWording:
    def test_several_problems_are_shown_as_a_list(self) -> None:
        mistake = UserErrors(("Brawn is missing.", "The name is taken."), try_this="Go back.")

        assert shown(mistake_reply(mistake)) == (
            "private, failure\n- Brawn is missing.\n- The name is taken.\nGo back."
        )

    def test_one_problem_is_shown_as_a_sentence(self) -> None:
        assert mistake_reply(UserErrors(("Brawn is missing.",))).text == "Brawn is missing."

    def test_markup_typed_by_the_user_is_escaped_in_the_error(self) -> None:
        mistake = UserError("There is no character called “@everyone **x** <@1>” here.")

        assert mistake_reply(mistake).text == (
            r"There is no character called “\@everyone \*\*x\*\* \<\@1\>” here."
        )

    def test_a_very_long_error_is_cut_and_attached_whole_as_a_file(self) -> None:
        reply = mistake_reply(UserErrors(("wrong " * 500,) * 50))

        lines = reply.text.split("\n")
        assert len(lines) == 16
        assert all(line.endswith("…") for line in lines[:-1])
        assert lines[-1] == "- all 50 are in problems.txt"
        (file,) = reply.files
        assert isinstance(file, Picture)
        assert file.content.count(b"wrong") == 25_000


class TestWorkThatNobodyWaitsFor:
    @pytest.mark.parametrize(
        ("error", "logged"),
        [
            (StoreUnavailable("locked"), ("left servers not looked after", "warning")),
            (ValueError("no"), ("bug", "error")),
        ],
    )
    def test_a_failure_is_logged_and_ends_nothing(self, error: Exception, logged: tuple[str, str]) -> None:
        with capture_logs() as lines, log_failures("left servers not looked after"):
            raise error

        assert [(line["event"], line["log_level"]) for line in lines] == [logged]


async def test_without_a_database_nothing_is_suggested_and_one_line_is_logged() -> None:
    async def offer(_interaction: Any, _typed: str) -> list[Choice]:
        raise StoreUnavailable("The disk is full.")

    desk = await bare_desk(cast("Table", Empty()))
    with capture_logs() as lines:
        assert await completed(offer)(desk.pressed(SOMEBODY), "Ni") == []

    assert lines == [{"event": "nothing suggested", "log_level": "warning", "reason": "The disk is full."}]
