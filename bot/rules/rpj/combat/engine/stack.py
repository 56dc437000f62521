"""The fight's step stack: running steps until one needs a decision, their buttons, and Lucky Breaks."""

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace
from pydantic import SerializeAsAny, model_validator

from bot.rules.kernel import Audience, Document, FollowUp, NoOptions, Roll, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import label_with
from bot.rules.rpj.character.lucky_breaks import (
    TOUCHES,
    Rescue,
    lucky_breaks_left,
    paid_for,
    rescue_buttons,
    window_of,
    with_extra_die,
)
from bot.rules.rpj.character.sheet import Outcome
from bot.rules.rpj.combat.combatant import RpjCombatant
from bot.rules.rpj.combat.fight import Stance, Step
from bot.rules.rpj.combat.rules.attacks import RpjAim, Way, attack_check, best_defense, is_open
from bot.rules.rpj.combat.rules.combatants import Battle, Maneuver
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.resolution.check import CHECK, chance_words, inputs_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs

MOOKS = "mooks"
GROUP = "answer"


class ReactOptions(Document):
    """Options: make a free attack, or pass."""

    by: str  # who; all mooks together as "mooks"
    strikes: bool = True  # whether they do
    maneuver: Maneuver | None = None
    weapon: str = ""


class RpjDefendOptions(Document):
    """Options: the defense against an attack; the better one by default."""

    target: str
    way: Way | None = None


class SaveStepOptions(Document):
    """Options: roll a damage save."""

    target: str  # whose
    all: bool = False  # whether all that wait are rolled, one after another
    lucky: bool = False  # whether a Lucky Break is spent beforehand


class DoomOptions(Document):
    """Options: confirm damage without a save, or spare the target."""

    target: str
    strikes: bool = True


class WardOptions(Document):
    """Options: resist magic, or roll a saving throw against it."""

    target: str
    resists: bool = True


class BleedOptions(Document):
    """Options: roll against bleeding out."""

    who: str


class AsideOptions(Document):
    """Options: drag the target of a Watchful Strike along, or stay."""

    owner: str
    draws: bool = True


class StanceOptions(Document):
    """Options: who chooses a combatant's defenses from now on."""

    defense: Stance


class WonOptions(Document):
    """Options: what to do with a won grapple check."""

    winner: str
    damage: bool = False


def attack_chance(battle: Battle, aim: RpjAim) -> str:
    """The chance of an attack against the better defense, as text."""
    whom = battle[aim.target]
    return "hits" if is_open(whom) else chance_words(attack_check(battle, aim, best_defense(whom)))


def gm_button(procedure: str, options: Document, label: str) -> FollowUp:
    """A button for the GM alone."""
    return FollowUp(procedure=procedure, options=options, label=label[:80], audience=Audience.GM, group=GROUP)


def button_for(
    stage: Stage, who: str, procedure: str, options: Document, label: str, group: str = GROUP
) -> FollowUp:
    """A button for a combatant's player, or for the GM if it is a mook without a character."""
    name, character = stage.fight.fighter(who).name, stage.character(who)
    text = label_with(name, f": {label}")
    if character is None:
        return gm_button(procedure, options, text)
    return FollowUp(procedure=procedure, options=options, label=text, character=character.id, group=group)


LUCK = "fight.luck"
LUCKY_INITIATIVE = "fight.lucky_initiative"


def thrown(inputs: RpjCheckInputs, dice: Dice, rolled: RpjCheckInputs | None = None) -> Roll:
    """Roll a check, keeping dice that were already rolled for it."""
    return CHECK.resolve(rolled or inputs, dice)


class LuckyStep(Document):
    """The step a Lucky Break re-rolls, with the dice already rolled."""

    step: SerializeAsAny[Step]  # what was rolled for
    rolled: RpjCheckInputs
    earlier: str = ""  # what earlier saves of the same message came to, in words

    @model_validator(mode="before")
    @classmethod
    def _read_older(cls, value: object) -> object:
        """Read buttons of older versions too."""
        if not isinstance(value, Mapping) or "step" in value:
            return value
        fields = {key: field for key, field in value.items() if key != "by"}
        for kind in fields.keys() & Step.kinds:
            fields["step"] = {"type": kind, **fields.pop(kind)}
        return fields

    @property
    def by(self) -> str:
        """Who rolled."""
        return self.step.whose[0]


