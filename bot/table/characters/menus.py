"""The menus of a character creation question: their choices, and what is chosen in them."""

from collections.abc import Sequence

from bot.rules.kernel import Choice, Question
from bot.rules.kernel.errors import UserError, UserErrors

LEAF = 25  # choices that one menu holds


def leaves(choices: Sequence[Choice]) -> list[Sequence[Choice]]:
    """Return a question's choices, split into as many menus as they need."""
    return [choices[at : at + LEAF] for at in range(0, len(choices), LEAF)] or [()]


def chosen_in(
    question: Question, before: tuple[str, ...], values: tuple[str, ...], leaf: int
) -> tuple[str, ...]:
    """Return the answer to a question after a choice in one of its menus.

    Raises:
        UserError: If it is not allowed.
    """
    menus = leaves(question.choices)
    offered = {choice.value for choice in (menus[leaf] if leaf < len(menus) else ())}
    least = min(question.least, len(offered)) if len(menus) == 1 else 0
    if not set(values) <= offered or not least <= len(values) <= question.most:
        raise UserError("You can't choose that any more.", "Choose again from the menu.")
    if barred := [question.barred[value] for value in values if value in question.barred]:
        raise UserErrors(tuple(barred))
    if question.most == 1:
        return values
    others = [one for menu in menus for one in menu if one.value in before and one.value not in offered]
    together = (*(one.value for one in others), *values)
    if len(together) > question.most:
        raise UserError(
            f"You can choose up to {question.most} here; that would make {len(together)}.",
            f"Chosen on the other pages: {', '.join(one.label for one in others)}.",
        )
    return together
