"""A step of a fight: something to resolve before the fight continues."""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import (
    ModelWrapValidatorHandler,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from bot.rules.kernel import Document, FollowUp
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs

if TYPE_CHECKING:
    from bot.rules.rpj.combat.rules.stage import Stage


class Step(Document):
    """Something to resolve before a fight continues.

    A kind of step is one class, which says everything about itself; nothing else knows the kinds. The class
    gives its *kind*, the word by which stored steps are read again:

        class Bleed(Step, kind="bleed"): ...
    """

    kind: ClassVar[str] = ""
    kinds: ClassVar[dict[str, type["Step"]]] = {}

    def __init_subclass__(cls, *, kind: str = "", **more: Any) -> None:
        """Register a kind of step under its stored name.

        Raises:
            ValueError: Another kind of step has the same word.
        """
        super().__init_subclass__(**more)
        if not kind:  # what several kinds have in common
            return
        if kind in Step.kinds:
            raise ValueError(f"Two kinds of steps are stored as {kind}")
        cls.kind = kind
        Step.kinds[kind] = cls

    @model_validator(mode="wrap")
    @classmethod
    def _of_its_kind(cls, value: object, handler: ModelWrapValidatorHandler[Self]) -> "Step":
        """Read a stored step as its own class."""
        if not isinstance(value, Mapping):
            return handler(value)
        fields = {key: field for key, field in value.items() if key != "type"}
        if cls is not Step:
            return handler(fields)
        kind = Step.kinds.get(str(value.get("type")))
        if kind is None:
            raise ValueError(f"There is no step {value.get('type')}")
        return kind.model_validate(fields)

    @model_serializer(mode="wrap")
    def _with_its_kind(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write a step with its kind."""
        return {"type": self.kind, **handler(self)}

    # --- who -------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def whose(self) -> tuple[str, ...]:
        """The combatants it belongs to, by id; the one who rolls comes first."""

    @property
    def goal(self) -> int | None:
        """The region that a move leads to, or None."""
        return None

    @property
    def needs(self) -> tuple[str, ...]:
        """The combatants who must be in the fight for it."""
        return self.whose

    def among(self, there: Collection[str]) -> Self | None:
        """The step limited to those still in the fight, or None."""
        return self if set(self.needs) <= set(there) else None

    # --- what is done ----------------------------------------------------------------------------

    def now(self, stage: "Stage") -> Self | None:
        """The step when it comes first, without what is no longer possible; None if nothing is left."""
        return self

    def waits(self, stage: "Stage") -> bool:
        """Whether it waits for a decision or a roll; GM characters roll at once."""
        return False

    def run(self, stage: "Stage", dice: Dice, rolled: RpjCheckInputs | None = None) -> "Stage":
        """Run it; free attacks and other offers nobody takes are passed.

        Args:
            stage: The stage without it.
            rolled: Its roll, where dice of it lie on the table already.
        """
        return stage

    def pushed_on(self, stage: "Stage", dice: Dice) -> "Stage":
        """The stage after the GM continues without an answer."""
        return self.run(stage.popped(), dice)

    def settled(self, stage: "Stage", dice: Dice) -> "Stage":
        """The same when the fight is about to end."""
        return self.pushed_on(stage, dice)

    # --- what is said ----------------------------------------------------------------------------

    def questions(self, stage: "Stage") -> tuple[FollowUp, ...]:
        """The buttons of those it waits for, besides the GM's *Go on*."""
        return ()

    @abstractmethod
    def words(self, stage: "Stage") -> str:
        """What it is, as a phrase: "Ilsa's save against 9 damage"."""

    def waiting_words(self, stage: "Stage") -> str:
        """Who has to decide or roll, as the start of a sentence."""
        return "Something is being done"

    def pushed_words(self, stage: "Stage") -> str:
        """What the GM does by continuing without an answer."""
        return "continues the fight"


class PairStep(Step):
    """A step of one combatant that concerns another."""

    actor: str
    target: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The combatant who acts."""
        return (self.actor,)

    @property
    def needs(self) -> tuple[str, ...]:
        """Both combatants."""
        return (self.actor, self.target)
