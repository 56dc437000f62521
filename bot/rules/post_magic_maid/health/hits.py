"""Attacks that have hit: the wounds they cause, at once or after a defence."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Family, Verdict
from bot.rules.post_magic_maid.character.scene import Scene
from bot.rules.post_magic_maid.character.wounds import LEVELS, TOP, Track, wound_level
from bot.rules.post_magic_maid.health.healing import treat_button
from bot.rules.post_magic_maid.health.wounding import Wounded, take_wounds
from bot.rules.post_magic_maid.resolution.tiers import MaidTier

UNCONSCIOUS = LEVELS[Track.BLUNT][TOP].level


class MaidPendingAttack(Document):
    """An attack that can still be defended.

    Attributes:
        attacker: Who attacks.
        target: Whom.
        track: The kind of wound.
        tier: The tier of the attack, with its assist.
        wounds: How many wounds of the same tier it causes.
        placed: The levels that its wounds have filled, where it was not to be defended at first.
    """

    attacker: CharacterId
    target: CharacterId
    track: Track
    tier: MaidTier
    wounds: int = Field(ge=1)
    placed: tuple[int, ...] = ()


def hit_verdict(track: Track, tier: MaidTier, mark: str = "") -> Verdict:
    """The verdict of an attack of tier 10 or higher, in words.

    Args:
        track: The kind of wound.
        tier: The tier.
        mark: What follows it where it is the GM's word.
    """
    level = LEVELS[track][tier.level - 1].level
    wound = level if level == UNCONSCIOUS else f"{level} wound"
    return Verdict(Family.SUCCESS, f"{tier.words}{mark}, {wound}")


def struck(scene: Scene, pending: MaidPendingAttack, tier: MaidTier | None, wounds: int) -> Wounded:
    """Give the target its wounds, and offer urgent treatment, except for enemies."""
    level = None if tier is None else wound_level(tier)
    if level is None or wounds <= 0:
        return Wounded(scene=scene)
    wounded = take_wounds(scene, pending.target, pending.track, level, wounds)
    gravest = max(wounded.levels, default=0)
    row = LEVELS[pending.track][gravest]
    is_urgent = bool(wounded.levels) and (row.seconds_to_live is not None or row.level == UNCONSCIOUS)
    attacker, target = (scene.character(one) for one in (pending.attacker, pending.target))
    is_enemy = target.owner is None and attacker.owner is not None
    button = (treat_button(target),) if is_urgent and not is_enemy else ()
    return Wounded(
        scene=wounded.scene,
        levels=wounded.levels,
        notes=wounded.notes,
        follow_ups=(*wounded.follow_ups, *button),
    )
