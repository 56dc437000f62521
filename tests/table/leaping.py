"""The toy ruleset with a leap: it has a cost and effects, and a second wind can turn it."""

from dataclasses import replace

from bot.rules.kernel import (
    SESSION_ENDED,
    Audience,
    Deadline,
    Die,
    Document,
    FollowUp,
    LaterEntry,
    Noted,
    Outcome,
    Procedure,
    Roll,
    RollRule,
    Scene,
    SharedPrompt,
    View,
    passed,
)
from bot.rules.kernel.dice import Dice
from tests.table.toy import TOY, Nothing, Omen, sheet_of, spend, wounded
from tests.table.toy_check import FAILURE, SUCCESS

NEVER, ALWAYS = "never", "always"  # what a leap can be told to come to, whatever falls


class LeapOptions(Document):
    fate: str = ""
    fallen: tuple[int, ...] = ()


class LeapInputs(Document):
    target: int
    fallen: tuple[int, ...] = ()


def resolve_leap(inputs: LeapInputs, dice: Dice) -> Roll:
    """Resolve a leap: a d6 at or below the target succeeds; earlier dice count too."""
    face = dice.roll(6)
    return Roll(
        rule="leap",
        inputs=inputs,
        dice=(Die(sides=6, face=face),),
        earlier=tuple(Die(sides=6, face=one) for one in inputs.fallen),
        verdict=SUCCESS if min(face, *inputs.fallen, 7) <= inputs.target else FAILURE,
    )


def leap(scene: Scene, options: LeapOptions, dice: Dice) -> Outcome:
    """Costs a leap (a document counts them) or, again, Luck; a failure costs a wound."""
    actor = scene.actor
    target = {NEVER: 0, ALWAYS: 6}.get(options.fate, sheet_of(actor).brawn)
    roll = resolve_leap(LeapInputs(target=target, fallen=options.fallen), dice)
    if options.fallen:
        paid = spend(scene, actor)
    else:
        kept = scene.document("omen/leaps")
        leaps = kept.strength + 1 if isinstance(kept, Omen) else 1
        paid = scene.with_document("omen/leaps", Omen(text="leaps", strength=leaps))
    failed = roll.verdict is FAILURE
    rest = FollowUp(procedure="eat", options=Nothing(), label="Rest", character=actor.id, group="rest")
    return Outcome(
        scene=paid.with_character(wounded(paid.actor)) if failed else paid,
        paid=paid,
        headline="leaps",
        verdict=roll.verdict,
        rolls=(roll,),
        follow_ups=(*second_winds(scene, roll), rest) if failed and not options.fallen else (),
    )


def second_winds(scene: Scene, roll: Roll) -> tuple[FollowUp, FollowUp]:
    """Return buttons that roll another die: one that turns the leap, one that does not."""

    def button(fate: str) -> FollowUp:
        return FollowUp(
            procedure="again",
            options=LeapOptions(fate=fate, fallen=(roll.dice[0].face,)),
            label=f"Second wind ({fate} enough)",
            character=scene.actor.id,
            window=Deadline(concerns=(scene.actor.id,), until=("dusk",)),
            rewinds=True,
        )

    return button(ALWAYS), button(NEVER)


class Race(Document):
    landed: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()


def race(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    key = f"race/{scene.moment}"
    return Outcome(scene=scene.with_document(key, Race()), headline="calls a race", gathering=key)


def view_race(race: Race, scene: Scene) -> View:
    button = FollowUp(
        procedure="leap",
        options=LeapOptions(fate=NEVER),
        label="Leap",
        audience=Audience.ANYONE,
        group="leap",
    )
    return View(
        lines=(f"landed {','.join(race.landed)} fallen {','.join(race.fallen)}",), follow_ups=(button,)
    )


def note_leap(race: Race, noted: Noted) -> Race:
    name = "" if noted.actor is None else noted.scene.character(noted.actor).name
    landed, fallen = (tuple(one for one in names if one != name) for names in (race.landed, race.fallen))
    if passed(noted.outcome):
        return Race(landed=(*landed, name), fallen=fallen)
    return Race(landed=landed, fallen=(*fallen, name))


def nightfall(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    return Outcome(scene=scene, headline="lets night fall", moments=("dusk",))


def closing(window: Deadline, happening: LaterEntry) -> str | None:
    ends = (SESSION_ENDED, *window.until)
    for moment in happening.moments:
        if moment in ends:
            return f"it is past {moment}"
    if happening.is_end_of_countdown:
        return "a countdown has ended since"
    if {happening.by, *happening.against} & set(window.concerns):
        return "somebody has acted since"
    return None


LEAPING = replace(
    TOY,
    shared_prompts={"race": SharedPrompt[Race](model=Race, view=view_race, note=note_leap)},
    rolls={**TOY.rolls, "leap": RollRule[LeapInputs]("leap", LeapInputs, resolve_leap)},
    procedures={
        **TOY.procedures,
        "leap": Procedure[LeapOptions](key="leap", options=LeapOptions, run=leap),
        "race": Procedure[Nothing](key="race", options=Nothing, run=race, gm_only=True, needs_actor=False),
        "again": Procedure[LeapOptions](key="again", options=LeapOptions, run=leap),
        "nightfall": Procedure[Nothing](
            key="nightfall", options=Nothing, run=nightfall, gm_only=True, needs_actor=False
        ),
    },
    closing=closing,
    sheet_changes=lambda before, after, _settings: (
        (("Brawn", str(before.brawn), str(after.brawn)),) if before.brawn != after.brawn else ()
    ),
)
