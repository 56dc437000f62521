"""The words of the checks."""

from bot.ui.commands.options import CommandSpec

HOW = {
    "difficulty": "A number, 10+, or a name",
    "modifiers": "What helps or hinders: +1 rope −2 rain",
    "toggles": "What holds of your traits",
}
SPENT = {"lucky_break": "Throw in a Lucky Break beforehand"}
HOW_COMPLETES = {"difficulty": "difficulty", "toggles": "condition"}

LINES = (
    CommandSpec(
        name="check",
        about="Check a skill: 2d6 and its level against 7 and the difficulty",
        options={
            "skill": "Which skill",
            **HOW,
            "specialty": "The task’s specialty; yours where left out",
            "fit": "How well the skill suits; the GM says",
            **SPENT,
        },
        completes={"skill": "skill", "specialty": "specialty", **HOW_COMPLETES},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="propose",
        about="Propose a skill for something; the GM says how well it fits",
        options={
            "skill": "Which skill",
            "how": "What you do with it",
            **HOW,
            "specialty": "The task’s specialty; yours where left out",
        },
        completes={"skill": "skill", "specialty": "specialty", **HOW_COMPLETES},
    ),
    CommandSpec(
        name="attribute",
        about="Check an attribute, its bonus, or save yourself with it",
        options={"attribute": "Which attribute", "rolled": "Its level where left out", **HOW, **SPENT},
        completes={**HOW_COMPLETES, "toggles": "attribute condition"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="luck",
        about="Check Luck: how bad does it get?",
        options={"stake": "What hangs on it", **HOW, **SPENT},
        completes={**HOW_COMPLETES, "toggles": "luck condition"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="detail",
        about="Ask whether Luck decides an open detail of the scene",
        options={"question": "Is there ...?", "target": "GM: who rolls"},
    ),
    CommandSpec(
        name="complication",
        about="GM: say what goes wrong although it worked",
        options={"target": "For whom", "text": "What goes wrong"},
        has_actor=False,
    ),
    CommandSpec(
        name="ladder",
        about="See the difficulties with your chances",
        options={"skill": "One of your skills", "level": "An effective level instead"},
        completes={"skill": "skill"},
    ),
    CommandSpec(
        name="passive",
        about="GM: see passive levels, for your eyes alone",
        options={"skill": "Which skill", "who": "Whose, separated by commas"},
        completes={"skill": "skill"},
        has_actor=False,
    ),
    CommandSpec(
        name="table",
        about="Roll or draw on one of the module's tables",
        options={
            "name": "Which table",
            "pick": "Name a place in the face-down deck",
            "shuffle": "Put all cards back first",
        },
        completes={"name": "table"},
        has_actor=False,
        can_be_secret=True,
    ),
    CommandSpec(
        name="pick",
        about="Pick one of several things",
        options={"things": "The things, with | or a comma between", "dice": "How the dice choose"},
        has_actor=False,
        can_be_secret=True,
    ),
)
