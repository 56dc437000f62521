"""The one place that answers every failure.

Failures are tried in this order:

1. A `UserError` is shown privately to the person who made it.
2. A store that cannot be written is reported as such.
3. So are an option that names something outside the server, and a command that Discord still shows in an
   older form.
4. An answer that Discord does not take is logged; a result that was saved is told later. One whose form it
   refuses is logged in one line, and its person is told.
5. Anything else is a bug: it is logged with an id, which the person is told.

Nothing was changed in any of these cases, unless a bug came after the action, while showing its result:
then the person is told so.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.app.logs import note_outcome
from bot.rules.kernel.errors import FightElsewhere, NobodyToPlay, UserError, UserErrors
from bot.table.base.request import ServerId
from bot.table.base.stored_rolls import Unsound
from bot.table.base.turn import OutcomeUnknown, StoreUnavailable
from bot.table.journal.journal import is_kept
from bot.ui.input.answer import answer
from bot.ui.text.reply import Accent, Button, Look, Picture, Reply
from bot.ui.text.text import escape, shorten

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_TEXT = 4000
LONGEST_PROBLEM = 200
MOST_PROBLEMS = 15  # told in the message itself where there are more than fit
UNKNOWN_INTERACTION = 10062
ALREADY_ANSWERED = 40060
EXPIRED_TOKEN = 50027
TOO_MANY = 429
INVALID_FORM = 50035
CHANGED_COMMAND = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)


# Wherever they stand: the ready-made heroes of the campaign played there, and the making of a character.
READY_MADE = Button(id="hero:1:ready", label="Ready-made hero", look=Look.MAIN)
MAKE_CHARACTER = Button(id="hero:1:make", label="Make a character")


class WithButtons(UserError):
    """An error with buttons that lead out of it."""

    buttons: tuple[Button, ...] = ()


def mistake_reply(mistake: UserError) -> Reply:
    """The reply for a user error."""
    if isinstance(mistake, UserErrors) and len(mistake.problems) > 1:
        return _problems_reply(mistake)
    text = " ".join(escape(sentence) for sentence in mistake.sentences)
    if isinstance(mistake, FightElsewhere):
        text = f"{text} It is in <#{mistake.channel}>."
    buttons = mistake.buttons if isinstance(mistake, WithButtons) else ()
    if isinstance(mistake, NobodyToPlay) and mistake.may_join:
        buttons = (READY_MADE, MAKE_CHARACTER)
    rows = (buttons,) if buttons else ()
    return Reply(text=shorten(text, 4000), accent=Accent.FAILURE, rows=rows, is_private=True)


def _problems_reply(mistake: UserErrors) -> Reply:
    """One line per problem; all of them in a file if they don't fit one message."""
    last = [escape(mistake.try_this)] if mistake.try_this else []
    lines = [f"- {escape(problem)}" for problem in mistake.problems]
    text = "\n".join([*lines, *last])
    files: tuple[Picture, ...] = ()
    if len(text) > MOST_TEXT:
        shown = [shorten(line, LONGEST_PROBLEM) for line in lines[:MOST_PROBLEMS]]
        text = "\n".join([*shown, f"- all {len(lines)} are in problems.txt", *last])
        files = (Picture(name="problems.txt", content="\n".join(mistake.problems).encode()),)
    return Reply(text=shorten(text, MOST_TEXT), accent=Accent.FAILURE, files=files, is_private=True)


def bug_reply(id_: str, *, is_kept: bool) -> Reply:
    """The reply for a bug, depending on whether something was stored before it happened."""
    return _failed_reply("Something went wrong on my side.", id_, is_kept=is_kept)


def refused_reply(id_: str, *, is_kept: bool) -> Reply:
    """The reply in place of one that Discord refused, depending on whether something was stored before."""
    return _failed_reply("Discord didn't accept my answer.", id_, is_kept=is_kept)


def _failed_reply(what: str, id_: str, *, is_kept: bool) -> Reply:
    done = (
        "It was done and saved all the same: see /log."
        if is_kept
        else "Nothing was changed; please try again."
    )
    return Reply(text=f"{what} {done}\n-# Report {id_}", accent=Accent.FAILURE, is_private=True)


STORE_REPLY = Reply(
    text="I can't save anything right now, so nothing was changed. Please try again in a minute.",
    accent=Accent.FAILURE,
    is_private=True,
)


