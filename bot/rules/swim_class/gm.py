"""GM commands and lists: new skills and synergies, wounds, ranks, traits, states, presets and items."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Choice,
    Column,
    Document,
    EditableList,
    FieldRows,
    FileProblem,
    Form,
    ModuleRule,
    Problem,
    Row,
    Written,
    evolve,
    menu_of,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.swim_class.creation import bought
from bot.rules.swim_class.damage import heal_wounds, take_damage, with_stable
from bot.rules.swim_class.gear import catalogue_item, with_more
from bot.rules.swim_class.growth import step_notes, with_synergy
from bot.rules.swim_class.plans import parsed_skills
from bot.rules.swim_class.sheet import (
    HeldTrait,
    Outcome,
    Scene,
    SwimSettings,
    SwimSheet,
    book,
    book_of,
    folded,
    parent_of,
    with_states,
)
from bot.rules.swim_class.tables import (
    PRESETS,
    SKILLS,
    SYNERGIES,
    TRAITS,
    Defends,
    Pool,
    SkillKey,
    SwimAttack,
    SwimGroup,
    SwimSkill,
    Synergy,
)

BOOK = "book"
BOOK_TITLE = "As in the book"
OWN_TITLE = "The campaign's own"


def title_of(settings: SwimSettings) -> str:
    """The title of the campaign's own skills and rules."""
    return settings.world or (BOOK_TITLE if settings == SwimSettings() else OWN_TITLE)


def flaws(settings: SwimSettings, written: Written) -> Iterator[FileProblem]:
    """Find the contradictions in a file. [SWIM-CHAR-06, SWIM-CHAR-07]"""
    known = {skill.key for skill in SKILLS} | set(_meant(written)) | {skill.key for skill in settings.skills}
    yield from _skill_flaws(settings, known)
    pairs = [frozenset((edge.one, edge.other)) for edge in SYNERGIES]
    for place, edge in enumerate(settings.synergies):
        for end, key in (("one", edge.one), ("other", edge.other)):
            if key not in known:
                yield FileProblem(("synergies", place, end), f"There is no skill {key}.")
        pair = frozenset((edge.one, edge.other))
        if len(pair) == 1:
            yield FileProblem(("synergies", place), f"{edge.one} can't have synergy with itself.")
        elif pair in pairs:
            yield FileProblem(("synergies", place), f"{edge.one} and {edge.other} already have a synergy.")
        pairs.append(pair)


def _skill_flaws(settings: SwimSettings, known: set[SkillKey]) -> Iterator[FileProblem]:
    seen: set[SkillKey] = set()
    for place, skill in enumerate(settings.skills):
        if skill.key != folded(skill.key) or ":" in skill.key or not skill.key:
            yield FileProblem(
                ("skills", place, "key"), f"“{skill.key}” isn't a valid key. Write keys like fast_talk."
            )
        if skill.key in seen:
            yield FileProblem(("skills", place, "key"), f"There are two skills with the key {skill.key}.")
        seen.add(skill.key)
        needed = [need.skill for need in skill.requires]
        for name, keys in (("requires", needed), ("opposed_by", skill.opposed_by)):
            for key in keys:
                if key not in known:
                    yield FileProblem(("skills", place, name), f"{skill.name}: there is no skill {key}.")


def _meant(written: Written) -> Iterator[SkillKey]:
    """The keys of all skills in a file, valid or not."""
    rows = written.get("skills")
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("key"), str):
            yield row["key"]


def module_problems(sheet: SwimSheet, settings: SwimSettings) -> tuple[Problem, ...]:
    """Skills on a sheet that the campaign does not have; their ranks stay, unused."""
    known = tuple(skill.key for skill in (*SKILLS, *settings.skills))
    return tuple(
        Problem("ranks", f"There is no skill {key} in this campaign.", parent_of(key), known)
        for key in sheet.ranks
        if parent_of(key) not in known
    )


