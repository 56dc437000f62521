"""Rest and the GM's healing, which restore base saves."""

from collections.abc import Sequence

from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.damage_saves import rested, still_lost
from bot.rules.rpj.character.damage_saves import with_health as figure_with
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.health_changes import with_health
from bot.rules.rpj.character.incapacity import Wait, recovered
from bot.rules.rpj.character.sheet import Outcome, RpjSheet, Scene
from bot.rules.rpj.magic.ability_users import rested_hours, with_wild
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.optional_rules import Pack
from bot.rules.rpj.module.settings import RpjSettings
from bot.rules.shared.resting import (
    HOUR_SECONDS,
    REST,
    DuringFight,
    Rested,
    Resting,
    RestOptions,
    RestRules,
    asked_during_fight,
    at_once,
    hours_words,
    rest_procedures,
)

LONGEST = 48


class RpjRest(RestOptions):
    """The options of one character's rest: hours, and the base saves restored first, by target number."""

    hours: int = Field(default=8, ge=1, le=LONGEST)
    first: int | None = Field(default=None, ge=2, le=20)


class PartyRestOptions(DuringFight):
    """The options of resting several characters.

    Attributes:
        hours: How many hours.
        who: Who rests.
        first: The base saves restored first, by target number.
        apart: Whether these hours come after those of others who have just rested.
    """

    hours: int = Field(ge=1, le=LONGEST)
    who: tuple[CharacterId, ...] = Field(min_length=1, max_length=20)
    first: int | None = Field(default=None, ge=2, le=20)
    apart: bool = False


class HealOptions(Document):
    """The options of restoring base saves; some first, by target number."""

    target: CharacterId
    saves: int = Field(default=1, ge=1, le=20)
    first: int | None = Field(default=None, ge=2, le=20)


def rest(scene: Scene, options: PartyRestOptions, dice: Dice) -> Outcome:
    """Let characters rest; one who was forgotten can join afterwards.

    Source: RPJ-HEALTH-20, RPJ-GM-07.
    """
    question = asked_during_fight(scene, REST, options, options.hours)
    if question is not None:
        return question
    chosen = RpjRest(hours=options.hours, first=options.first)
    again = FollowUp(
        procedure=REST,
        options=evolve(options, apart=True),
        label=f"{hours_words(options.hours)} more",
        audience=Audience.GM,
        group="rest",
    )
    resting = [Resting(who, chosen) for who in options.who]
    return at_once(RESTS, scene, resting, dice, None if options.apart else again)


declare(REST, PartyRestOptions, rest, gm_only=True, needs_actor=False)


def hours_of_rest(
    scene: Scene, resting: Sequence[Resting[RpjRest]], began: int, _dice: Dice
) -> Rested[Scene]:
    """Let hours of rest pass: every two restore a base save; worn armor is not repaired.

    Source: RPJ-HEALTH-20, RPJ-GM-07, RPJ-GCS-40 (R-104), RPJ-GCS-41, RPJ-WMAG-09.
    """
    hours = max(one.options.hours for one in resting)
    later = scene.at_clock(max(scene.clock, began + hours * HOUR_SECONDS))
    for one in resting:
        ends = began + one.options.hours * HOUR_SECONDS
        character = scene.character(one.who)
        figure, since = figure_in(scene, character), began
        due = character.timers.get(Wait.WEAK, character.timers.get(Wait.SLEEPING))
        if due is not None and due <= ends:  # rest only counts from then on
            figure, since = figure_with(figure, recovered(figure)), max(due, began)
        full = (ends - since) // HOUR_SECONDS
        later = with_health(later, character, rested(figure.sheet.health, full, one.options.first))
        if figure.plays(Pack.WILD_MAGIC):
            later = with_wild(later, one.who, rested_hours(figure, full))
    return Rested(scene=later, hours=hours)


def heal(scene: Scene, options: HealOptions, _dice: Dice) -> Outcome:
    """Restore base saves; a character who has one again is back in action.

    Raises:
        UserError: If none is lost.

    Source: RPJ-HEALTH-16 (R-133), RPJ-GCS-41 (R-105), RPJ-GM-04.
    """
    target = scene.character(options.target)
    health = target.sheet.health
    if not health.lost_base and health.out is Out.NO:
        raise UserError(
            f"{target.name} hasn't lost a base save.", "Use /rpj-gm health repair for armor and shields."
        )
    left = still_lost(health.lost_base, options.saves, options.first)
    after = RpjHealth(layers=health.layers, lost_base=left)
    return Outcome(scene=with_health(scene, target, after), headline=f"heals {target.name}")


declare("heal", HealOptions, heal, gm_only=True, needs_actor=False)


RESTS = RestRules[RpjRest, RpjSheet, RpjSettings](
    options=RpjRest,
    assert_can=lambda _scene, _character, _options: None,
    rest=hours_of_rest,
    longest=LONGEST,
)
REST_PROCEDURES = rest_procedures(RESTS, is_typed=False)
