"""The text form of a follow-up."""

from bot.rules.kernel import FollowUp, TextField
from bot.ui.text.reply import Field, Form, MenuField
from bot.ui.text.text import plain

LONGEST_LINE, MOST_FIELDS = 100, 5


def form_of(id_: str, follow_up: FollowUp) -> Form:
    """The form of a follow-up; its submission has the id *id_*."""
    fields = tuple(_field(one) for one in follow_up.blanks[:MOST_FIELDS])
    return Form(id=id_, title=plain(follow_up.label, 45), fields=fields)


def _field(blank: TextField) -> Field | MenuField:
    if blank.choices:
        most = min(blank.most, len(blank.choices))
        least = int(blank.is_required)
        return MenuField(key=blank.key, label=blank.prompt, choices=blank.choices, least=least, most=most)
    return Field(
        key=blank.key,
        label=blank.prompt,
        longest=blank.longest,
        is_required=blank.is_required,
        is_long=blank.longest > LONGEST_LINE,
    )
