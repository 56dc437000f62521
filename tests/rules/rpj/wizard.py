"""The wizard's pages without a table: answering them as a person would."""

from typing import Any

from bot.rules.kernel import Choice, Question, Step
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.module_files import RpjSettings, Shipped
from tests.dice import ScriptedDice


class Wizard:
    """A draft that is answered page by page.

    Args:
        **settings: The campaign's settings; the fantasy module where nothing is said.
    """

    def __init__(self, **settings: Any) -> None:
        own = settings.pop("own", None)
        module = Shipped.FANTASY if own is None else "own"
        said = RpjSettings.model_validate({"module": module, **settings})
        self.settings = said if own is None else said.with_module(own)
        self.draft: dict[str, tuple[str, ...]] = {}

    @property
    def steps(self) -> dict[str, Step]:
        """The pages by their keys."""
        return {step.key: step for step in RULESET.creation.steps(self.draft, self.settings)}

    @property
    def picks(self) -> dict[str, Question]:
        """The questions of all pages."""
        return {pick.key: pick for step in self.steps.values() for pick in step.picks}

    @property
    def problems(self) -> list[tuple[str, str]]:
        """What is missing or not allowed, with its page."""
        return [(one.where, one.sentence) for one in RULESET.creation.problems_of(self.draft, self.settings)]

    def choices(self, key: str) -> dict[str, Choice]:
        """What a question offers."""
        return {choice.value: choice for choice in self.picks[key].choices}

    def pick(self, **answers: str) -> "Wizard":
        """Answer questions, dots in their keys written as two underscores; several values with commas."""
        for name, value in answers.items():
            key = name.replace("__", ".")
            values = tuple(value.split(","))
            assert set(values) <= self.choices(key).keys(), (values, list(self.choices(key)))
            assert not set(values) & self.picks[key].barred.keys(), self.picks[key].barred
            self.draft[key] = values
        return self

    def buy(self, skill: str, level: int, **more: str) -> "Wizard":
        """Buy a skill to a level."""
        self.pick(buying=skill, **{f"level.{skill}".replace(".", "__"): str(level)})
        return self.pick(**{f"{key}__{skill}": value for key, value in more.items()})

    def refusal(self, key: str, value: str) -> str:
        """Why an answer that is offered cannot be chosen."""
        assert value in self.choices(key)
        return self.picks[key].barred[value]

    def throw(self, key: str, faces: str) -> "Wizard":
        """Throw the dice of a page; they fall as told."""
        (throw,) = [one for step in self.steps.values() for one in step.throws if one.key == key]
        dice = ScriptedDice(" ".join(f"d6:{face}" for face in faces.split()))
        self.draft[key] = throw.answer(RULESET.rolls[throw.rule].resolve(throw.inputs, dice))
        dice.assert_all_rolled()
        return self

    def made(self) -> RpjSheet:
        """The sheet."""
        assert self.problems == []
        sheet = RULESET.creation.build(self.draft, self.settings)
        assert isinstance(sheet, RpjSheet)
        return sheet


SEVEN = "6 6 4 4 3 3 3 4 2 2 1 4 1 1"  # 6, 4, 3, 3, 2, 2; a 1 is dropped


def laeniel(**settings: Any) -> Wizard:
    """A wizard with the attributes of Laeniel, the book's ranger, rolled and given."""
    wizard = Wizard(**settings).pick(method="roll").throw("pool", SEVEN).throw("luck", "4 4")
    return wizard.pick(DEX="6", CHA="4", INT="3", WIL="2", CON="3", STR="2")
