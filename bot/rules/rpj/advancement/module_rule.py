"""A campaign's module: shipped, or imported from a file."""

from types import MappingProxyType

from bot.rules.kernel import OWN_MODULE, ModuleRule, evolve
from bot.rules.kernel.wording import counted
from bot.rules.rpj.combat.rules.bindings import fight_hints
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_checks import fits, module_hints
from bot.rules.rpj.module.module_files import MODULE_FORM
from bot.rules.rpj.module.optional_rules import Pack
from bot.rules.rpj.module.settings import RpjSettings, Shipped, own_spells, packs_on, stated_module
from bot.rules.rpj.module.shipped import MODULES


def _with_own(settings: RpjSettings) -> Module:
    """The campaign's module with the GM's own traits and spells.

    Those that refer to another module are left out until that one is played again.

    Source: RPJ-GM-06, RPJ-TRAIT-01, RPJ-SMAG-01.
    """
    module = stated_module(settings)
    for trait in settings.traits:
        if module.trait(trait.id) is None and fits(trait, module):
            module = evolve(module, traits=(*module.traits, trait))
    added = own_spells(settings, module)
    return evolve(module, spells=(*module.spells, *added)) if added else module


def _choosing(settings: RpjSettings, key: str) -> RpjSettings:
    return evolve(settings, module=OWN_MODULE if key == OWN_MODULE else Shipped(key))


def _summary(module: Module) -> tuple[str, ...]:
    """A short summary of a module.

    Source: RPJ-GM-06.
    """
    other = len(module.armor) + len(module.gear)
    magic = module.magic.word
    counts = (
        (len(module.skills), "skill", "skills"),
        (len(module.classes), "class", "classes"),
        (len(module.traits), "trait", "traits"),
        (len(module.weapons), "weapon", "weapons"),
        (other, "piece of armor and gear", "pieces of armor and gear"),
        (len(module.spells), magic, f"{magic[:-1]}ies" if magic.endswith("y") else f"{magic}s"),
        (len(module.tables), "table", "tables"),
        (len(module.rules), "house rule", "house rules"),
    )
    packs = ", ".join(pack.in_words for pack in module.optional_rules) or "none"
    return (
        " · ".join(counted(*count) for count in counts if count[0]) or "The module is empty",
        f"Optional rules of the module: {packs}",
        *_crossing(module),
        *((module.credits,) if module.credits else ()),
    )


def _standing(settings: RpjSettings) -> tuple[str, ...]:
    """The optional rules that are on, and those that can be switched on.

    Source: RPJ-GM-06.
    """
    on = packs_on(settings, stated_module(settings))
    names = ", ".join(pack.in_words for pack in on) or "none"
    off = ", ".join(pack.in_words for pack in Pack if pack not in on) or "none"
    return (
        f"Optional rules on: {names}",
        f"Off: {off}",
        "/campaign settings setting:packs explains and sets them.",
    )


def _crossing(module: Module) -> tuple[str, ...]:
    """What damage scales add to other optional rules that are on.

    Source: RPJ-SCALE-10.
    """
    crossing = {
        Pack.FIRE_AND_MOVEMENT: "mega and giga damage ignores cover, and cover can be destroyed",
        Pack.CINEMATIC_COMBAT: "mega and giga saves for legendary foes",
    }
    on = [words for pack, words in crossing.items() if pack in module.optional_rules]
    if Pack.DAMAGE_SCALES not in module.optional_rules or not on:
        return ()
    return (f"With damage scales: {'; '.join(on)}",)


MODULE_RULE: ModuleRule[Module, RpjSettings] = ModuleRule(
    form=MODULE_FORM,
    title=lambda module: module.name,
    carried=_with_own,
    carrying=lambda settings, module: settings.with_module(module),
    shipped=MappingProxyType({key: module.name for key, module in MODULES.items()}),
    choosing=_choosing,
    summary=_summary,
    standing=_standing,
    hints=lambda module: (*module_hints(module), *fight_hints(module)),
)
