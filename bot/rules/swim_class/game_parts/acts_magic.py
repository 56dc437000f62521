"""The powers of magic a character can use now, and the dead they command."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from bot.rules.kernel import Choice, TextField, evolve
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.kernel.wording import counted
from bot.rules.shared.nearby import friends_first
from bot.rules.shared.offering import MOST_CHOICES, Offering, choice_of, is_allowed, others_of
from bot.rules.swim_class.character.resources import wounds_key
from bot.rules.swim_class.character.sheet import Character, Scene, book, rank_of
from bot.rules.swim_class.checks.unopposed_roll import prepare
from bot.rules.swim_class.combat.commands.board import opponents
from bot.rules.swim_class.combat.state.encounter import find_encounter
from bot.rules.swim_class.damage.damage import is_dying
from bot.rules.swim_class.game_parts.acts_rolls import adjustable, cost_words, is_halved, rollable
from bot.rules.swim_class.magic.spell_casting import SpellKey, SwimCastOptions, spell_plan
from bot.rules.swim_class.magic.undead import (
    DismissOptions,
    UndeadAttackOptions,
    UndeadMoveOptions,
    UndeadRollOptions,
)
from bot.rules.swim_class.resolution.tables import SPELLS, Pool, SwimSpell

AIMED = frozenset({"death", "stun"})  # at somebody, without filling an area
MOST_CAUGHT = 5
AREA = 2  # squares of an area or a line, before it is set
SIZES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "blaze": {"line": "Length of the line"},
        "blow": {"area": "Side of the square"},
        "quake": {"area": "Side of the square"},
        "spray": {"area": "Side of the square"},
        "shift": {"ground": "2 soft soil to 6 hard rock"},
    }
)


def magic_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Powers of every form of magic, and commands to the raised dead.

    Source: SWIM-MAGIC-01, SWIM-MAGIC-05 to SWIM-MAGIC-19.
    """
    for key in SpellKey:
        spell = SPELLS[key]
        options = evolve(_bare(key), half=is_halved(scene))
        plan = spell_plan(scene, spell, options, 0)
        if is_allowed(lambda plan=plan: prepare(scene, scene.actor, plan)):  # type: ignore[misc]
            rank = rank_of(scene, scene.actor, spell.form)
            label = f"{spell.name}: {book(scene).title(spell.form)} {rank}"
            yield from _power(scene, offering, spell, options, label)
    yield from _undead(scene, offering)
    if scene.actor.sheet.states.light:
        yield offering.act(ActGroup.USE, "dismiss", DismissOptions(), "Put out your light")


def _bare(key: SpellKey) -> SwimCastOptions:
    """A power with the smallest area it can have."""
    sizes = {name: AREA for name in SIZES.get(key, {}) if name != "ground"}
    return SwimCastOptions(spell=key, **sizes)


def _power(
    scene: Scene, offering: Offering, spell: SwimSpell, options: SwimCastOptions, label: str
) -> Iterator[Act]:
    adjusts = {**SIZES.get(spell.key, {}), **_any_roll(scene, spell, is_opposed=bool(spell.opposed_by))}
    if spell.key == "raise":
        found = [
            (choice_of(one), evolve(options, corpse=one.id))
            for one in others_of(scene)
            if one.owner is None and one.sheet.is_dead
        ]
        yield from offering.menu(
            ActGroup.USE, "cast", f"{label} …", "corpse", found, is_tried=False, adjusts=adjusts
        )
    elif spell.key == "heal":
        yield from _healing(scene, offering, options, label, adjusts)
    elif spell.key in {"fly", "breathe"}:
        people = (scene.actor, *(one for one in friends_first(scene) if not one.sheet.is_dead))
        lifted = [(choice_of(one), evolve(options, targets=(one.id,))) for one in people]
        yield from offering.menu(
            ActGroup.USE, "cast", f"{label} …", "targets", lifted, is_tried=False, adjusts=adjusts
        )
    elif spell.area or spell.key in AIMED:
        at = [(choice_of(one), evolve(options, targets=(one.id,))) for one in opponents(scene)]
        label += f"{cost_words(scene)} …"
        yield from offering.menu(ActGroup.USE, "cast", label, "targets", at, is_tried=False, adjusts=adjusts)
        if spell.area and len(at) > 1:
            caught = TextField(
                key="targets",
                prompt="Who is in it",
                choices=tuple(choice for choice, _options in at)[:MOST_CHOICES],
                most=MOST_CAUGHT,
            )
            several = label.replace(":", " at several:", 1)
            yield offering.act(ActGroup.USE, "cast", options, several, blanks=(caught,), adjusts=adjusts)
    else:
        yield offering.act(ActGroup.USE, "cast", options, label, adjusts=adjusts)


def _any_roll(scene: Scene, spell: SwimSpell, *, is_opposed: bool) -> Mapping[str, str]:
    return adjustable(scene, rank_of(scene, scene.actor, spell.form), focus=not is_opposed)


def _healing(
    scene: Scene, offering: Offering, options: SwimCastOptions, label: str, adjusts: Mapping[str, str]
) -> Iterator[Act]:
    """Healing, for the wounded on one's own side, the worst first.

    Source: SWIM-MAGIC-14, SWIM-MAGIC-16.
    """
    people = [one for one in (scene.actor, *friends_first(scene)) if _is_friend(scene, one) and _wounds(one)]
    people.sort(key=lambda one: (not is_dying(scene, one, Pool.PHYSICAL), -_wounds(one)))
    found = [
        (choice_of(one, counted(_wounds(one), "wound")), evolve(options, targets=(one.id,))) for one in people
    ]
    yield from offering.menu(ActGroup.REST, "cast", f"{label} …", "targets", found, adjusts=adjusts)


def _is_friend(scene: Scene, one: Character) -> bool:
    return (one.owner is None) is (scene.actor.owner is None)


def _wounds(one: Character) -> int:
    return 0 if one.sheet.is_dead else one.resources.get(wounds_key(Pool.PHYSICAL), 0)


def _undead(scene: Scene, offering: Offering) -> Iterator[Act]:
    """What one's undead can be told to do, with their own dice and their caster's action.

    Source: SWIM-MAGIC-19.
    """
    encounter = find_encounter(scene)
    is_fighting = encounter is not None and encounter.combatant(offering.who) is not None
    if is_fighting and encounter is not None and not encounter.is_on(offering.who):
        return
    half = is_halved(scene)
    for undead in (one for one in others_of(scene) if one.sheet.raised_by == offering.who):
        foes = [one for one in opponents(scene) if one.id != undead.id]
        attacks = [
            (
                choice_of(one),
                UndeadAttackOptions(undead=undead.id, skill="basic_melee", targets=(one.id,), half=half),
            )
            for one in foes
        ]
        name = undead.name[:30]
        label = f"{name} attacks …"
        yield from offering.menu(ActGroup.USE, "undead_attack", label, "targets", attacks)
        move = UndeadMoveOptions(undead=undead.id, half=half)
        yield from offering.if_possible(ActGroup.USE, "undead_move", move, f"{name} moves")
        skills = [
            (Choice(pool.key, str(pool)), UndeadRollOptions(undead=undead.id, skill=pool.key, half=half))
            for pool in rollable(replace(scene, actor_id=undead.id))
        ]
        yield from offering.menu(
            ActGroup.USE, "undead_roll", f"{name} rolls …", "skill", skills, is_tried=False
        )
        gone = DismissOptions(undead=undead.id)
        yield offering.act(ActGroup.USE, "dismiss", gone, f"Dismiss {name}")
