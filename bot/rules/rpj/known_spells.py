"""Slots and known spells: showing, preparing, spells of level 0, teaching and adding spells."""

from collections.abc import Sequence

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import CharacterId, Choice, Document, FollowUp, NoOptions, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, label_with
from bot.rules.rpj.casting import RpjCastOptions
from bot.rules.rpj.character.casters import (
    begun,
    broken,
    caster_for,
    casting_of,
    hourly_recovery,
    is_concentrating,
    known_spells,
    linked_values,
    mages_of,
    more_slots,
    spell_named,
    ways_to_cast,
    with_casting,
)
from bot.rules.rpj.character.sheet import Outcome, Scene, Stats, figure_in
from bot.rules.rpj.module.basics import RpjAttribute, own_id
from bot.rules.rpj.module.module import Module, Pack, RpjSkill
from bot.rules.rpj.module.module_files import module_in, require
from bot.rules.rpj.module.spells import (
    Casting,
    Mage,
    Preparation,
    RpjSpell,
    Slot,
    SpellLevel,
    SpellSave,
    assert_may_prepare,
    governing,
    list_size,
    put_in_slot,
    put_on_list,
    slot_word,
)


class PrepareOptions(Document):
    """The options of preparing a spell."""

    spell: str = Field(max_length=100)  # its name or id
    # The level of the slot, for a skill that prepares slots; by default the lowest free one.
    slot: int | None = Field(default=None, ge=0, le=6)
    drop: bool = False  # whether it is removed from the list instead, for a skill that prepares a list


class TeachOptions(Document):
    """The options of teaching a spell."""

    target: CharacterId  # who learns or forgets it
    spell: str = Field(max_length=100)  # its name or id
    forget: bool = False  # whether it is forgotten


class BreakOptions(Document):
    """The options of breaking concentration."""

    target: CharacterId


def slot_lines(figure: Stats) -> tuple[str, ...]:
    """Slots by level, their spells, and known spells, as text.

    [RPJ-SMAG-02, RPJ-SMAG-08, RPJ-SMAG-09, RPJ-SMAG-19]
    """
    casting, mages = casting_of(figure), mages_of(figure)
    leader = governing(mages, more_slots(figure))
    lines = [_level_line(casting, level, figure) for level in sorted({slot.level for slot in casting.slots})]
    if leader is not None:
        hour = hourly_recovery(leader.effective)
        lines.append(f"From {leader.name} {leader.base}; an hour restores {counted(hour, 'level')}.")
    known = ", ".join(f"{spell.name} {spell.level}" for spell in known_spells(figure))
    lines.append(f"Known: {known}" if known else "No known spells.")
    if casting.prepared:
        names = (_name(figure, id_) for id_ in casting.prepared)
        lines.append(f"Prepared: {', '.join(names)}")
    return tuple(lines)


def _level_line(casting: Casting, level: int, figure: Stats) -> str:
    slots = [slot for slot in casting.slots if slot.level == level]
    marks = "".join("○" if slot.is_spent else "●" for slot in slots)
    held = [_held(figure, slot) for slot in slots if slot.spell or slot.origin]
    ways = {mage.rules.preparation for mage in mages_of(figure)}
    if (level == 0 or Preparation.SLOT in ways) and len(held) < len(slots):
        held.append(f"{len(slots) - len(held)} empty (fill with /rpj-magic prepare)")
    return f"{level}: {marks}" + (f" · {', '.join(held)}" if held else "")


def _held(figure: Stats, slot: Slot) -> str:
    if slot.spell:
        return _name(figure, slot.spell)
    trait = figure.module.trait(slot.origin)
    return f"innate ({trait.name})" if trait else "innate"


def _name(figure: Stats, id_: str) -> str:
    spell = figure.module.spell(id_)
    return spell.name if spell else id_


