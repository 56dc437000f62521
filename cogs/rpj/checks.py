"""The words of the checks."""

from bot.ui.options import Line

HOW = {
    "difficulty": "A number, a target number such as 10+, or a name",
    "modifiers": "Bonuses and penalties with a word: +1 rope −2 rain",
    "toggles": "What holds of your traits",
}
HOW_COMPLETES = {"difficulty": "difficulty", "toggles": "condition"}

LINES = (
    Line(
        name="check",
        about="Check a skill: 2d6 and its level against 7 and the difficulty",
        options={
            "skill": "Which skill",
            **HOW,
            "specialty": "The specialty the task falls under; yours where left out",
            "fit": "How well the skill suits; the GM says",
        },
        completes={"skill": "skill", "specialty": "specialty", **HOW_COMPLETES},
        can_be_secret=True,
        can_count=True,
    ),
    Line(
        name="attribute",
        about="Check an attribute, its bonus, or save yourself with it",
        options={"attribute": "Which attribute", "rolled": "Its level where left out", **HOW},
        completes=HOW_COMPLETES,
        can_be_secret=True,
        can_count=True,
    ),
    Line(
        name="luck",
        about="Check Luck: how bad does it get?",
        options={"stake": "What hangs on it", **HOW},
        completes=HOW_COMPLETES,
        can_be_secret=True,
        can_count=True,
    ),
    Line(
        name="complication",
        about="GM: say what goes wrong although it worked",
        options={"target": "For whom", "text": "What goes wrong"},
        has_actor=False,
    ),
)