def summary(settings: SwimSettings) -> tuple[str, ...]:
    """A summary of a campaign's file."""
    default = SwimSettings()
    names = ", ".join(skill.name for skill in settings.skills)
    otherwise = [
        name
        for name in SwimSettings.model_fields
        if name not in {"world", "skills", "synergies"} and getattr(settings, name) != getattr(default, name)
    ]
    return (
        f"{counted(len(settings.skills), 'own skill', 'own skills')}{': ' if names else ''}{names}",
        counted(len(settings.synergies), "own synergy", "own synergies"),
        *([f"Changed settings: {', '.join(otherwise)}"] if otherwise else []),
    )


def hints(settings: SwimSettings) -> tuple[str, ...]:
    """Notes about what is allowed but unusual."""
    printed = {skill.key: skill.name for skill in SKILLS}
    return tuple(
        f"{skill.name} replaces the book's {printed[skill.key]}."
        for skill in settings.skills
        if skill.key in printed
    )


MODULE: ModuleRule[SwimSettings, SwimSettings] = ModuleRule(
    form=Form(model=SwimSettings, flaws=flaws),
    title=title_of,
    carried=lambda settings: settings,
    carrying=lambda _settings, module: module,
    is_apart=False,
    shipped={BOOK: BOOK_TITLE},
    choosing=lambda _settings, _key: SwimSettings(),
    summary=summary,
    hints=hints,
)


NO_SPECIALS = 11  # one more than a degree can be
TraitKey = StrEnum("TraitKey", {key.upper(): key for key in TRAITS})  # type: ignore[misc]  # the names of the data


class SwimAddSkillOptions(Document):
    """A new skill."""

    name: str = Field(min_length=1, max_length=40)
    default: int = Field(default=1, ge=0, le=5)  # its starting rank
    exotic: bool = False  # whether it can't be used before its first rank
    attack: SwimAttack = SwimAttack.NONE  # whether and how it attacks
    pool: Pool = Pool.PHYSICAL  # the hit points that its attacks cost
    defends: Defends = Defends.GM  # whether it can defend
    synergies: str = Field(default="", max_length=200)  # its synergies, for example "Finesse: 2, Spot: 3"
    requires: str = Field(default="", max_length=100)
    rank: int = Field(default=1, ge=1, le=20)  # the required rank
    opposed: str = Field(default="", max_length=100)  # its named counters, for example "Spot, Mental Defense"
    # Degree of the synergy with its specialisations; 11 for none.
    special: int = Field(default=2, ge=0, le=NO_SPECIALS)
    note: str = Field(default="", max_length=200)  # its difficulties and effects


class SynergyOptions(Document):
    """A synergy between two skills."""

    one: str = Field(min_length=1, max_length=100)
    other: str = Field(min_length=1, max_length=100)
    degree: int = Field(default=2, ge=0, le=10)


class SwimHarmOptions(Document):
    """Damage or healing without a roll."""

    target: CharacterId
    points: int = Field(ge=1, le=100)
    pool: Pool = Pool.PHYSICAL


class SwimRankOptions(Document):
    """The character, skill and new rank."""

    target: CharacterId
    skill: str = Field(min_length=1, max_length=100)
    rank: int = Field(ge=0, le=100)


class SwimTraitOptions(Document):
    """The trait to give; degree 0 removes it."""

    target: CharacterId
    trait: TraitKey
    degree: int = Field(ge=0, le=10)
    penalty: int | None = Field(default=None, ge=0, le=10)


class State(StrEnum):
    """The states that a GM can set or end."""

    PRONE = "prone"
    SOAKED = "soaked"
    HOVERING = "hovering"
    HELD = "held"
    STUNNED = "stunned"
    HIDDEN = "hidden"
    UNDEAD = "undead"
    DEAD = "dead"
    STABLE = "stable"
    LEARNS = "learns"


class StateOptions(Document):
    """The state to set or end."""

    target: CharacterId
    state: State
    on: bool = True


class PresetOptions(Document):
    """The NPC, and the book's combatant whose stats it gets."""

    target: CharacterId
    preset: str = Field(min_length=1, max_length=40)


class SwimGiveOptions(Document):
    """The item to give."""

    target: CharacterId
    item: str = Field(min_length=1, max_length=60)
    quantity: int = Field(default=1, ge=1, le=1000)


