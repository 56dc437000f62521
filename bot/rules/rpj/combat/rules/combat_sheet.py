"""The fighting section of a sheet: actions, defenses, and each weapon's attack modifier."""

from contextlib import suppress

from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import shown_number, signed
from bot.rules.rpj.character.carrying import is_defenseless
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.combat.rules.arms import Arm, arm_of, each_once, unarmed
from bot.rules.rpj.combat.rules.carried_ammunition import ammunition_line
from bot.rules.rpj.combat.rules.defenses import defenses
from bot.rules.rpj.combat.rules.shooting import defense_line
from bot.rules.rpj.combat.state.battlefield import shown_distance
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.combat_rules import actions_of
from bot.rules.rpj.module.optional_rules import Pack


def actions(figure: Stats) -> int:
    """The actions per turn.

    Source: RPJ-GCS-09.
    """
    return actions_of(figure.level(RpjAttribute.DEX), figure.module.combat)


def combat_lines(figure: Stats) -> tuple[str, ...]:
    """Actions and defenses, then a line for each weapon; empty where the module has none.

    Source: RPJ-CHAR-01, RPJ-GCS-09, RPJ-GCS-23 to RPJ-GCS-27, RPJ-INV-04 (INV-04b).
    """
    arms = _arms(figure)
    if not arms:
        return ()
    is_scaled = figure.plays(Pack.DAMAGE_SCALES)
    met = " · ".join(f"{defense.way} {defense.value}+" for defense in defenses(figure))
    if figure.plays(Pack.FIRE_AND_MOVEMENT):
        met = f"{met} · {defense_line(figure)}"
    if is_defenseless(figure):
        met = "overloaded: every attack hits without a roll"
    return (
        f"{actions(figure)} actions per turn · {met}",
        *(_arm_line(figure, arm, is_scaled=is_scaled) for arm in arms),
    )


def _arms(figure: Stats) -> list[Arm]:
    """Carried weapons and bare hands, without those that need training."""
    found: list[Arm] = []
    for weapon in figure.module.weapons:
        if weapon.id in figure.sheet.belongings:
            with suppress(UserError):
                found.append(arm_of(figure, weapon))
    with suppress(UserError):  # the module may have no skill for bare hands
        found.append(unarmed(figure))
    return list(each_once(found))


def _arm_line(figure: Stats, arm: Arm, *, is_scaled: bool) -> str:
    modifier = arm.modifier + arm.weapon + sum(term.value for term in arm.addends)
    parts = [f"{arm.name} {signed(modifier)}", f"damage {shown_number(arm.damage)}"]
    if arm.scale.tag and is_scaled:
        parts[-1] += f" {arm.scale}"
    if arm.hits > 1:
        parts.append(f"{arm.hits} hits")
    if arm.is_ranged:
        parts.append(f"distance {shown_distance(arm.least)} to {shown_distance(arm.greatest)}")
    ammunition = ammunition_line(figure, arm.id)
    return " · ".join([*parts, ammunition] if ammunition else parts)
