"""Resources, and what sessions, timers and rest do to them."""

from collections.abc import Callable, Mapping, Sequence

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    AwardRule,
    CharacterId,
    Document,
    DueTimer,
    FollowUp,
    ResourceRule,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.belongings import (
    COIN,
    MONTH,
    WEALTH,
    begin_months,
    months_pass,
)
from bot.rules.rpj.character.casters import CONCENTRATION, hours_pass
from bot.rules.rpj.character.damage_saves import (
    rested,
    still_lost,
)
from bot.rules.rpj.character.damage_saves import with_health as figure_with
from bot.rules.rpj.character.incapacity import CONDITION, Wait, recovered, with_health
from bot.rules.rpj.character.lucky_breaks import LUCKY_BREAKS, refreshed
from bot.rules.rpj.character.sheet import (
    HookResult,
    Outcome,
    RpjSheet,
    Scene,
    Stats,
    figure_in,
)
from bot.rules.rpj.character_points import award
from bot.rules.rpj.checks.proposals import close_details
from bot.rules.rpj.combat.commands import recovering as fates
from bot.rules.rpj.conditions import conditions_pass
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.effects import WealthGrant
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import RpjSettings, is_on, module_in
from bot.rules.rpj.wild_magic import (
    PRACTICE,
    practice_ends,
    rested_hours,
    with_wild,
)
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

MORE_THAN_ANYBODY_HAS = 100


def _most(sheet: RpjSheet, settings: RpjSettings) -> int:
    return Stats(sheet, module_in(settings)).lucky_breaks


def _plays_with_money(settings: RpjSettings) -> bool:
    return is_on(settings, Pack.MONEY)


def _first_coin(_sheet: RpjSheet, settings: RpjSettings) -> int:
    return module_in(settings).money.coin


def _first_wealth(sheet: RpjSheet, settings: RpjSettings) -> int:
    """The module's starting Wealth plus what traits grant. [RPJ-APPX-17]"""
    figure = Stats(sheet, module_in(settings))
    granted = sum(effect.value for effect in figure.effects if isinstance(effect, WealthGrant))
    return figure.module.money.wealth + granted


# A new character has all of them at once, whenever it joins (RPJ-LUCK-01, R-131); NPCs have none.
RESOURCES = (
    ResourceRule(key=LUCKY_BREAKS, title="Lucky Breaks", start=MORE_THAN_ANYBODY_HAS, npc_start=0, cap=_most),
    ResourceRule(key=COIN, title="Coin", sheet_start=_first_coin, is_on=_plays_with_money),
    ResourceRule(key=WEALTH, title="Wealth", sheet_start=_first_wealth, is_on=_plays_with_money),
)

AWARDS = (
    AwardRule(
        key="points",
        title="Character points",
        give=award,
        usual=(2, 3, 4),
        unit="point",
    ),
)


def start_session(scene: Scene, characters: Sequence[CharacterId]) -> HookResult:
    """Refresh everyone's Lucky Breaks, and list blocked skills.

    They were refreshed when the last session ended, but their maximum may have changed since.

    [RPJ-LUCK-01 (R-018, R-018a, R-019), RPJ-GM-08, RPJ-CHAR-16]
    """
    settings = scene.settings
    module = module_in(settings)
    for character in (scene.character(id_) for id_ in characters):
        scene = begin_months(scene.with_character(refreshed(character, module)), character.id)
    blocked = [skill.name for skill in module.skills if skill.id in settings.blocked_skills]
    notes = (f"Can't be learned for now: {', '.join(blocked)}.",) if blocked else ()
    return HookResult(scene=scene, notes=notes)


def arrive(scene: Scene, newcomer: CharacterId) -> HookResult:
    """Refresh the Lucky Breaks of a character who joins during a session. [RPJ-LUCK-01 (R-131)]"""
    character = refreshed(scene.character(newcomer), module_in(scene.settings))
    return HookResult(scene=begin_months(scene.with_character(character), newcomer))


def end_session(scene: Scene, characters: Sequence[CharacterId], _documents: Sequence[str]) -> HookResult:
    """Refresh everyone's Lucky Breaks. [RPJ-GM-08, RPJ-LUCK-01 (R-018, R-018a), RPJ-ATTR-07, RPJ-CHAR-15]

    Wounds, permanent losses and long countdowns stay.
    """
    module = module_in(scene.settings)
    for character in (scene.character(id_) for id_ in characters):
        scene = scene.with_character(refreshed(character, module))
    scene, details = close_details(scene)
    return HookResult(scene=scene, notes=details)


_HOMES: Mapping[str, Callable[[Scene, Sequence[DueTimer]], HookResult]] = {
    MONTH: months_pass,
    CONCENTRATION: hours_pass,
    CONDITION: conditions_pass,
    PRACTICE: practice_ends,
}


def timers_due(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """Let timers run out, in order; one ended by an earlier one does nothing.

    [RPJ-GM-07, RPJ-MONEY-12, RPJ-SMAG-15, RPJ-COND-03]
    """
    result = HookResult(scene=scene)
    for timer in due:
        if timer.key not in result.scene.character(timer.character).timers:
            continue
        after = _HOMES.get(timer.key, fates.timers_due)(result.scene, (timer,))
        result = HookResult(
            scene=after.scene,
            notes=(*result.notes, *after.notes),
            follow_ups=(*result.follow_ups, *after.follow_ups),
        )
    return result


LONGEST = 48


class RpjRest(RestOptions):
    """The options of one character's rest: hours, and the base saves restored first, by target number."""

    hours: int = Field(default=8, ge=1, le=LONGEST)
    first: int | None = Field(default=None, ge=2, le=20)


class PartyRestOptions(DuringFight):
    """The options of resting several characters."""

    hours: int = Field(ge=1, le=LONGEST)  # how many hours
    who: tuple[CharacterId, ...] = Field(min_length=1, max_length=20)
    first: int | None = Field(default=None, ge=2, le=20)  # the base saves restored first, by target number
    apart: bool = False  # whether these hours come after those of others who have just rested


class HealOptions(Document):
    """The options of restoring base saves; some first, by target number."""

    target: CharacterId
    saves: int = Field(default=1, ge=1, le=20)
    first: int | None = Field(default=None, ge=2, le=20)


@procedure(REST, gm_only=True, needs_actor=False)
def rest(scene: Scene, options: PartyRestOptions, dice: Dice) -> Outcome:
    """Let characters rest; one who was forgotten can join afterwards. [RPJ-HEALTH-20, RPJ-GM-07]"""
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


def hours_of_rest(
    scene: Scene, resting: Sequence[Resting[RpjRest]], began: int, _dice: Dice
) -> Rested[Scene]:
    """Let hours of rest pass: every two restore a base save; worn armor is not repaired.

    [RPJ-HEALTH-20, RPJ-GM-07, RPJ-GCS-40 (R-104), RPJ-GCS-41, RPJ-WMAG-09]
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


@procedure("heal", gm_only=True, needs_actor=False)
def heal(scene: Scene, options: HealOptions, _dice: Dice) -> Outcome:
    """Restore base saves; a character who has one again is back in action.

    Raises:
        UserError: If none is lost.

    [RPJ-HEALTH-16 (R-133), RPJ-GCS-41 (R-105), RPJ-GM-04]
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


RESTS = RestRules[RpjRest, RpjSheet, RpjSettings](
    options=RpjRest,
    assert_can=lambda _scene, _character, _options: None,
    rest=hours_of_rest,
    longest=LONGEST,
)
REST_PROCEDURES = rest_procedures(RESTS, is_typed=False)