DEFENDS = {
    Defends.POOL: "Against attacks on its hit points",
    Defends.MATCHING: "Against the same skill",
    Defends.MAGIC: "Against magic",
    Defends.GM: "Where the GM allows it",
    Defends.NEVER: "Never",
}


def _skill(settings: SwimSettings, before: Row | None, row: Row) -> Row:
    """A skill with its key, which stays when the name changes. [SWIM-CHAR-06, SWIM-CHAR-07]"""
    key = folded(str(row.get("name") or ""))
    if not key or ":" in key:
        raise UserError("Choose a name without a colon.", "Colons mark specializations.")
    known = book_of(settings)
    own = None if before is None else before["key"]
    if key in known.skills and key != own:
        raise UserError(f"There is already a skill {known.title(key)}.", "Choose another name.")
    if before is not None:
        return row
    return {"group": SwimGroup.CUSTOM.value, **row, "key": key}


def _with_skills(before: SwimSettings, changed: SwimSettings) -> SwimSettings:
    """Settings with other skills, without synergies of those that are gone; none may need one of these."""
    known = {skill.key for skill in (*SKILLS, *changed.skills)}
    for skill in changed.skills:
        needed = (*(need.skill for need in skill.requires), *skill.opposed_by)
        if missing := [key for key in needed if key not in known]:
            gone = book_of(before).title(missing[0])
            raise UserError(f"{skill.name} needs {gone}.", f"Remove {skill.name} first.")
    edges = [edge for edge in changed.synergies if {edge.one, edge.other} <= known]
    return changed.model_copy(update={"synergies": tuple(edges)})


def _synergy(settings: SwimSettings, before: Row | None, row: Row) -> Row:
    """A synergy between two skills that have none yet. [SWIM-CHAR-07, SWIM-SYN-01]"""
    known = book_of(settings)
    one, other = (known.find(str(row.get(end) or "")) for end in ("one", "other"))
    if one == other:
        raise UserError("A skill can't have synergy with itself.")
    own = None if before is None else {before["one"], before["other"]}
    if any({edge.one, edge.other} == {one, other} != own for edge in known.synergies):
        raise UserError(f"{known.title(one)} and {known.title(other)} already have a synergy.")
    return {**row, "one": one, "other": other}


def _with_names(settings: SwimSettings, row: Row) -> Row:
    known = book_of(settings)
    return {**row, "one": known.title(str(row["one"])), "other": known.title(str(row["other"]))}


def _pair(row: Row) -> str:
    return " and ".join(sorted((str(row["one"]), str(row["other"]))))


OWN_SKILLS: EditableList[SwimSettings] = EditableList(
    key="skills",
    title="Skills",
    noun="skill",
    columns=(
        Column(key="name", title="Name"),
        Column(key="default", title="Starting rank", note="0 to 10; empty: 1", is_required=False),
        Column(key="attack", title="How it attacks", choices=menu_of(tuple(SwimAttack))),
        Column(
            key="defends",
            title="When it defends",
            choices=tuple(Choice(value, label) for value, label in DEFENDS.items()),
        ),
        Column(key="note", title="What it does", longest=200, is_required=False),
    ),
    source=FieldRows("skills", then=_with_skills),
    model=SwimSkill,
    complete=_skill,
    identity=lambda row: str(row["key"]),
    about=lambda row: f"starts at {row['default']}",
)
OWN_SYNERGIES: EditableList[SwimSettings] = EditableList(
    key="synergies",
    title="Synergies",
    noun="synergy",
    columns=(
        Column(key="one", title="One skill"),
        Column(key="other", title="The other skill"),
        Column(key="degree", title="Degree", note="0 to 10"),
    ),
    source=FieldRows("synergies"),
    model=Synergy,
    complete=_synergy,
    shown=_with_names,
    named=lambda row: _pair(row).replace("_", " ").capitalize(),
    identity=_pair,
    about=lambda row: f"degree {row['degree']}",
)
LISTS = (OWN_SKILLS, OWN_SYNERGIES)


