"""What a module needs for fights, what it leaves out, and unusual values in it."""

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.module import Module, SkillRole

LEAST_DAMAGE, MOST_DAMAGE = 0, 4
LEAST_SAVE, MOST_SAVE = 4, 7


def lacking(module: Module) -> tuple[str, ...]:
    """What a module lacks for fights; weapons imply their skills.

    Source: RPJ-GCS-63.
    """
    has_defense = module.skills_for(SkillRole.DODGE) or module.skills_for(SkillRole.ABSORB)
    return (
        *(() if module.weapons else ("weapons",)),
        *(() if has_defense else ("a skill for dodging or absorbing",)),
    )


def assert_can_fight(module: Module) -> None:
    """Refuse a fight in a module that lacks what fights need.

    Raises:
        UserError: If it lacks weapons or a skill to defend with; it says which.

    Source: RPJ-GCS-63.
    """
    if lacks := lacking(module):
        raise UserError(
            f"{module.name} can't be used for fights: no {' and no '.join(_bare(one) for one in lacks)}.",
            try_this="The GM can add it: /gm module export, then /gm module import.",
        )


def _bare(thing: str) -> str:
    return thing.removeprefix("a ")


def fight_hints(module: Module) -> tuple[str, ...]:
    """Hints for a module's author about its fights.

    Source: RPJ-GCS-63, RPJ-GCS-64.
    """
    lacks = (f"No {_bare(thing)}: fights can't be started." for thing in lacking(module))
    return (*lacks, *_left_out(module), *_unusual(module))


def _left_out(module: Module) -> tuple[str, ...]:
    """What a module leaves out, and what that means.

    Source: RPJ-GCS-63, RPJ-GCS-15, RPJ-GCS-37, RPJ-GCS-53, RPJ-GCS-57.
    """
    meanings = {
        SkillRole.INITIATIVE: "No initiative skill: the Dexterity level is rolled.",
        SkillRole.GRAPPLE: "No grappling skill: the Strength bonus is rolled.",
        SkillRole.UNARMED: "No skill for unarmed combat: nobody can attack unarmed.",
        SkillRole.MEDICAL: "No medical skill: no helping hands, no medical attention.",
    }
    return tuple(words for role, words in meanings.items() if not module.skills_for(role))


def _unusual(module: Module) -> tuple[str, ...]:
    """Weapons and armor with unusual values.

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
