"""A small ruleset for tests of the table: a check, a resource, a wound track, a document, a timer."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    Character,
    CharacterId,
    Choice,
    Creation,
    Document,
    DueTimer,
    FollowUp,
    HookResult,
    Naming,
    OddsForm,
    Outcome,
    Problem,
    Procedure,
    ResourceRule,
    Ruleset,
    RuleText,
    Scene,
    Section,
    Step,
    TextField,
    WoundTrack,
    grown,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Attempt, Kind, attempted, started
from tests.table.toy_module import (
    CHECK,
    FAILURE,
    MODULE,
    CheckInputs,
    Purpose,
    Reset,
    ToySettings,
    ToySheet,
    check_odds,
    luck_cap,
    module_in,
    module_problems,
    resolve_check,
)


class Omen(Document):
    text: str
    strength: int = 1


class CheckOptions(Document):
    bonus: int = Field(default=0, ge=-5, le=5)


class TargetOptions(Document):
    target: CharacterId


class WaitOptions(Document):
    seconds: int = Field(ge=1)


class OmenOptions(Document):
    text: str


class LooseOptions(Document):
    arrows: int = Field(ge=1, le=3)


class PlaceOptions(Document):
    name: str


class Nothing(Document):
    pass


def sheet_of(character: Character) -> ToySheet:
    assert isinstance(character.sheet, ToySheet)
    return character.sheet


def check(scene: Scene, options: CheckOptions, dice: Dice) -> Outcome:
    roll = resolve_check(CheckInputs(target=sheet_of(scene.actor).brawn + options.bonus), dice)
    retry = FollowUp(
        procedure="push", options=Nothing(), label="Push · 1 Luck", character=scene.actor.id, group="push"
    )
    failed = roll.verdict is FAILURE
    return Outcome(
        scene=scene,
        headline="checks Brawn",
        verdict=roll.verdict,
        rolls=(roll,),
        follow_ups=(retry,) if failed else (),
    )


def spend(scene: Scene, character: Character) -> Scene:
    left = character.resources.get("luck", 0)
    if left < 1:
        raise UserError(f"{character.name} has no Luck left.", "It comes back when the session ends.")
    return scene.with_character(character.with_resource("luck", left - 1))


def push(scene: Scene, _options: Nothing, dice: Dice) -> Outcome:
    scene = spend(scene, scene.actor)
    roll = resolve_check(CheckInputs(target=sheet_of(scene.actor).brawn), dice)
    return Outcome(scene=scene, headline="pushes", verdict=roll.verdict, rolls=(roll,))


def spend_luck(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    return Outcome(scene=spend(scene, scene.actor), headline="spends Luck")


def wounded(character: Character) -> Character:
    light, grave = character.wounds.get("body", (0, 0))
    if light < 2:
        return character.with_wounds("body", (light + 1, grave))
    return character.with_wounds("body", (light, min(1, grave + 1)))


def with_boxes(scene: Scene, character: Character, track: str, boxes: tuple[int, ...]) -> Scene:
    due = scene.clock + 600 if boxes[1] else None
    return scene.with_character(character.with_wounds(track, boxes).with_timer("poison", due))


def hurt(scene: Scene, options: TargetOptions, _dice: Dice) -> Outcome:
    return Outcome(scene=scene.with_character(wounded(scene.character(options.target))), headline="is cruel")


def treat(scene: Scene, options: TargetOptions, _dice: Dice) -> Outcome:
    target = scene.character(options.target)
    light, grave = target.wounds.get("body", (0, 0))
    healed = target.with_wounds("body", (max(0, light - 1), grave)).with_timer("poison", None)
    return Outcome(scene=scene.with_character(healed), headline="treats a wound")


def train(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    actor = scene.actor
    sheet = sheet_of(actor)
    if sheet.brawn == 6:
        raise UserError("Brawn is 6 at most.")
    grown = replace(actor, sheet=sheet.model_copy(update={"brawn": sheet.brawn + 1}))
    meal = FollowUp(procedure="eat", options=Nothing(), label="Eat well")
    return Outcome(scene=scene.with_character(grown), headline="trains", follow_ups=(meal,))


def poison(scene: Scene, options: TargetOptions, _dice: Dice) -> Outcome:
    target = scene.character(options.target).with_timer("poison", scene.clock + 600)
    return Outcome(scene=scene.with_character(target), headline="poisons")


def wait(scene: Scene, options: WaitOptions, _dice: Dice) -> Outcome:
    return Outcome(scene=scene.at_clock(scene.clock + options.seconds), headline="waits")


def see_omen(scene: Scene, options: OmenOptions, _dice: Dice) -> Outcome:
    omen = Omen(text=options.text)
    return Outcome(scene=scene.with_document(f"omen/{scene.moment}", omen), headline="sees an omen")


def feast(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    eat = FollowUp(
        procedure="eat", options=Nothing(), label="Eat", audience=Audience.ANYONE, group="eat", stays=True
    )
    toasts = [
        FollowUp(procedure="eat", options=Nothing(), label=label, character=scene.actor.id, group="toast")
        for label in ("Toast", "Boast")
    ]
    judge = FollowUp(procedure="eat", options=Nothing(), label="Judge", audience=Audience.GM, group="judge")
    return Outcome(scene=scene, headline="lays a feast", follow_ups=(eat, *toasts, judge))


def dare(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    """Change something, and offer a button that is pressed automatically after a minute."""
    waits = FollowUp(
        procedure="spend", options=Nothing(), label="Run", character=scene.actor.id, after_seconds=60
    )
    return Outcome(scene=spend(scene, scene.actor), headline="dares", follow_ups=(waits,))


def eat(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    return Outcome(scene=scene, headline="eats")


def aim(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    waits = FollowUp(
        procedure="loose",
        options=LooseOptions(arrows=1),
        label="How many arrows …",
        character=scene.actor.id,
        choices=tuple(Choice(str(count), f"{count} arrows") for count in (1, 2, 3)),
        chosen="arrows",
        group="aim",
    )
    whom = replace(
        waits,
        procedure="treat",
        options=TargetOptions(target=scene.actor.id),
        label="Treat whom?",
        choices=(Choice(str(scene.actor.id), scene.actor.name),),
        chosen="target",
    )
    return Outcome(scene=scene, headline="aims", follow_ups=(waits, whom))


def loose(scene: Scene, options: LooseOptions, _dice: Dice) -> Outcome:
    return Outcome(scene=scene, headline=f"looses {options.arrows}")


def whisper(scene: Scene, _options: Nothing, dice: Dice) -> Outcome:
    """Roll and change something that only the person and the GM learn of."""
    roll = resolve_check(CheckInputs(target=3), dice)
    again = FollowUp(procedure="eat", options=Nothing(), label="Go on", audience=Audience.ANYONE)
    scene = spend(scene, scene.actor)
    return Outcome(scene=scene, headline="listens", rolls=(roll,), is_public=False, follow_ups=(again,))


def cheat(scene: Scene, _options: Nothing, dice: Dice) -> Outcome:
    """Roll a die without reporting it: a fault."""
    dice.roll(6)
    return Outcome(scene=spend(scene, scene.actor), headline="cheats")


def wrestle(scene: Scene, options: TargetOptions, dice: Dice) -> Outcome:
    """Make a roll for each of two characters."""
    actor, other = scene.actor, scene.character(options.target)
    own, theirs = (
        resolve_check(CheckInputs(target=sheet_of(one).brawn), dice).by(one, Purpose.WRESTLE)
        for one in (actor, other)
    )
    return Outcome(scene=scene, headline=f"wrestles {other.name}", verdict=own.verdict, rolls=(own, theirs))


def muddle(scene: Scene, _options: Nothing, dice: Dice) -> Outcome:
    """Make two rolls without naming their rollers: a fault."""
    rolls = tuple(resolve_check(CheckInputs(target=3), dice) for _ in range(2))
    return Outcome(scene=spend(scene, scene.actor), headline="muddles", rolls=rolls)


def besiege(scene: Scene, _options: Nothing, _dice: Dice) -> Outcome:
    breach = attempted(started("Breach", Kind.SUCCESS, 3), Attempt(succeeded=True, member=scene.actor.id))
    duel = (breach, started("Relief", Kind.FAILURE, 2))
    return Outcome(scene=scene, headline="lays a siege", countdowns=duel)


def stumble(scene: Scene, options: TargetOptions, dice: Dice) -> Outcome:
    """Change everything, and then refuse the action."""
    scene = spend(scene, scene.actor).with_document("omen/stumble", Omen(text="dust")).at_clock(99)
    scene = scene.with_character(wounded(scene.character(options.target)))
    dice.roll(6)
    raise UserError("Nobody stumbles here.")


def name_place(scene: Scene, options: PlaceOptions, _dice: Dice) -> Outcome:
    settings = scene.settings
    assert isinstance(settings, ToySettings)
    cap = None if settings.luck_cap is None else settings.luck_cap - 1
    changed = settings.model_copy(update={"places": (*settings.places, options.name), "luck_cap": cap})
    return Outcome(scene=replace(scene, settings=changed), headline=f"names {options.name}")


def end_session(scene: Scene, everybody: Sequence[CharacterId], documents: Sequence[str]) -> HookResult:
    settings = scene.settings
    assert isinstance(settings, ToySettings)
    notes: list[str] = []
    if settings.reset is Reset.FULL:
        for id_ in everybody:
            character = scene.character(id_)
            if character.resources.get("luck", 0) < 2:
                scene = scene.with_character(character.with_resource("luck", 2))
                notes.append(f"{character.name} has Luck again.")
    for key in documents:
        scene = scene.with_document(key, None)
    return HookResult(scene=scene, notes=tuple(notes))


def timers_due(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    notes: list[str] = []
    follow_ups: list[FollowUp] = []
    for timer in due:
        character = scene.character(timer.character)
        scene = scene.with_character(wounded(character).with_timer(timer.key, None))
        notes.append(f"The poison reaches {character.name}.")
        follow_ups.append(
            FollowUp(
                procedure="treat",
                options=TargetOptions(target=character.id),
                label=f"Treat {character.name}",
                audience=Audience.GM,
                character=character.id,
            )
        )
    return HookResult(scene=scene, notes=tuple(notes), follow_ups=tuple(follow_ups))


def describe(character: Character, settings: ToySettings) -> tuple[Section, ...]:
    crafts = " · ".join(one.name for one in module_in(settings).crafts)
    return (
        Section("Toy", (f"Brawn {sheet_of(character).brawn}",)),
        *((Section("Crafts here", (crafts,)),) if settings.played != "plain" else ()),
    )


def problems(draft: Mapping[str, tuple[str, ...]], _settings: ToySettings) -> tuple[Problem, ...]:
    return () if draft.get("brawn") else (Problem("brawn", "Brawn is missing."),)


CREATION = Creation(
    steps=lambda _draft, _settings: (
        Step(
            key="brawn", title="Brawn", text="How strong?", blanks=(TextField(key="brawn", prompt="Brawn"),)
        ),
    ),
    problems=problems,
    build=lambda draft, _settings: ToySheet(brawn=int(draft["brawn"][0])),
    npc=ToySheet,
    ready_made={"Ada": ToySheet(brawn=4), "Bo": ToySheet(brawn=2)},
)


class OddsQuestion(Document):
    target: int = Field(ge=1, le=6)


TOY = Ruleset[ToySheet, ToySettings](
    key="toy",
    title="Toy Game",
    command="toy",
    credit="Nobody",
    sheet=ToySheet,
    settings=ToySettings,
    module=MODULE,
    module_problems=module_problems,
    growth=lambda before, after, _settings: grown("Brawn", before.brawn, after.brawn),
    documents={"omen": Omen},
    resources=(ResourceRule(key="luck", title="Luck", start=2, npc_start=0, cap=luck_cap),),
    wounds=(
        WoundTrack(key="body", title="Body", levels=("light", "grave"), capacities=lambda _sheet: (2, 1)),
    ),
    with_boxes=with_boxes,
    rolls={"check": CHECK},
    procedures={
        procedure.key: procedure
        for procedure in (
            Procedure(key="check", options=CheckOptions, run=check, can_repeat=True),
            Procedure(key="push", options=Nothing, run=push),
            Procedure(key="spend", options=Nothing, run=spend_luck, can_repeat=True),
            Procedure(key="hurt", options=TargetOptions, run=hurt, gm_only=True, needs_actor=False),
            Procedure(key="treat", options=TargetOptions, run=treat),
            Procedure(key="train", options=Nothing, run=train),
            Procedure(key="poison", options=TargetOptions, run=poison, gm_only=True, needs_actor=False),
            Procedure(key="wait", options=WaitOptions, run=wait, gm_only=True, needs_actor=False),
            Procedure(key="place", options=PlaceOptions, run=name_place, gm_only=True, needs_actor=False),
            Procedure(key="omen", options=OmenOptions, run=see_omen, needs_actor=False),
            Procedure(key="feast", options=Nothing, run=feast),
            Procedure(key="dare", options=Nothing, run=dare),
            Procedure(key="eat", options=Nothing, run=eat),
            Procedure(key="aim", options=Nothing, run=aim),
            Procedure(key="loose", options=LooseOptions, run=loose),
            Procedure(key="whisper", options=Nothing, run=whisper),
            Procedure(key="besiege", options=Nothing, run=besiege),
            Procedure(key="cheat", options=Nothing, run=cheat),
            Procedure(key="wrestle", options=TargetOptions, run=wrestle),
            Procedure(key="muddle", options=Nothing, run=muddle),
            Procedure(key="stumble", options=TargetOptions, run=stumble),
        )
    },
    creation=CREATION,
    sheet_problems=lambda sheet: (
        (Problem("gear/rope", "Nobody with Brawn 1 carries a rope."),)
        if sheet.brawn == 1 and sheet.gear.rope
        else ()
    ),
    describe=describe,
    end_session=end_session,
    timers_due=timers_due,
    named={"omens": Naming[Omen](document="omen", name=lambda omen: omen.text)},
    suggestions={
        "attributes": lambda _character, _settings: ("Brawn",),
        "crafts": lambda _character, settings: [one.name for one in module_in(settings).crafts],
    },
    odds=OddsForm[OddsQuestion, ToySettings](
        question=OddsQuestion,
        answer=lambda asked: check_odds(CheckInputs(target=asked.target)),
        answer_under=lambda asked, settings: check_odds(
            CheckInputs(target=asked.target - (module_in(settings).name == "Sea"))
        ),
    ),
    glossary=(RuleText(("TOY-1",), "Checks", "A d6 at or below Brawn succeeds."),),
)