@procedure("add_skill", gm_only=True, needs_actor=False)
def add_skill(scene: Scene, options: SwimAddSkillOptions, _dice: Dice) -> Outcome:
    """Add a skill to the campaign. [SWIM-CHAR-06, SWIM-CHAR-07]"""
    skills, key = book(scene), folded(options.name)
    edges = [_edge(scene, key, text) for text in options.synergies.split(",") if text.strip()]
    needs = [{"skill": skills.find(options.requires), "rank": options.rank}] if options.requires else []
    row = {
        **options.model_dump(mode="json", include={"default", "defends", "attack", "pool"}),
        "name": options.name.strip(),
        "is_exotic": options.exotic,
        "requires": needs,
        "opposed_by": parsed_skills(scene, options.opposed),
        "special_degree": None if options.special == NO_SPECIALS else options.special,
        "note": options.note.strip(),
    }
    settings, _row = OWN_SKILLS.with_row(scene.settings, row)
    return Outcome(
        scene=replace(scene, settings=evolve(settings, synergies=(*settings.synergies, *edges))),
        headline=f"adds the skill {row['name']} (default rank {options.default})",
        notes=tuple(f"Synergy {edge.degree} with {skills.title(edge.other)}." for edge in edges),
    )


def _edge(scene: Scene, key: str, text: str) -> Synergy:
    name, _, degree = text.partition(":")
    number = degree.strip() or "2"
    if not number.isdecimal() or int(number) > 10:
        raise UserError(f"“{text.strip()}” isn't a synergy.", try_this="Write it like this: Finesse: 2")
    return Synergy(one=key, other=book(scene).find(name), degree=int(number))


@procedure("add_synergy", gm_only=True, needs_actor=False)
def add_synergy(scene: Scene, options: SynergyOptions, _dice: Dice) -> Outcome:
    """Add a synergy between two skills. [SWIM-CHAR-07, SWIM-SYN-01]"""
    settings, edge = OWN_SYNERGIES.with_row(scene.settings, options.model_dump())
    one, other = (book(scene).title(str(edge[end])) for end in ("one", "other"))
    return Outcome(
        scene=replace(scene, settings=settings),
        headline=f"connects {one} and {other} with synergy {options.degree}",
    )


@procedure("harm", gm_only=True, needs_actor=False)
def harm(scene: Scene, options: SwimHarmOptions, _dice: Dice) -> Outcome:
    """Deal damage without an attack, for example from a trap. [SWIM-TASK-09, SWIM-COMB-07]"""
    hurt = take_damage(scene, options.target, options.pool, options.points)
    name = scene.character(options.target).name
    return Outcome(scene=hurt.scene, headline=f"harms {name}", notes=hurt.notes, follow_ups=hurt.follow_ups)


@procedure("mend", gm_only=True, needs_actor=False, sets=True)
def mend(scene: Scene, options: SwimHarmOptions, _dice: Dice) -> Outcome:
    """Heal wounds."""
    scene, healed = heal_wounds(scene, options.target, options.pool, options.points)
    name = scene.character(options.target).name
    kind = options.pool.value
    wounds = counted(healed, f"{kind} wound", f"{kind} wounds")
    return Outcome(scene=scene, headline=f"heals {wounds} of {name}")


@procedure("set_rank", gm_only=True, needs_actor=False, sets=True)
def set_rank(scene: Scene, options: SwimRankOptions, _dice: Dice) -> Outcome:
    """Set a rank; if it rises, synergies apply. [SWIM-SYN-01 (SWIM-R29), SWIM-SYN-02]"""
    character, skills = scene.character(options.target), book(scene)
    sheet = character.sheet
    key = skills.find(options.skill)
    before = skills.rank(sheet.ranks, key)
    ranks = {**sheet.ranks, key: options.rank}
    raised = with_synergy(skills, ranks, [key] if options.rank > before else [])
    changed = evolve(sheet, ranks=raised.ranks)
    return Outcome(
        scene=scene.with_sheet(character, changed),
        headline=f"sets {character.name}'s {skills.title(key)}: {before} → {options.rank}",
        notes=step_notes(skills, raised.steps),
    )


