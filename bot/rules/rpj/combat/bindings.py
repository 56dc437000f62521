"""What a module must say before it can fight, and what it leaves out."""

from collections.abc import Iterator

from bot.rules.rpj.module import Module, SkillRole

LEAST_DAMAGE, MOST_DAMAGE = 0, 4
LEAST_SAVE, MOST_SAVE = 4, 7


def missing(module: Module) -> tuple[str, ...]:
    """What a module lacks to fight by: weapon skills, defence skills, equipment.

    Source: RPJ-GCS-63.
    """
    return tuple(_missing(module))


def _missing(module: Module) -> Iterator[str]:
    if not module.weapons:
        yield "There are no weapons."
    if not module.skills_for(SkillRole.ATTACK):
        yield "No skill is for attacks."
    if not (module.skills_for(SkillRole.DODGE) or module.skills_for(SkillRole.ABSORB)):
        yield "No skill is for dodging or absorbing."


def left_out(module: Module) -> tuple[str, ...]:
    """What a module does without, and what that means.

    Source: RPJ-GCS-63, RPJ-GCS-15, RPJ-GCS-37, RPJ-GCS-53, RPJ-GCS-57.
    """
    meanings = {
        SkillRole.INITIATIVE: "No initiative skill: the Dexterity level is rolled.",
        SkillRole.GRAPPLE: "No grappling skill: the Strength bonus is rolled.",
        SkillRole.UNARMED: "No skill for unarmed combat: nobody strikes with bare hands.",
        SkillRole.MEDICAL: "No medical skill: no helping hands, no medical attention.",
    }
    return tuple(words for role, words in meanings.items() if not module.skills_for(role))


def unusual(module: Module) -> tuple[str, ...]:
    """Weapons and armour outside what the system is made for.

    Source: RPJ-GCS-64.
    """
    weapons = (
        f"{weapon.name}: damage is usually {LEAST_DAMAGE} to {MOST_DAMAGE}, not {weapon.damage}."
        for weapon in module.weapons
        if not LEAST_DAMAGE <= weapon.damage <= MOST_DAMAGE
    )
    armor = (
        f"{armor.name}: saves are usually {LEAST_SAVE}+ to {MOST_SAVE}+, not {save}+."
        for armor in module.armor
        for save in sorted(set(armor.saves))
        if not LEAST_SAVE <= save <= MOST_SAVE
    )
    return (*weapons, *armor)
