"""The form in which a GM chooses what to ask for, and of whom."""

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.asking import MOST_ASKED, RollSight
from bot.table.requests.asking_page import CheckOffer, OfferedCheck
from bot.table.requests.requested_checks import Wanted
from bot.ui.input.presses import Press, number_of, press_id
from bot.ui.text.reply import IN_MENU, Field, Form, MenuField
from bot.ui.text.text import plain, shorten

KIND = "askfor"
MOST_MENUS = 3  # of a form's five fields
LONGEST = 100  # of a choice's value and label
BETWEEN = "|"
WHAT, DIFFICULTY, WHO, NOTE = "what", "difficulty", "who", "note"
MOST_FIELDS = 5


def check_form(offer: CheckOffer, id_: str = "") -> Form:
    """The form for one character, or for those whom the GM chooses in it.

    Args:
        offer: What can be asked for.
        id_: The id of the form; by default that of one character's.
    """
    fields = _check_fields(offer, "What to ask for")
    if offer.who:
        label, most = "Who (nobody: all players)", min(len(offer.who), MOST_ASKED)
        fields.append(MenuField(key=WHO, label=label, choices=offer.who, least=0, most=most))
    if len(fields) < MOST_FIELDS:
        fields.append(Field(key=NOTE, label="What it is about", longest=200, is_required=False))
    seen = "" if offer.sight is RollSight.OPEN else f" ({offer.sight})"
    asked = f"Ask {plain(offer.name, 16)}" if offer.name else "Ask"
    return Form(
        id=id_ or press_id(KIND, offer.character or 0),
        title=f"{asked} for a check{seen}",
        fields=tuple(fields),
    )


def best_form(offer: CheckOffer, id_: str) -> Form:
    """The form in which a GM chooses at what the best are shown."""
    return Form(id=id_, title="Who is best at …", fields=tuple(_check_fields(offer, "At what")))


def _check_fields(offer: CheckOffer, label: str) -> list[Field | MenuField]:
    """The check and its difficulty."""
    choices = _choices(offer.checks)
    menus = [choices[at : at + IN_MENU] for at in range(0, len(choices), IN_MENU)][:MOST_MENUS]
    fields: list[Field | MenuField] = [
        MenuField(
            key=f"{WHAT}{number}",
            label=label if len(menus) == 1 else f"{label} ({number} of {len(menus)})",
            note="" if len(menus) == 1 else shorten(f"From {menu[0].label} to {menu[-1].label}", LONGEST),
            choices=tuple(menu),
            least=1 if len(menus) == 1 else 0,
        )
        for number, menu in enumerate(menus, 1)
    ]
    if offer.difficulties:
        fields.append(_difficulty(offer))
    return fields


def _choices(checks: tuple[OfferedCheck, ...]) -> list[Choice]:
    has_several = len({one.check for one in checks}) > 1
    labels = {f"{one.check}{BETWEEN}{one.what}": _label(one, has_several=has_several) for one in checks}
    return [Choice(value, label) for value, label in labels.items() if len(value) <= LONGEST]


def _label(one: OfferedCheck, *, has_several: bool) -> str:
    parts = (one.check, one.what) if has_several else (one.what or one.check,)
    return plain(_capital(": ".join(filter(None, parts))), LONGEST)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _difficulty(offer: CheckOffer) -> Field | MenuField:
    label = "Difficulty"
    if offer.difficulty:
        label = plain(f"Difficulty (else {offer.difficulty})", 45)
    if len(offer.difficulties) > IN_MENU:
        return Field(key=DIFFICULTY, label=label, is_required=False)
    choices = tuple(Choice(name, name) for name in offer.difficulties)
    return MenuField(key=DIFFICULTY, label=label, choices=choices, least=0)


def wanted_by(press: Press) -> Wanted:
    """What a GM chose in the form, and of whom: those chosen there, or the form's one character.

    Raises:
        UserError: If that is no check, or more than one.
    """
    chosen = [one for key, values in press.choices.items() if key.startswith(WHAT) for one in values]
    if len(chosen) != 1:
        raise UserError("Choose one thing to ask for.", try_this="Open the form again, or use /gm ask.")
    check, _, what = chosen[0].partition(BETWEEN)
    difficulty = press.choice(DIFFICULTY) or press.fields.get(DIFFICULTY, "")
    return Wanted(
        check=check,
        what=what,
        difficulty=difficulty,
        who=(press.number(),) if press.kind == KIND else tuple(map(number_of, press.choices.get(WHO, ()))),
        note=press.fields.get(NOTE, ""),
    )
