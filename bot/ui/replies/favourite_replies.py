"""Favourites in words: the form for a name, the list, and what was saved or removed."""

from bot.table.base.clean_names import LONGEST_NAME
from bot.table.characters.favourites import OwnFavourites, Saved
from bot.ui.text.reply import Accent, Field, Form, Reply
from bot.ui.text.text import escape, plain


def favourite_form(id_: str, label: str) -> Form:
    """The form that asks for a favourite's name; its submission has the id *id_*."""
    value = plain(label, LONGEST_NAME)
    return Form(
        id=id_,
        title="Keep as favourite",
        fields=(Field(key="name", label="Name", value=value, longest=LONGEST_NAME),),
    )


def favourites_reply(found: OwnFavourites) -> Reply:
    """A character's favourites, to its player alone."""
    lines = [f"**{escape(one.name)}** · {escape(one.what)}" for one in found.all]
    if not lines:
        lines = ["None yet. Press ☆ Keep on your sheet, or use /favourite after an act."]
    text = "\n".join([f"### {escape(found.who)} · favourites", *lines])
    return Reply(text=text, accent=Accent.BOARD, is_private=True)


def saved_reply(saved: Saved) -> Reply:
    """What was saved as a favourite."""
    name, what = escape(saved.favourite.name), escape(saved.favourite.what)
    replaced = "" if saved.is_new else " It replaces the one you had by that name."
    return Reply(
        text=f"Saved **{name}** for {escape(saved.who)}: {what}.{replaced}\n-# It is on your sheet now.",
        is_private=True,
    )


def removed_reply(removed: Saved) -> Reply:
    """What was removed from the favourites."""
    return Reply(
        text=f"Removed **{escape(removed.favourite.name)}** from {escape(removed.who)}'s favourites.",
        is_private=True,
    )