@procedure("set_trait", gm_only=True, needs_actor=False, sets=True)
def set_trait(scene: Scene, options: SwimTraitOptions, _dice: Dice) -> Outcome:
    """Give a character a trait, or take it away. [SWIM-RACE-06 (SWIM-R89)]"""
    character = scene.character(options.target)
    sheet = character.sheet
    rest = tuple(held for held in sheet.traits if held.key != options.trait)
    held = HeldTrait(key=options.trait.value, degree=options.degree, penalty=options.penalty)
    traits = (*rest, held) if options.degree else rest
    changed = evolve(sheet, traits=traits)
    name = TRAITS[options.trait].name
    return Outcome(
        scene=scene.with_sheet(character, changed),
        headline=f"gives {character.name} {name} {options.degree}"
        if options.degree
        else f"takes {name} from {character.name}",
    )


@procedure("set_state", gm_only=True, needs_actor=False, sets=True)
def set_state(scene: Scene, options: StateOptions, _dice: Dice) -> Outcome:
    """Set or end a state."""
    target, on = options.target, options.on
    name = scene.character(target).name
    match options.state:
        case State.UNDEAD | State.DEAD | State.LEARNS | State.STABLE:
            scene = _lasting(scene, target, options.state, on=on)
        case State.HELD | State.STUNNED:
            if on:
                raise UserError(
                    "Only an attack can cause this state.", try_this="You can end it with “on: False”."
                )
            key = "held_by" if options.state is State.HELD else "stunned_by"
            scene = with_states(scene, target, **{key: None})
        case State.HIDDEN:
            scene = with_states(scene, target, hidden_from=())
        case _:
            scene = with_states(scene, target, **{f"is_{options.state.value}": on})
    return Outcome(scene=scene, headline=f"rules: {_state_words(name, options.state, on=on)}")


def _state_words(name: str, state: State, *, on: bool) -> str:
    if state is State.LEARNS:
        return f"{name} learns from rolls" if on else f"{name} no longer learns from rolls"
    return f"{name} is {'' if on else 'no longer '}{state.value}"


def _lasting(scene: Scene, target: CharacterId, state: State, *, on: bool) -> Scene:
    character = scene.character(target)
    sheet = character.sheet
    if state is State.STABLE:
        return with_stable(scene, target, Pool.PHYSICAL, is_stable=on)
    if state is State.UNDEAD:
        tags = tuple(tag for tag in sheet.tags if tag != "undead")
        return scene.with_sheet(character, evolve(sheet, tags=(*tags, "undead") if on else tags))
    field = "is_dead" if state is State.DEAD else "tracks_advancement"
    return scene.with_sheet(character, sheet.model_copy(update={field: on}))


@procedure("preset", gm_only=True, needs_actor=False, sets=True)
def apply_preset(scene: Scene, options: PresetOptions, _dice: Dice) -> Outcome:
    """Give an NPC the stats of one of the book's combatants. [SWIM-COMB-17 (SWIM-R59)]"""
    character = scene.character(options.target)
    if character.owner is not None:
        raise UserError(f"{character.name} belongs to a player.", "Presets are for NPCs.")
    preset = next((one for one in PRESETS.values() if folded(one.name) == folded(options.preset)), None)
    if preset is None:
        raise UserError(f"There is no preset “{options.preset}”.", f"Choose from: {', '.join(PRESETS)}.")
    items = tuple(bought(name) for name in preset.items)
    traits = tuple(HeldTrait(key=key, degree=degree) for key, degree in preset.traits.items())
    sheet = SwimSheet(ranks=preset.ranks, items=items, traits=traits)
    fresh = replace(character, resources=dict.fromkeys(character.resources, 0))
    return Outcome(
        scene=scene.with_sheet(fresh, sheet),
        headline=f"gives {character.name} the stats of the book's {preset.name}",
    )


@procedure("give", gm_only=True, needs_actor=False)
def give(scene: Scene, options: SwimGiveOptions, _dice: Dice) -> Outcome:
    """Give a character an item, for example an artifact from a quest. [SWIM-ITEM-07 (SWIM-R110)]"""
    character = scene.character(options.target)
    found = catalogue_item(options.item)
    changed = with_more(character.sheet, found, options.quantity)
    words = f"gives {character.name} {options.quantity} × {found.name}"
    return Outcome(scene=scene.with_sheet(character, changed), headline=words)
