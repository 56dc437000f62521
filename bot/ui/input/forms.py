"""The text form of a follow-up."""

from bot.rules.kernel import FollowUp
from bot.ui.text.reply import Field, Form
from bot.ui.text.text import plain

LONGEST_LINE, MOST_FIELDS = 100, 5


def form_of(id_: str, follow_up: FollowUp) -> Form:
    """The form of a follow-up; its submission has the id *id_*."""
    fields = tuple(
        Field(
            key=one.key,
            label=one.prompt,
            longest=one.longest,
            is_required=one.is_required,
            is_long=one.longest > LONGEST_LINE,
        )
        for one in follow_up.blanks[:MOST_FIELDS]
    )
    return Form(id=id_, title=plain(follow_up.label, 45), fields=fields)
