"""Strain from using abilities without stamina left."""

from fractions import Fraction

from bot.rules.kernel import CharacterId, Family, FollowUp, NoOptions, Verdict, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.rpj.character.damage_saves import Strike, put_out
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.health_changes import with_health
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.character.stamina import Strain, strain_of, strain_roll
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT
from bot.rules.rpj.magic.ability_users import stamina_of, with_wild
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.resolution.check import RpjResult, check, check_odds, reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

STRAIN = "strain"


def _is_fighting(scene: Scene, who: CharacterId) -> bool:
    encounter = FIGHTS_KEPT.find(scene)
    return encounter is not None and any(one.character == who for one in encounter.combatants)


def _strain_inputs(scene: Scene, who: CharacterId) -> RpjCheckInputs | None:
    figure = figure_in(scene, scene.character(who))
    if not figure.sheet.wild.is_strained:
        return None
    left, _most = stamina_of(figure)
    return strain_roll(figure.level(RpjAttribute.WIL), left, figure.module.criticals)


def strain_button(scene: Scene, who: CharacterId) -> tuple[FollowUp, ...]:
    """The button of a due strain roll.

    Source: RPJ-WMAG-08.
    """
    inputs = _strain_inputs(scene, who)
    if inputs is None:
        return ()
    chance = percent(check_odds(inputs).enough or Fraction(0))
    return (
        FollowUp(
            procedure=STRAIN,
            options=NoOptions(),
            label=f"Strain: roll {inputs.target}+ · {chance}",
            character=who,
            group=STRAIN,
        ),
    )


def roll_strain(scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
    """Roll against strain when out of stamina; it never costs a damage save.

    Raises:
        UserError: If no strain roll is due.

    Source: RPJ-WMAG-08.
    """
    actor = scene.actor
    inputs = _strain_inputs(scene, actor.id)
    if inputs is None:
        raise UserError(f"{actor.name} doesn't need to roll against strain.")
    roll = check(inputs, dice)
    came = strain_of(reading_of(roll).result)
    relieved = evolve(actor.sheet.wild, is_strained=False)
    scene = with_wild(scene, actor.id, relieved)
    if came is not Strain.HELD:
        strike = Strike(is_nonlethal=came is Strain.KNOCKED_OUT)
        character = scene.character(actor.id)
        health = put_out(character.sheet.health, strike)
        scene = with_health(scene, character, health, in_combat=_is_fighting(scene, actor.id))
    is_held = came is Strain.HELD
    return Outcome(
        scene=scene,
        headline="rolls against strain",
        verdict=Verdict(Family.SUCCESS if is_held else Family.FAILURE, came),
        rolls=(roll,),
        passed=reading_of(roll).result is not RpjResult.UNDECIDED and is_held,
    )


declare(STRAIN, NoOptions, roll_strain)
