"""A check of which a chapter makes something of its own, with all that can still turn it."""

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
    """How a check of a chapter's own is made, and made once more.

    Attributes:
        procedure: Key of the procedure that rolls it and does what follows.
        options: Its options for dice that lie on the table.
        roller: Who rolls.
        concerns: Who else's state hangs on it.
        improves: Whether a better success is worth something.
    """

    procedure: str
    options: Callable[[RpjCheckInputs], Document]
    roller: CharacterId
    concerns: tuple[CharacterId, ...] = ()
    improves: bool = False

    def thrown(self, scene: Scene, inputs: RpjCheckInputs, dice: Dice) -> tuple[Scene, Roll]:
        """The scene once a Lucky Break is paid for, and the roll.

        Raises:
            UserError: If a Lucky Break cannot be paid.

        Source: RPJ-LUCK-02.
        """
        return paid_for(scene, self.roller, inputs), check(inputs, dice).by(scene.character(self.roller))

    def buttons(self, scene: Scene, roll: Roll) -> tuple[FollowUp, ...]:
        """What a Lucky Break can still do, and the GM's word where it is asked for.

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
        """That a Lucky Break cannot turn it, where somebody might hope so."""
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
    """Whether the GM is still to say what a roll comes to."""
    return reading_of(roll).result is RpjResult.UNDECIDED


def came_off(roll: Roll) -> bool | None:
    """Whether a roll is a success; None where the GM is still to say so."""
    return None if is_open(roll) else reading_of(roll).result.is_success
