"""Telling somebody later what they got no answer to."""

from dataclasses import replace

from bot.table.journal.missed_results import Missed
from bot.ui.replies.gathering_replies import reply_of
from bot.ui.text.reply import Reply
from bot.ui.text.text import shorten

LONGEST = 4000


def missed_reply(missed: Missed) -> Reply:
    """A result that Discord took no answer about, told to its person alone, with its buttons."""
    what = "Your roll" if missed.has_rolls else "What you did"
    said = f"{what} at <t:{missed.at}:t> was saved, but Discord didn't take my answer"
    if missed.result is None:
        return Reply(text=f"{said}. Only the GM sees the result.", is_private=True)
    shown = reply_of(missed.result)
    return replace(shown, text=shorten(f"{said}:\n{shown.text}", LONGEST), is_private=True)