def offer_lucky_break(stage: Stage, before: Stage, step: Step, roll: Roll, *, against: str) -> Stage:
    """The stage with Lucky Break buttons for players who have any left.

    Args:
        stage: The stage with the roll.
        before: The stage right before it, when all was paid.
        step: What it was rolled for.
        against: Whose state it changed, or would have changed.

    [RPJ-LUCK-02, RPJ-LUCK-03 (R-020, R-023)]
    """
    by = step.whose[0]
    character = stage.character(by)
    if character is None or character.owner is None or stage.paid is not None:
        return stage
    concerned = stage.character(against)
    rescue = Rescue(
        procedure=LUCK,
        options=lambda inputs: LuckyStep(step=step, rolled=inputs),
        window=window_of(*(() if concerned is None else (concerned.id,)), fighters=[against]),
    )
    buttons = rescue_buttons(character, roll, rescue)
    return replace(stage, paid=before.saved(), buttons=(*stage.buttons, *buttons)) if buttons else stage


def after_earlier(stage: Stage, words: str) -> Stage:
    """The stage whose Lucky Breaks replace the results of several rolls."""
    buttons = tuple(
        replace(one, options=evolve(one.options, earlier=words))
        if isinstance(one.options, LuckyStep)
        else one
        for one in stage.buttons
    )
    return replace(stage, buttons=buttons)


def with_luck_paid(stage: Stage, by: str, rolled: RpjCheckInputs) -> Stage:
    """The stage after paying for a third die. [RPJ-LUCK-02]

    Raises:
        UserError: If it cannot be paid.
    """
    character = stage.character(by)
    return stage if character is None else stage.in_scene(paid_for(stage.scene, character.id, rolled))


class LuckyInitiative(Document):
    """Options: add a third die to an initiative roll."""

    by: str
    inputs: RpjCheckInputs


def initiative_button(stage: Stage, id_: str, roll: Roll) -> Stage:
    """The stage with a button that adds a die to initiative, until the first turn.

    [RPJ-LUCK-02, RPJ-LUCK-03 (R-023)]
    """
    character = stage.character(id_)
    left = 0 if character is None or character.owner is None else lucky_breaks_left(character)
    if character is None or left < 1 or inputs_of(roll).has_extra_die or stage.fight.has_begun:
        return stage
    button = FollowUp(
        procedure=LUCKY_INITIATIVE,
        options=LuckyInitiative(by=id_, inputs=with_extra_die(roll)),
        label=f"{character.name}: Lucky Break · {left} left",
        character=character.id,
        group=id_,
        window=window_of(is_initiative=True),
    )
    return replace(stage, buttons=(*stage.buttons, button))


StepT = TypeVar("StepT", bound=Step)
NEWER = "What comes next is on the fight's last message and on the board."


def go_on(stage: Stage, dice: Dice) -> Stage:
    """Run every step that waits for nobody."""
    while stage.steps:
        top, stage = stage.steps[-1].now(stage), stage.popped()
        if top is None:
            continue
        if top.waits(stage):
            return stage.pushed(top)
        stage = top.run(stage, dice)
    return stage


def first(stage: Stage, kind: type[StepT], **asked: str) -> StepT:
    """The first step, if it is the one being answered.

    Args:
        stage: The fight.
        asked: What its fields must be, such as whom it asks.

    Raises:
        UserError: If another step comes first.
    """
    top = stage.steps[-1] if stage.steps else None
    if not isinstance(top, kind) or any(getattr(top, field) != value for field, value in asked.items()):
        raise UserError("This has already been decided.", NEWER)
    return top


def questions(stage: Stage) -> tuple[FollowUp, ...]:
    """The buttons of the first step; none if no step is pending."""
    if not stage.steps:
        return ()
    top = stage.steps[-1]
    go_on_button = gm_button("fight.go_on", NoOptions(), "Continue (GM)")
    return (*top.questions(stage), replace(go_on_button, deal=top.waiting_words(stage)))


def outcome(stage: Stage, headline: str, *about: RpjCombatant) -> Outcome:
    """The message about a stage, with the next step's buttons; GM-only for hidden combatants."""
    return Outcome(
        scene=stage.saved(),
        headline=headline,
        verdict=stage.verdict,
        rolls=stage.rolls,
        notes=stage.notes,
        follow_ups=(*stage.buttons, *questions(stage)),
        paid=stage.paid,
        moments=tuple(f"{TOUCHES}{id_}" for id_ in sorted(stage.touched)),
        is_public=not any(one.is_hidden for one in about),
    )
