"""GM commands that set Star, the load, ranks and attributes."""

from collections.abc import Iterator

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import shown_number
from bot.rules.sword_and_swarm.character.changing import state_notes, with_changed_sheet
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.character.sheet import (
    LOWEST_STAR,
    Outcome,
    Scene,
    SwarmSheet,
    base_of,
    star_left,
)
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST, SwarmAttribute
from bot.rules.sword_and_swarm.resolution.proficiency_tests import MOST_RANKS

MOST_AT_ONCE = 20


class StarOptions(Document):
    """How much Star a character loses (below 0) or regains."""

    target: CharacterId
    change: int = Field(ge=-MOST_AT_ONCE, le=MOST_AT_ONCE)


class LoadOptions(Document):
    """How much a character's load reduces Boots."""

    target: CharacterId
    reduction: int = Field(ge=0, le=HIGHEST)


class SwarmRankOptions(Document):
    """A character's new ranks in a proficiency; 0 removes it from the sheet."""

    target: CharacterId
    proficiency: str = Field(max_length=100)
    ranks: int = Field(ge=0, le=MOST_RANKS)


class AttributesOptions(Document):
    """A character's new attributes before increases; those left out do not change.

    `star` is the maximum of Star.
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
    """Take Star from a character, or give it back up to the maximum.

    Source: SWARM-ATTR-09 (SWARM-R26), SWARM-ATTR-10, SWARM-ATTR-11.
    """
    if options.change == 0:
        raise UserError("Give a change other than 0.")
    target = scene.character(options.target)
    sheet, settings = target.sheet, scene.settings
    before, most = star_left(sheet, settings), base_of(sheet, SwarmAttribute.STAR, settings)
    after = max(before + options.change, LOWEST_STAR)
    if options.change > 0:
        after = max(before, min(after, most))
    if after == before:
        limit = f"full Star ({most})" if options.change > 0 else "the lowest Star there can be"
        raise UserError(f"{target.name} already has {limit}.")
    changed = evolve(sheet, star=after)
    is_capped = options.change > 0 and after != before + options.change
    amount = f"{abs(after - before)} Star"
    return Outcome(
        scene=scene.with_sheet(target, changed),
        headline=(
            f"takes {amount} from {target.name}"
            if options.change < 0
            else f"gives {target.name} {amount} back"
        ),
        notes=(
            *((f"Star {shown_number(before)} → {shown_number(after)} of {most}",) if target.owner else ()),
            *((f"{target.name} can't have more than {most}.",) if is_capped else ()),
            *state_notes(target, changed, settings),
        ),
    )


declare("star", StarOptions, change_star, gm_only=True, needs_actor=False)


def set_load(scene: Scene, options: LoadOptions, _dice: Dice) -> Outcome:
    """Set how much a character's load reduces Boots.

    Source: SWARM-ATTR-13 (SWARM-R28).
    """
    target = scene.character(options.target)
    changed = evolve(target.sheet, encumbrance=options.reduction)
    scene, notes = with_changed_sheet(scene, target, changed)
    return Outcome(
        scene=scene,
        headline=f"sets {target.name}'s load to {options.reduction}",
        notes=notes,
    )


declare("load", LoadOptions, set_load, gm_only=True, needs_actor=False)


def set_ranks(scene: Scene, options: SwarmRankOptions, _dice: Dice) -> Outcome:
    """Set a character's ranks in a proficiency.

    Source: SWARM-PROF-09.
    """
    target = scene.character(options.target)
    settings, sheet = scene.settings, target.sheet
    found = settings.find_proficiency(options.proficiency)
    had = sheet.ranks_in(options.proficiency)
    if found is None and not had:
        known = ", ".join(one.name for one in settings.all_proficiencies)
        raise UserError(
            f"There is no proficiency “{options.proficiency}” in this campaign.",
            f"Choose from: {known}.",
            "Add it with /swarm-gm list proficiency.",
        )
    name = found.name if found else options.proficiency
    changed = sheet.with_ranks(name, options.ranks)
    return Outcome(
        scene=scene.with_sheet(target, changed),
        headline=f"sets {target.name}'s ranks in {name}",
        notes=(f"{name} {had} → {options.ranks}",),
    )


declare("ranks", SwarmRankOptions, set_ranks, gm_only=True, needs_actor=False)


def set_attributes(scene: Scene, options: AttributesOptions, _dice: Dice) -> Outcome:
    """Set the attributes of an NPC, or of a player character after a new level.

    Source: SWARM-ATTR-02, SWARM-CHAR-02 (SWARM-R29).
    """
    given = dict(options.given())
    if not given:
        raise UserError("Give at least one attribute.")
    target = scene.character(options.target)
    sheet = with_base(target.sheet, given, scene.settings)
    scene, notes = with_changed_sheet(scene, target, sheet)
    values = ", ".join(f"{attribute} {value}" for attribute, value in given.items())
    return Outcome(scene=scene, headline=f"sets {target.name}'s attributes: {values}", notes=notes)


declare("attributes", AttributesOptions, set_attributes, gm_only=True, needs_actor=False)


def with_base(sheet: SwarmSheet, given: dict[SwarmAttribute, int], settings: SwarmSettings) -> SwarmSheet:
    """Return the sheet with some attributes set; the current Star is limited to its new maximum."""
    changed = evolve(sheet, base={**sheet.base, **given})
    if changed.star is None:
        return changed
    most = base_of(changed, SwarmAttribute.STAR, settings)
    return evolve(changed, star=min(changed.star, most))
