"""A campaign's settings, and the module with these settings applied."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field

from bot.rules.kernel import OWN_MODULE, PACKS, Document, Scene, Together, evolve, typed_list
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import listed
from bot.rules.kernel.parsing import split_at_commas
from bot.rules.rpj.module.basics import DATA
from bot.rules.rpj.module.effects import GrantsManeuver
from bot.rules.rpj.module.module import ADDS, GenerationMethod, Module, Pack, PackSettings, RpjTrait, unset
from bot.rules.rpj.module.module_files import GENERIC, MODULES
from bot.rules.rpj.module.spells import RpjSpell
from bot.rules.rpj.resolution.check_inputs import CriticalMode, Policy


class Shipped(StrEnum):
    """The modules that come with the bot."""

    GENERIC = "generic"
    FANTASY = "fantasy"
    SCIENCE_FICTION = "science_fiction"


class SkillApproval(StrEnum):
    """Whether skills are raised at once, or after the GM's approval. [RPJ-CHAR-16]"""

    AUTO = "auto"
    ASK = "ask"


MOST_SPELLS, MOST_TRAITS = 100, 50  # of a campaign's own
Number = Annotated[int | None, BeforeValidator(unset)]


@DATA.worded
class RpjSettings(PackSettings):
    """A campaign's settings; what is not set follows the module."""

    module: Shipped | Literal["own"] = Shipped.GENERIC
    criticals: Annotated[CriticalMode | None, BeforeValidator(unset)] = None
    confirm_fail_max: Number = Field(default=None, ge=1, le=6)
    confirm_success_min: Number = Field(default=None, ge=1, le=6)
    check_success: Annotated[Policy | None, BeforeValidator(unset)] = None
    check_failure: Annotated[Literal[Policy.ASK, Policy.ALWAYS] | None, BeforeValidator(unset)] = None
    combat_criticals: Annotated[Literal[Policy.ASK, Policy.ALWAYS] | None, BeforeValidator(unset)] = None
    start_points: Number = Field(default=None, ge=0, le=1000)
    methods: Annotated[tuple[GenerationMethod, ...], BeforeValidator(split_at_commas)] = ()
    most_refund: Number = Field(default=None, ge=0, le=1000)
    approve_characters: bool = False
    defense_seconds: int = Field(default=60, ge=0, le=3600)
    skill_approval: SkillApproval = SkillApproval.AUTO
    blocked_skills: Annotated[tuple[str, ...], BeforeValidator(split_at_commas)] = Field(
        default=(),
        max_length=200,
        title="Blocked skills",
        description="Skills that can't be learned for now.",
    )
    traits: Annotated[tuple[RpjTrait, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=MOST_TRAITS, description="The campaign's own traits; /rpj-gm trait adds one."
    )

    spells: Annotated[tuple[RpjSpell, ...], BeforeValidator(typed_list)] = Field(
        default=(),
        max_length=MOST_SPELLS,
        description="The campaign's own spells; /rpj-gm magic spell adds one.",
    )

    def left_open(self) -> Mapping[str, str]:
        """The effective value of each setting left to the module, by its key. [RPJ-GM-06]"""
        module = stated_module(self)
        on = packs_on(self, module)
        refund = module.characters.most_refund
        switches = {pack.value: "on" if pack in on else "off" for pack in Pack}
        stated = {
            **switches,
            "maneuvers": "on" if module.combat.maneuvers.are_on else "off",
            "criticals": module.criticals.mode.value,
            "confirm_fail_max": str(module.criticals.confirm_fail_max),
            "confirm_success_min": str(module.criticals.confirm_success_min),
            "check_success": module.criticals.check_success.value,
            "check_failure": module.criticals.check_failure.value,
            "combat_criticals": module.criticals.combat.value,
            "start_points": str(module.characters.start),
            "methods": ", ".join(module.attributes.methods),
            "most_refund": "no limit" if refund is None else str(refund),
        }
        return {key: value for key, value in stated.items() if getattr(self, key) in (None, ())}

    def together(self) -> tuple[Together, ...]:
        """The setting for all optional rules at once. [RPJ-GM-06]"""
        module = stated_module(self)
        adds = "; ".join(f"{pack.value}: {ADDS[pack]}" for pack in Pack)
        return (
            Together(
                key=PACKS,
                description=f"The optional rules in use, separated by commas. {adds}.",
                value=listed(packs_on(self, module)),
                default=listed(packs_on(RpjSettings(), module)),
            ),
        )

    def with_own(self, entry: RpjSpell | RpjTrait) -> Self:
        """The settings with one more spell or trait of the campaign.

        Raises:
            UserError: If there are too many, or the campaign has one with this name.
        """
        module = module_in(self)
        if isinstance(entry, RpjSpell):
            field, most, noun = "spells", MOST_SPELLS, module.magic.word
            is_taken = module.spell(entry.id) is not None
        else:
            field, most, noun = "traits", MOST_TRAITS, "trait"
            is_taken = module.trait(entry.id) is not None
        own: tuple[RpjSpell | RpjTrait, ...] = getattr(self, field)
        if len(own) >= most:
            raise UserError(f"A campaign can have {most} {field} of its own.", "Put more into a module.")
        if is_taken:
            raise UserError(
                f"This campaign already has a {noun} called {entry.name}.", "Choose another name."
            )
        return self.carrying(evolve(self, **{field: (*own, entry)}))

    def carrying(self, changed: Self) -> Self:
        """Changed settings with the module imported before."""
        return changed if self.module_carried is None else changed.with_module(self.module_carried)


def _changed(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None and value != ()}


def stated_module(settings: RpjSettings) -> Module:
    """The campaign's module as written; the generic one where it has none of its own."""
    if settings.module != OWN_MODULE:
        return MODULES[settings.module]
    return settings.module_carried if isinstance(settings.module_carried, Module) else GENERIC


def own_spells(settings: RpjSettings, module: Module) -> tuple[RpjSpell, ...]:
    """The spells the GM has added, as far as the module has their skills. [RPJ-SMAG-01, RPJ-GM-06]"""
    added = (spell for spell in settings.spells if module.spell(spell.id) is None)
    return tuple(spell for spell in added if module.magic.of(spell.magic_skill) is not None)


def packs_on(settings: RpjSettings, module: Module) -> tuple[Pack, ...]:
    """The optional rules that are on, by the campaign's settings or else its module. [RPJ-GM-06]"""
    said = settings.switches().items()
    return tuple(pack for pack, on in said if (pack in module.optional_rules if on is None else on))


def teaches_maneuver(trait: RpjTrait) -> bool:
    """Whether a trait teaches a maneuver. [RPJ-MNV-01 (R-124)]"""
    return any(isinstance(effect, GrantsManeuver) for effect in trait.effects)


def _maneuvers(module: Module, settings: RpjSettings) -> dict[str, object]:
    """The change of the combat rules where the campaign switches maneuvers. [RPJ-MNV-01, RPJ-GM-06]"""
    stated = module.combat.maneuvers
    if settings.maneuvers is None or settings.maneuvers is stated.are_on:
        return {}
    return {"maneuvers": evolve(stated, are_on=settings.maneuvers)}


@lru_cache(maxsize=64)
def module_in(settings: RpjSettings) -> Module:
    """The campaign's module with the campaign's settings applied.

    Its optional rules are those that are on, and traits and skills that need others are not in it, nor those
    that teach maneuvers where there are none.

    [RPJ-GM-06, RPJ-DICE-03 to RPJ-DICE-05, RPJ-ATTR-08, RPJ-CHAR-04, RPJ-CHAR-13 (R-067), RPJ-MNV-01]
    """
    module = stated_module(settings)
    parts: dict[str, tuple[Document, dict[str, object]]] = {
        "criticals": (
            module.criticals,
            _changed(
                {
                    "mode": settings.criticals,
                    "confirm_fail_max": settings.confirm_fail_max,
                    "confirm_success_min": settings.confirm_success_min,
                    "check_success": settings.check_success,
                    "check_failure": settings.check_failure,
                    "combat": settings.combat_criticals,
                }
            ),
        ),
        "attributes": (module.attributes, _changed({"methods": settings.methods})),
        "combat": (module.combat, _maneuvers(module, settings)),
        "characters": (
            module.characters,
            _changed({"start": settings.start_points, "most_refund": settings.most_refund}),
        ),
    }
    update: dict[str, object] = {
        name: evolve(part, **fields) for name, (part, fields) in parts.items() if fields
    }
    packs = packs_on(settings, module)
    if set(packs) != set(module.optional_rules):
        update["optional_rules"] = packs
    maneuvers = module.combat.maneuvers.are_on if settings.maneuvers is None else settings.maneuvers
    traits = tuple(trait for trait in module.traits if not trait.needs or set(trait.needs) & set(packs))
    traits = tuple(trait for trait in traits if maneuvers or not teaches_maneuver(trait))
    traits += tuple(trait for trait in settings.traits if module.trait(trait.id) is None)
    if traits != module.traits:
        update["traits"] = traits
    if spells := own_spells(settings, module):
        update["spells"] = (*module.spells, *spells)
    skills = tuple(skill for skill in module.skills if not skill.needs or set(skill.needs) & set(packs))
    if skills != module.skills:
        update["skills"] = skills
    return evolve(module, **update) if update else module


class PackIsOff(UserError):
    """An optional rule is off in the campaign.

    Args:
        pack: The rule.
    """

    def __init__(self, pack: Pack) -> None:
        super().__init__(
            f"This campaign doesn't use {pack.in_words}.",
            try_this=f"The GM can switch it on: /campaign settings setting:{pack} value:yes",
        )
        self.pack = pack


def is_on(settings: RpjSettings, pack: Pack) -> bool:
    """Whether an optional rule is on, by the campaign's setting or else its module. [RPJ-GM-06]"""
    said = settings.switch(pack)
    return pack in stated_module(settings).optional_rules if said is None else said


def require(scene: Scene[Document, RpjSettings], pack: Pack) -> None:
    """Refuse to go on if an optional rule is off. [RPJ-GM-06]

    Raises:
        PackIsOff: If it is off; it says how the GM can switch it on.
    """
    if not is_on(scene.settings, pack):
        raise PackIsOff(pack)
