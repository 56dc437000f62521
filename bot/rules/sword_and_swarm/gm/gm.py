"""What the GM alone sets: Star, the load, ranks, attributes."""

from collections.abc import Iterator

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Outcome, Scene, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.sword_and_swarm.character.changing import state_notes, with_changed_sheet
from bot.rules.sword_and_swarm.character.settings import SwarmSettings, settings_of
from bot.rules.sword_and_swarm.character.sheet import (
    LOWEST_STAR,
    SwarmSheet,
    base_of,
    sheet_of,
    star_left,
    with_sheet,
)
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST, SwarmAttribute, written
from bot.rules.sword_and_swarm.resolution.proficiency_tests import MOST_RANKS

MOST_AT_ONCE = 20


class StarOptions(Document):
    """How much Star somebody loses (below 0) or gains."""

    target: CharacterId
    change: int = Field(ge=-MOST_AT_ONCE, le=MOST_AT_ONCE)


class LoadOptions(Document):
    """How much somebody's load takes off Boots."""

    target: CharacterId
    reduction: int = Field(ge=0, le=HIGHEST)


class SwarmRankOptions(Document):
    """How many ranks somebody has in a proficiency; 0 takes it off the sheet."""

    target: CharacterId
    proficiency: str = Field(max_length=100)
    ranks: int = Field(ge=0, le=MOST_RANKS)


class AttributesOptions(Document):
    """The attributes of somebody before anything raises them; those left out stay.

    `star` is the most Star there can be.
    """

    target: CharacterId
    mallet: int | None = Field(default=None, ge=0, le=HIGHEST)
    key: int | None = Field(default=None, ge=0, le=HIGHEST)
    runes: int | None = Field(default=None, ge=0, le=HIGHEST)
    coronet: int | None = Field(default=None, ge=0, le=HIGHEST)
    star: int | None = Field(default=None, ge=0, le=HIGHEST)
    shield: int | None = Field(default=None, ge=0, le=HIGHEST)
    boots: int | None = Field(default=None, ge=0, le=HIGHEST)

    def given(self) -> Iterator[tuple[SwarmAttribute, int]]:
        """The attributes that are set."""
        for attribute in SwarmAttribute:
            value: int | None = getattr(self, attribute.lower())
            if value is not None:
                yield attribute, value


def change_star(scene: Scene, options: StarOptions, _dice: Dice) -> Outcome:
    """Take Star from somebody, or give it back, up to the most they can have.

    Source: SWARM-ATTR-09 (SWARM-R26), SWARM-ATTR-10, SWARM-ATTR-11.
    """
    if options.change == 0:
        raise UserError("A change of 0 changes nothing.")
    target = scene.character(options.target)
    sheet, settings = sheet_of(target), settings_of(scene)
    before, most = star_left(sheet, settings), base_of(sheet, SwarmAttribute.STAR, settings)
    after = max(before + options.change, LOWEST_STAR)
    if options.change > 0:
        after = max(before, min(after, most))
    if after == before:
        limit = f"all of the {most} Star" if options.change > 0 else "as little Star as there can be"
        raise UserError(f"{target.name} has {limit} already.")
    changed = sheet.model_copy(update={"star": after})
    is_clipped = after != before + options.change
    word = "loses" if options.change < 0 else "regains"
    return Outcome(
        scene=scene.with_character(with_sheet(target, changed)),
        headline=f"says that {target.name} {word} {abs(after - before)} Star",
        notes=(
            f"Star {written(before)} → {written(after)} of {most}",
            *((f"{most} is the most that {target.name} can have.",) if is_clipped else ()),
            *state_notes(target, changed, settings),
        ),
    )


declare("star", StarOptions, change_star, gm_only=True, needs_actor=False)


def set_load(scene: Scene, options: LoadOptions, _dice: Dice) -> Outcome:
    """Say how much somebody's load takes off Boots.

    Source: SWARM-ATTR-13 (SWARM-R28).
    """
    target = scene.character(options.target)
    changed = sheet_of(target).model_copy(update={"encumbrance": options.reduction})
    scene, notes = with_changed_sheet(scene, target, changed)
    return Outcome(
        scene=scene,
        headline=f"says that {target.name}’s load takes {options.reduction} off Boots",
        notes=notes,
    )


declare("load", LoadOptions, set_load, gm_only=True, needs_actor=False)


def set_ranks(scene: Scene, options: SwarmRankOptions, _dice: Dice) -> Outcome:
    """Set somebody's ranks in a proficiency.

    Source: SWARM-PROF-09.
    """
    target = scene.character(options.target)
    settings, sheet = settings_of(scene), sheet_of(target)
    found = settings.find_proficiency(options.proficiency)
    had = sheet.ranks_in(options.proficiency)
    if found is None and not had:
        known = ", ".join(one.name for one in settings.all_proficiencies)
        raise UserError(
            f"There is no proficiency {options.proficiency!r} in this campaign.",
            f"There is {known}.",
            "Add one with /swarm list proficiency.",
        )
    name = found.name if found else options.proficiency
    changed = sheet.with_ranks(name, options.ranks)
    return Outcome(
        scene=scene.with_character(with_sheet(target, changed)),
        headline=f"sets {target.name}’s ranks in {name}",
        notes=(f"{name} {had} → {options.ranks}",),
    )


declare("ranks", SwarmRankOptions, set_ranks, gm_only=True, needs_actor=False)


def set_attributes(scene: Scene, options: AttributesOptions, _dice: Dice) -> Outcome:
    """Set the attributes of somebody: one of the GM's characters, or a player's that has advanced.

    Source: SWARM-ATTR-02, SWARM-CHAR-02 (SWARM-R29).
    """
    given = dict(options.given())
    if not given:
        raise UserError("No attribute is given.", try_this="Give at least one of the seven.")
    target = scene.character(options.target)
    sheet = with_base(sheet_of(target), given, settings_of(scene))
    scene, notes = with_changed_sheet(scene, target, sheet)
    said = ", ".join(f"{attribute} {value}" for attribute, value in given.items())
    return Outcome(scene=scene, headline=f"sets {target.name}’s attributes: {said}", notes=notes)


declare("attributes", AttributesOptions, set_attributes, gm_only=True, needs_actor=False)


def with_base(sheet: SwarmSheet, given: dict[SwarmAttribute, int], settings: SwarmSettings) -> SwarmSheet:
    """The same sheet with some attributes set; what is left of Star is not more than its new most."""
    changed = sheet.model_copy(update={"base": {**sheet.base, **given}})
    if changed.star is None:
        return changed
    most = base_of(changed, SwarmAttribute.STAR, settings)
    return changed.model_copy(update={"star": min(changed.star, most)})
