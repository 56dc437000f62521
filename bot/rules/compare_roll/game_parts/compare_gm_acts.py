"""What a GM can do to a character, for the controls of its sheet."""

from collections.abc import Iterator

from bot.rules.compare_roll.character.catalogue import find_item, find_weapon
from bot.rules.compare_roll.character.fortunes import HIGH, MOST_HIGH, MOST_STRESS, hp_now
from bot.rules.compare_roll.character.sheet import (
    LEAST_STAT,
    MOST_STAT,
    CompareStatus,
    Scene,
    hp_max,
    status_of,
)
from bot.rules.compare_roll.checks.handing import things_of
from bot.rules.compare_roll.gm.gm import (
    AwardOptions,
    CompareFateOptions,
    CompareFoeOptions,
    CompareGiveOptions,
    LookOptions,
    StatOptions,
)
from bot.rules.compare_roll.resolution.tables import ITEMS, STAT_NAMES, WEAPONS, Stat
from bot.rules.kernel import Audience, Choice, TextField
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.shared.offering import MOST_CHOICES, Offering, numbers

MOST_POINTS = 10


def gm_acts(scene: Scene) -> tuple[Act, ...]:
    """HP, Stress, High, points, gear, and what a GM corrects by hand.

    Source: CMP-GM-01, CMP-HP-01, CMP-STRESS-01, CMP-SKILL-08, CMP-CHAR-01, CMP-CHAR-07, CMP-COM-12.
    """
    offering = Offering(scene, {}, audience=Audience.GM)
    return (
        *_body(scene, offering),
        *_gifts(scene, offering),
        *_corrections(scene, offering),
    )


def _body(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, now, most = offering.who, hp_now(scene.actor), hp_max(scene.actor.sheet)
    if status_of(scene.actor) is CompareStatus.DEAD:
        revived = CompareFateOptions(target=who, revive=True, hp=1)
        hp = numbers(range(1, min(most, MOST_CHOICES) + 1), lambda n: f"With {n} HP")
        yield offering.act(ActGroup.HEAL, "fate", revived, "Revive …", choices=hp, chosen="hp")
        return
    lower = numbers(_shortened(range(now - 1, -1, -1)), lambda n: f"{now - n} damage: HP {now} → {n}")
    if lower:
        hurt = CompareFateOptions(target=who, hp=now - 1)
        label = f"Take HP … ({now} of {most})"
        yield offering.act(ActGroup.DAMAGE, "fate", hurt, label, choices=lower, chosen="hp")
    higher = numbers(_shortened(range(now + 1, most + 1)), lambda n: f"{n - now} HP: {now} → {n}")
    if higher:
        healed = CompareFateOptions(target=who, hp=now + 1)
        label = f"Give HP back … ({now} of {most})"
        yield offering.act(ActGroup.HEAL, "fate", healed, label, choices=higher, chosen="hp")
    stress = CompareFateOptions(target=who, stress=1)
    points = numbers(range(1, MOST_STRESS + 1), lambda n: f"{n} Stress")
    yield offering.act(ActGroup.CONDITION, "fate", stress, "Give Stress …", choices=points, chosen="stress")


def _shortened(steps: range) -> tuple[int, ...]:
    """Every number of it; of many, the nearest and the last one."""
    return tuple(steps) if len(steps) <= MOST_CHOICES else (*steps[: MOST_CHOICES - 1], steps[-1])


def _gifts(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, settings = offering.who, scene.settings
    high = CompareFateOptions(target=who, high=1)
    free = MOST_HIGH - scene.actor.resources.get(HIGH, 0)
    if free > 0:
        points = numbers(range(1, free + 1), lambda n: f"{n} High")
        yield offering.act(ActGroup.GIVE, "fate", high, "Give High …", choices=points, chosen="high")
    if scene.actor.sheet.foe is None:
        for field, what in (("skill_points", "skill points"), ("stat_points", "stat points")):
            awarded = AwardOptions.model_validate({"target": who, field: 1})
            points = numbers(range(1, MOST_POINTS + 1))
            label = f"Award {what} …"
            yield offering.act(ActGroup.GIVE, "award", awarded, label, choices=points, chosen=field)
    for label, rows in (
        ("Give a weapon …", (*settings.weapons, *WEAPONS)),
        ("Give an item …", (*settings.items, *ITEMS)),
    ):
        names = dict.fromkeys(one.name for one in rows)
        things = [(Choice(one, one[:100]), CompareGiveOptions(target=who, thing=one)) for one in names]
        adjusts = {"count": "How many"} if "item" in label else {}
        yield from offering.menu(
            ActGroup.GIVE, "give", label, "thing", things, is_tried=False, adjusts=adjusts
        )
    own = [
        (Choice(name, name[:100], f"×{count}"), CompareGiveOptions(target=who, thing=name, count=-1))
        for name, count in things_of(scene.actor)
        if find_item(settings, name) or find_weapon(settings, name)
    ]
    label = "Take 1 away …"
    yield from offering.menu(ActGroup.GIVE, "give", label, "thing", own, is_tried=False)


def _corrections(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, sheet = offering.who, scene.actor.sheet
    look = LookOptions(target=who)
    yield offering.act(ActGroup.GM, "look", look, "Look at the numbers (only you see them)")
    if scene.actor.owner is None:
        blanks = tuple(
            TextField(key=key, prompt=prompt, longest=40, is_required=False)
            for key, prompt in (
                ("hp", "HP"),
                ("fortitude", "Fortitude"),
                ("rating", "Rating"),
                ("attack", "Attack"),
                ("weapon", "Weapon"),
            )
        )
        foe = CompareFoeOptions(target=who)
        yield offering.act(ActGroup.GM, "foe", foe, "Set up as an opponent …", blanks=blanks)
    if sheet.foe is not None:
        return
    for stat in Stat:
        now = sheet.stats[stat]
        others = [n for n in range(LEAST_STAT, MOST_STAT + 1) if n != now]
        scores = tuple(Choice(str(n), f"{now} → {n}") for n in others)
        score = StatOptions(target=who, stat=stat, score=LEAST_STAT)
        label = f"Set {STAT_NAMES[stat]} … ({now})"
        yield offering.act(ActGroup.GM, "set_stat", score, label, choices=scores, chosen="score")