@procedure("slots")
def look(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the character's slots and spells."""
    require(scene, Pack.STRUCTURED_MAGIC)
    figure = figure_in(scene, scene.actor)
    return Outcome(scene=scene, headline="looks at their spells", notes=slot_lines(figure), is_public=False)


@procedure("prepare")
def prepare(scene: Scene, options: PrepareOptions, _dice: Dice) -> Outcome:
    """Prepare a spell, in the way its skill prepares.

    Raises:
        UserError: If it cannot be prepared, or there was no time for it.

    [RPJ-SMAG-11, RPJ-SMAG-12, RPJ-SMAG-13, RPJ-SMAG-14, RPJ-SMAG-17]
    """
    require(scene, Pack.STRUCTURED_MAGIC)
    actor = scene.actor
    figure = figure_in(scene, actor)
    spell, casting = spell_named(figure, options.spell), casting_of(figure)
    mage = caster_for(figure, spell)
    if mage.rules.preparation is not Preparation.NONE and not _is_first(casting, spell):
        assert_may_prepare(casting)
    if mage.rules.preparation is Preparation.LIST and spell.level > 0:
        after, text = _listed(figure, casting, spell, mage, drop=options.drop)
    else:
        if options.drop:
            raise _not_dropped(casting, spell)
        place = _place(casting, spell, options.slot, mage)
        after = put_in_slot(casting, place, spell, mage)
        text = f"prepares {spell.name} in a {slot_word(casting.slots[place].level, figure.module.magic.word)}"
    return Outcome(scene=with_casting(scene, actor.id, after), headline=text)


def _is_first(casting: Casting, spell: RpjSpell) -> bool:
    """Whether an empty slot of level 0 is filled for the first time, which takes no time."""
    return spell.level == 0 and any(slot.level == 0 and not slot.spell for slot in casting.slots)


def _not_dropped(casting: Casting, spell: RpjSpell) -> UserError:
    """Why a spell that is on no list can't be taken off one."""
    held = [slot for slot in casting.slots if slot.spell == spell.id]
    if not held:
        return UserError(f"{spell.name} isn't prepared.", try_this="/rpj-magic slots lists what is.")
    if any(slot.is_locked for slot in held):
        return UserError(f"The slot of {spell.name} can't be changed.", "It was filled for good.")
    return UserError(
        f"{spell.name} is in a slot, not on a list.", try_this="Prepare another spell in its place."
    )


def _place(casting: Casting, spell: RpjSpell, level: int | None, mage: Mage) -> int:
    if level is not None and spell.level > level:
        raise UserError(
            f"{spell.name} is level {spell.level} in {mage.name}; it doesn't fit into a {slot_word(level)}.",
            try_this=f"Choose a slot of level {spell.level} or higher.",
        )
    wanted = [
        place
        for place, slot in enumerate(casting.slots)
        if not slot.origin and level in (None, slot.level) and slot.level >= spell.level
    ]
    if not wanted:
        raise UserError(f"You have no {slot_word(spell.level if level is None else level)} for {spell.name}.")
    return min(wanted, key=lambda place: (casting.slots[place].is_locked, bool(casting.slots[place].spell)))


def _listed(
    figure: Stats, casting: Casting, spell: RpjSpell, mage: Mage, *, drop: bool
) -> tuple[Casting, str]:
    own = [
        found
        for found in figure.module.spells
        if found.magic_skill == spell.magic_skill and found.id in casting.prepared
    ]
    others = [id_ for id_ in casting.prepared if id_ not in {found.id for found in own}]
    chosen = [found for found in own if found.id != spell.id] + ([] if drop else [spell])
    size = list_size(mage, *linked_values(figure, mage))
    after = put_on_list(casting, chosen, mage, size, others=others)
    done = "removes {} from the prepared list" if drop else "prepares {}"
    return after, f"{done.format(spell.name)} ({len(chosen)} of {size})"


@procedure("concentrate")
def concentrate(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Start concentrating; each full hour on the game clock restores slots. [RPJ-SMAG-15, RPJ-SMAG-16]

    Raises:
        UserError: If the character is already concentrating.
    """
    require(scene, Pack.STRUCTURED_MAGIC)
    actor = scene.actor
    if is_concentrating(scene, actor.id):
        raise UserError(
            f"{actor.name} is already concentrating.", "The GM can advance the clock with /gm time."
        )
    return Outcome(
        scene=begun(scene, actor.id),
        headline="starts concentrating",
        notes=("Each full hour restores slots; a check, a spell or a fight breaks it.",),
    )


@procedure("break_off", gm_only=True, needs_actor=False)
def break_off(scene: Scene, options: BreakOptions, _dice: Dice) -> Outcome:
    """Break a character's concentration: too much talk, a hit, sleep. [RPJ-SMAG-16]"""
    require(scene, Pack.STRUCTURED_MAGIC)
    who = scene.character(options.target)
    if not is_concentrating(scene, who.id):
        raise UserError(f"{who.name} isn't concentrating.")
    return Outcome(scene=broken(scene, who.id), headline=f"breaks {who.name}'s concentration")


@procedure("teach", gm_only=True, needs_actor=False)
def teach(scene: Scene, options: TeachOptions, _dice: Dice) -> Outcome:
    """Teach a character a spell, or make them forget it. [RPJ-SMAG-10]"""
    require(scene, Pack.STRUCTURED_MAGIC)
    who = scene.character(options.target)
    spell = spell_named(figure_in(scene, who), options.spell)
    casting = who.sheet.casting
    rest = tuple(id_ for id_ in casting.known if id_ != spell.id)
    known = rest if options.forget else (*rest, spell.id)
    sheet = evolve(who.sheet, casting=evolve(casting, known=known))
    scene = scene.with_sheet(who, sheet)
    done = f"makes {who.name} forget {spell.name}" if options.forget else f"teaches {who.name} {spell.name}"
    return Outcome(scene=scene, headline=done)


MOST = 25
GROUP = "at will"


def is_empty(slot: Slot) -> bool:
    """Whether a slot of level 0 is empty."""
    return slot.level == 0 and not slot.spell and not slot.origin


def empty_slots(figure: Stats) -> int:
    """The number of empty slots of level 0; 0 without these rules. [RPJ-SMAG-14]"""
    if not figure.plays(Pack.STRUCTURED_MAGIC):
        return 0
    return sum(is_empty(slot) for slot in casting_of(figure).slots)


def filling(figure: Stats, who: CharacterId) -> tuple[FollowUp, ...]:
    """The menu that fills an empty slot of level 0; empty where there is no choice. [RPJ-SMAG-14]"""
    if not empty_slots(figure):
        return ()
    held = {slot.spell for slot in casting_of(figure).slots if slot.level == 0}
    found = [spell for spell in known_spells(figure) if spell.level == 0 and spell.id not in held]
    if not found:
        return ()
    word = slot_word(0, figure.module.magic.word)
    return (
        FollowUp(
            procedure="prepare",
            options=PrepareOptions(spell=found[0].id, slot=0),
            label=f"Prepare in the {word} …",
            character=who,
            choices=_choices(figure, found),
            chosen="spell",
            group=GROUP,
        ),
    )


def _choices(figure: Stats, found: Sequence[RpjSpell]) -> tuple[Choice, ...]:
    """The spells to choose from, with whether they can be changed later."""
    return tuple(
        Choice(spell.id, spell.name, "permanent" if _stays(figure, spell) else "until you prepare again")
        for spell in found[:MOST]
    )


def _stays(figure: Stats, spell: RpjSpell) -> bool:
    return caster_for(figure, spell).rules.preparation is Preparation.NONE


def higher_slot(figure: Stats, spell: RpjSpell, level: int | None) -> Slot | None:
    """The higher slot a spell of level 0 would use up without being asked to, or None.

    [RPJ-SMAG-04 (SMAG-04a)]
    """
    if spell.level > 0 or level is not None:
        return None
    casting = casting_of(figure)
    places = [place for place, _mage in ways_to_cast(figure, casting, spell)]
    slot = casting.slots[places[0]] if places else None
    return None if slot is None or slot.level == 0 or slot.spell == spell.id or slot.origin else slot


def question(scene: Scene, options: RpjCastOptions) -> Outcome | None:
    """The question before a spell of level 0 uses up a higher slot, or None.

    [RPJ-SMAG-04 (SMAG-04a), RPJ-SMAG-14]
    """
    figure = figure_in(scene, scene.actor)
    spell = spell_named(figure, options.spell)
    slot = higher_slot(figure, spell, options.slot)
    if slot is None:
        return None
    word = figure.module.magic.word
    is_room = empty_slots(figure) > 0
    fill = FollowUp(
        procedure="prepare",
        options=PrepareOptions(spell=spell.id, slot=0),
        label=label_with(spell.name, f" in the {slot_word(0, word)}", before="Prepare "),
        character=scene.actor.id,
        group=GROUP,
    )
    cast = FollowUp(
        procedure="cast",
        options=evolve(options, slot=slot.level),
        label=f"Cast with a {slot_word(slot.level, word)}",
        character=scene.actor.id,
        group=GROUP,
    )
    stays = " permanently" if _stays(figure, spell) else ""
    notes = (
        f"It is in no {slot_word(0, word)}, so it would use up a {slot_word(slot.level, word)}.",
        f"The empty {slot_word(0, word)} can hold it{stays}; then it is free." if is_room else "",
    )
    return Outcome(
        scene=scene,
        headline=f"wants to cast {spell.name}",
        notes=tuple(note for note in notes if note),
        follow_ups=(fill, cast) if is_room else (cast,),
    )


class SpellOptions(Document):
    """The options of a custom spell."""

    name: str = Field(min_length=1, max_length=60)
    level: SpellLevel  # from 0 to 6
    skill: str = Field(default="", max_length=60)  # its magic skill; by default the first
    about: str = Field(default="", max_length=300)  # what it does
    attack: bool = False  # whether it needs an attack roll
    save: RpjAttribute | None = None  # the roll to resist it
    damage: int | None = Field(default=None, ge=-5, le=20)
    nonlethal: bool = False  # whether its damage knocks out instead of killing
    # Its range in regions; by default the caster's group.
    range: int | None = Field(default=None, ge=0, le=20)
    actions: int = Field(default=1, ge=0, le=6)  # actions it takes in a fight
    minutes: int = Field(default=0, ge=0, le=10_000)  # casting time in minutes instead


def _magic_skill(module: Module, typed: str) -> RpjSkill:
    """The magic skill the GM typed, or the first one."""
    found = [skill for rules in module.magic.skills if (skill := module.skill(rules.skill)) is not None]
    wanted = " ".join(typed.split()).casefold()
    for skill in found:
        if wanted in ("", skill.name.casefold(), skill.id):
            return skill
    names = ", ".join(skill.name for skill in found)
    raise UserError(
        f"This campaign has no magic skill{f' “{typed}”' if wanted else ''}.",
        f"Its magic skills: {names}." if names else "A module defines them; see /gm module.",
    )


def invented(module: Module, options: SpellOptions) -> RpjSpell:
    """The custom spell of these options. [RPJ-SMAG-01, RPJ-SMAG-03, RPJ-SMAG-06, RPJ-SMAG-07]

    Raises:
        UserError: If its name is empty, or the module has no such magic skill.
    """
    far = options.range
    return RpjSpell(
        id=own_id(options.name),
        name=" ".join(options.name.split()),
        description=options.about.strip(),
        level=options.level,
        magic_skill=_magic_skill(module, options.skill).id,
        actions=options.actions,
        minutes=options.minutes,
        reach="your group" if far is None else counted(far, "region"),
        greatest_range=far,
        is_attack=options.attack,
        save=None if options.save is None else SpellSave(attribute=options.save),
        damage=options.damage,
        is_nonlethal=options.nonlethal,
    )


@procedure("add_spell", gm_only=True, needs_actor=False)
def add_spell(scene: Scene, options: SpellOptions, _dice: Dice) -> Outcome:
    """Add a spell to the campaign; casters whose skill knows all its spells know it at once.

    Raises:
        UserError: If it cannot be added.

    [RPJ-SMAG-01, RPJ-SMAG-10]
    """
    require(scene, Pack.STRUCTURED_MAGIC)
    settings = scene.settings
    module = module_in(settings)
    spell = invented(module, options)
    skill = module.skill(spell.magic_skill)
    words = f"level {spell.level} {module.magic.word}"
    rules = module.magic.of(spell.magic_skill)
    knows = "Everyone with a high enough skill knows it." if rules and rules.knows_all else ""
    teach = "" if knows else "Teach it with /rpj-gm magic teach."
    return Outcome(
        scene=replace(scene, settings=settings.with_own(spell)),
        headline=f"adds {spell.name} ({words}{f', {skill.name}' if skill else ''})",
        notes=(knows or teach,),
    )
