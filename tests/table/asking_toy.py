"""The toy ruleset with requestable checks, and a raft that several people row."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    Choice,
    Document,
    Family,
    FollowUp,
    Noted,
    Outcome,
    Part,
    Procedure,
    RequestableCheck,
    Scene,
    SharedPrompt,
    TextField,
    Verdict,
    View,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from tests.table.toy import TOY, CheckOptions, Nothing, check


class BraveOptions(CheckOptions):
    """A check that only a GM may make harder."""

    dread: int = Field(default=0, ge=0, le=5)


def brave(scene: Scene, options: BraveOptions, dice: Dice) -> Outcome:
    if options.dread and not scene.is_gm:
        raise UserError("Only a GM says how dreadful it is.")
    return check(scene, CheckOptions(bonus=options.bonus - options.dread), dice)


def leap(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    raise UserError(f"{scene.actor.name} dares not.")


class Strokes(Document):
    """How often each has pulled, by name, and the chosen wind."""

    key: str = ""
    pulls: dict[str, int] = Field(default_factory=dict)
    wind: str = ""


class WindOptions(Document):
    raft: str
    wind: str = ""


class NameOptions(Document):
    name: str = Field(default="", max_length=20)


def christen(scene: Scene, options: NameOptions, _dice: Dice) -> Outcome:
    return Outcome(scene=scene, headline=f"christens it {options.name or 'nothing'}")


CHRISTEN = FollowUp(
    procedure="christen",
    options=NameOptions(),
    label="Christen it …",
    blanks=(TextField(key="name", prompt="What is it called?", longest=20),),
    group="christen",
)


def build(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    button = replace(CHRISTEN, character=scene.actor.id)
    return Outcome(scene=scene, headline="builds a raft", follow_ups=(button,))


def launch(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    key = f"raft/{scene.moment}"
    return Outcome(
        scene=scene.with_document(key, Strokes(key=key)), headline="launches a raft", gathering=key
    )


def shout(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    return Outcome(scene=scene, headline="shouts", verdict=Verdict(Family.SUCCESS, "a shout"))


def pull(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    return Outcome(scene=scene, headline="pulls", verdict=Verdict(Family.NEWS, "a pull"))


def turn(scene: Scene, options: WindOptions, _dice: Dice) -> Outcome:
    kept = scene.document(options.raft)
    assert isinstance(kept, Strokes)
    turned = kept.model_copy(update={"wind": options.wind})
    return Outcome(scene=scene.with_document(options.raft, turned), headline=f"turns {options.wind}")


def view(kept: Strokes, scene: Scene) -> View:
    parts = tuple(Part(who=name, notes=(f"{count} pulls",)) for name, count in kept.pulls.items())
    if sum(kept.pulls.values()) >= 3:
        verdict = Verdict(Family.SUCCESS, "across")
        return View(parts=parts, verdict=verdict)
    pull_ = FollowUp(
        procedure="pull", options=Nothing(), label="Pull", audience=Audience.ANYONE, group="pull"
    )
    shout_ = replace(pull_, procedure="shout", label="Shout", group="shout")
    winds = FollowUp(
        procedure="turn",
        options=WindOptions(raft=kept.key),
        label="Turn …",
        audience=Audience.ANYONE,
        choices=(Choice("east", "east"), Choice("west", "west")),
        chosen="wind",
        group="turn",
    )
    return View(
        parts=parts,
        lines=(f"wind {kept.wind or 'calm'}",),
        follow_ups=(pull_, shout_, winds, replace(CHRISTEN, audience=Audience.GM)),
    )


def note(kept: Strokes, noted: Noted) -> Strokes:
    if noted.actor is None or noted.outcome.verdict is None:
        return kept
    name = noted.scene.character(noted.actor).name
    return kept.model_copy(update={"pulls": {**kept.pulls, name: kept.pulls.get(name, 0) + 1}})


ASKS = (
    RequestableCheck(procedure="check", title="Brawn check", difficulty="bonus"),
    RequestableCheck(procedure="leap", title="leap"),
    RequestableCheck(
        procedure="brave",
        title="bravery check",
        what="bonus",
        names=lambda _who, _settings: ("1", "2"),
    ),
)
ASKING_TOY = replace(
    TOY,
    asks=ASKS,
    shared_prompts={"raft": SharedPrompt[Strokes](model=Strokes, view=view, note=note)},
    procedures={
        **TOY.procedures,
        "brave": Procedure[BraveOptions](key="brave", options=BraveOptions, run=brave),
        "launch": Procedure[Nothing](key="launch", options=Nothing, run=launch),
        "leap": Procedure[Nothing](key="leap", options=Nothing, run=leap),
        "build": Procedure[Nothing](key="build", options=Nothing, run=build),
        "christen": Procedure[NameOptions](
            key="christen", options=NameOptions, run=christen, needs_actor=False
        ),
        "shout": Procedure[Nothing](key="shout", options=Nothing, run=shout),
        "pull": Procedure[Nothing](key="pull", options=Nothing, run=pull),
        "turn": Procedure[WindOptions](key="turn", options=WindOptions, run=turn),
    },
)
