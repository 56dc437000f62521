"""A check with its own consequences, and the buttons that can still change it."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, Roll
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.lucky_breaks import with_word
from bot.rules.rpj.character.roll_deadlines import window_of
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.checks.lucky_break_buttons import Rescue, hopeless_note, paid_for, rescue_buttons
from bot.rules.rpj.resolution.check import RpjResult, check, reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRoll:
    """How such a check is rolled and resolved again.

    Attributes:
        procedure: Key of the procedure that rolls it and applies its consequences.
        options: Its options for dice already rolled.
        roller: Who rolls.
        concerns: Other characters whose state depends on it.
        improves: Whether a better success matters.
    """

    procedure: str
    options: Callable[[RpjCheckInputs], Document]
    roller: CharacterId
    concerns: tuple[CharacterId, ...] = ()
    improves: bool = False

    def thrown(self, scene: Scene, inputs: RpjCheckInputs, dice: Dice) -> tuple[Scene, Roll]:
        """Pay for a Lucky Break if there is one, and roll.

        Raises:
            UserError: If a Lucky Break cannot be paid for.

        Source: RPJ-LUCK-02.
        """
        return paid_for(scene, self.roller, inputs), check(inputs, dice).by(scene.character(self.roller))

    def buttons(self, scene: Scene, roll: Roll) -> tuple[FollowUp, ...]:
        """The Lucky Break buttons, and the GM's buttons for an undecided critical.

        Source: RPJ-LUCK-02, RPJ-LUCK-03, RPJ-DICE-03.
        """
        roller = scene.character(self.roller)
        rescue = Rescue(
            procedure=self.procedure,
            options=self.options,
            window=window_of(self.roller, *self.concerns),
            improves=self.improves,
        )
        most = figure_in(scene, roller).lucky_breaks
        return (*rescue_buttons(roller, most, roll, rescue), *self._words(roll))

    def notes(self, scene: Scene, roll: Roll) -> tuple[str, ...]:
        """A note that a Lucky Break can't turn the roll, where someone might expect it could."""
        return hopeless_note(scene.character(self.roller), roll)

    def _words(self, roll: Roll) -> tuple[FollowUp, ...]:
        words = ("accepted", "overruled") if is_open(roll) else ()
        return tuple(
            FollowUp(
                procedure=self.procedure,
                options=self.options(with_word(roll, word)),
                label=f"{'Accept' if word == 'accepted' else 'Overrule'} the critical (GM)",
                audience=Audience.GM,
                character=self.roller,
                group="word",
                rewinds=True,
            )
            for word in words
        )


def is_open(roll: Roll) -> bool:
    """Whether a roll still waits for the GM's decision."""
    return reading_of(roll).result is RpjResult.UNDECIDED


def came_off(roll: Roll) -> bool | None:
    """Whether a roll is a success; None while it waits for the GM's decision."""
    return None if is_open(roll) else reading_of(roll).result.is_success