OUTCOME_REPLY = Reply(
    text="I lost my database while saving, so I can't tell whether this was done. "
    "Look at /log in a minute before you try again.",
    accent=Accent.FAILURE,
    is_private=True,
)


UNKNOWN_VALUE = "I can't find one of your options in this server."


CHANGED_REPLY = Reply(
    text="This command has just changed, so nothing was done. Type it again in a minute.",
    accent=Accent.FAILURE,
    is_private=True,
)


@asynccontextmanager
async def answer_failures(interaction: "discord.Interaction[Any]") -> AsyncIterator[None]:
    """Context manager that answers any failure inside it."""
    try:
        yield
    except Exception as error:  # the last line of defence: nothing may go unanswered
        await answer_failure(interaction, error)


@contextmanager
def log_failures(what: str) -> Iterator[None]:
    """Context manager that logs any failure of work that nobody waits for, and that must go on.

    Args:
        what: What the log says did not happen, where the store could not be used.
    """
    try:
        yield
    except StoreUnavailable as error:
        log.warning(what, reason=error.reason)
    except Exception as error:  # a bug in one round must not end the next
        log.error("bug", exc_info=error)


async def answer_failure(interaction: "discord.Interaction[Any]", error: BaseException) -> None:
    """Answer a failure; the module docstring lists the order."""
    if isinstance(error, UserError):
        note_outcome("mistake")
        if isinstance(error, Unsound):
            log.error("stored document unsound", exc_info=error.__cause__)
        await _say(interaction, mistake_reply(error))
    elif isinstance(error, StoreUnavailable):
        note_outcome("store unavailable")
        log.error("store unavailable", reason=error.reason)
        await _say(interaction, OUTCOME_REPLY if isinstance(error, OutcomeUnknown) else STORE_REPLY)
    elif isinstance(error, app_commands.TransformerError):
        note_outcome("mistake")
        await _say(interaction, mistake_reply(UserError(UNKNOWN_VALUE, try_this="Choose one from the list.")))
    elif isinstance(error, CHANGED_COMMAND):
        note_outcome("changed command")
        await _say(interaction, CHANGED_REPLY)
    elif isinstance(error, aiohttp.ClientError | ConnectionError):
        note_outcome("not taken")
        log.warning("answer not taken", reason=str(error))
        await interaction.client.missed.note(interaction)
    elif isinstance(error, discord.HTTPException) and _is_refusal(error):
        note_outcome("not taken")
        log.warning("answer not taken", reason=error.text, status=error.status, code=error.code)
        if error.code != ALREADY_ANSWERED:  # an earlier try got through
            await interaction.client.missed.note(interaction)
    elif isinstance(error, discord.HTTPException) and error.code == INVALID_FORM:
        note_outcome("refused")
        log.error("answer refused", id=str(interaction.id), reason=" ".join(error.text.split()))
        is_stored = await _is_kept(interaction)
        await _say(interaction, refused_reply(str(interaction.id), is_kept=is_stored))
    else:
        note_outcome("bug")
        log.error("bug", exc_info=error)
        is_stored = await _is_kept(interaction)
        await _say(interaction, bug_reply(str(interaction.id), is_kept=is_stored))


def _is_refusal(error: discord.HTTPException) -> bool:
    """Whether Discord refused an answer for a reason outside the answer itself.

    The interaction has expired or is answered, what it belongs to is gone, a permission is missing, or
    Discord is not well.
    """
    return (
        isinstance(error, discord.NotFound | discord.Forbidden | discord.DiscordServerError)
        or error.status == TOO_MANY
        or error.code in (UNKNOWN_INTERACTION, ALREADY_ANSWERED, EXPIRED_TOKEN)
    )


async def _is_kept(interaction: "discord.Interaction[Any]") -> bool:
    """Whether the action was stored before the failure, as when only the answer was refused."""
    try:
        return await is_kept(
            interaction.client.table, ServerId(interaction.guild_id or 0), str(interaction.id)
        )
    except Exception as error:  # nothing may keep the person from an answer
        log.error("journal not read", exc_info=error)
        return False


async def _say(interaction: "discord.Interaction[Any]", reply: Reply) -> None:
    try:
        await answer(interaction, reply)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.warning("answer not taken", reason=str(error))
