"""The end of a session: nothing refreshes, and finished fights are cleared."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.compare_roll.catalogue import default_difficulty, difficulty
from bot.rules.compare_roll.fortunes import (
    HP,
    RESOURCES,
    REST_ROLLS,
    Turned,
    ft_max,
    ft_now,
    heal,
    hp_now,
    luck_terms,
    regain_ft,
    totals,
    with_hp,
)
from bot.rules.compare_roll.opening import spend_high
from bot.rules.compare_roll.sheet import (
    Character,
    CompareSettings,
    CompareSheet,
    CompareStatus,
    HookResult,
    Outcome,
    RestInterrupts,
    Scene,
    ShortRestFortitude,
    hp_max,
    is_standing,
    status_of,
)
from bot.rules.compare_roll.strikes import CompareEncounter, CompareSide, can_act, find_fighter
from bot.rules.compare_roll.tables import STAT_NAMES, Stat
from bot.rules.compare_roll.two_d12s import (
    INTERRUPTED_AT,
    REST,
    CompareInputs,
    CompareLuckInputs,
    CompareOutcome,
    compare_odds,
)
from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    FollowUp,
    Growth,
    NamedTerm,
    Odds,
    OddsForm,
    Roll,
    evolve,
    grown,
    procedure,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import to_do
from bot.rules.shared.resting import (
    DuringFight,
    Rested,
    Resting,
    RestOptions,
    RestRules,
    asked_during_fight,
    at_once,
    rest_procedures,
)


def end_session(scene: Scene, characters: Sequence[CharacterId], documents: Sequence[str]) -> HookResult:
    """Clear finished fights, save the others, and set the values that the campaign resets.

    [CMP-SES-01 (CMP-R57)]
    """
    notes: list[str] = []
    for key in documents:
        found = scene.stored(CompareEncounter, key)
        if found is not None and _is_over(scene, found):
            scene = scene.with_document(key, None)
    for who in characters:
        character = scene.character(who)
        if character.owner is not None:
            scene = _reset(scene, character)
            notes.append(_summary(scene, scene.character(who)))
    return HookResult(scene=scene, notes=tuple(notes))


def _is_over(scene: Scene, encounter: CompareEncounter) -> bool:
    """Whether a side has no one standing."""
    able = {one.side for one in encounter.shown if can_act(scene, one)}
    return able != set(CompareSide)


def _reset(scene: Scene, character: Character) -> Scene:
    """Set the values of the setting `session_reset`."""
    for key, value in scene.settings.session_reset.items():
        if key == HP:
            character = with_hp(character, value)
            continue
        rule = next(rule for rule in RESOURCES if rule.key == key)
        cap = rule.cap(character.sheet, scene.settings)
        character = character.with_resource(key, value if cap is None else min(value, cap))
    return scene.with_character(character)


def _summary(scene: Scene, character: Character) -> str:
    sheet, settings = character.sheet, scene.settings
    body = f"HP {hp_now(character)}/{hp_max(sheet)} · FT {ft_now(sheet, settings)}/{ft_max(sheet, settings)}"
    return f"{character.name}: {body} · {totals(character.resources)}"


def growth(before: CompareSheet, after: CompareSheet, _settings: CompareSettings) -> Iterator[Growth]:
    """Return the stats and skills that rose. [CMP-CHAR-07, CMP-SKILL-08]"""
    for stat in Stat:
        yield from grown(STAT_NAMES[stat], before.stats[stat], after.stats[stat])
    were = {(one.category, one.name): one.level for one in (*before.skills, *before.customs)}
    for one in (*after.skills, *after.customs):
        yield from grown(one.name, were.get((one.category, one.name), 0), one.level)


def is_down(character: Character, _settings: CompareSettings) -> bool:
    """Whether a character is down or dead. [CMP-DEATH-03]"""
    return not is_standing(character)


class CompareOddsQuestion(Document):
    """The compare roll whose chances are wanted."""

    skill: int = Field(default=0, ge=0, le=5, description="Skill level; 0 is a Novice, who uses Luck")
    stat: int = Field(default=0, ge=-1, le=3, description="Stat bonus")
    luck: int = Field(default=0, ge=-1, le=3, description="Luck bonus, for a Novice")
    stress: int = Field(default=0, ge=0, le=3, description="Stress")
    high: int = Field(default=0, ge=0, le=5, description="High burned")
    difficulty: Literal["Trivial", "Normal", "Difficult", "Hard", "Impossible"] | None = Field(
        default=None, description="Difficulty (default: the campaign's)"
    )
    modifier: int = Field(default=0, ge=-20, le=20, description="The GM's modifier")


def answer_odds(question: CompareOddsQuestion) -> Odds:
    """The exact chance of each outcome under default settings."""
    return answer_under(question, CompareSettings())


def answer_under(question: CompareOddsQuestion, settings: CompareSettings) -> Odds:
    """The exact chance of each outcome under a campaign's settings. [CMP-ROLL-01 to CMP-ROLL-08]"""
    skill = question.skill or question.luck
    whole = skill + question.stat - question.stress + question.high + question.modifier
    named = question.difficulty
    number = (difficulty(settings, named) if named else default_difficulty(settings)).number
    terms = (NamedTerm(label="all", value=whole),)
    odds = compare_odds(CompareInputs(terms=terms, difficulty=number))
    return replace(odds, needed=CompareOutcome.SUCCESS.value)


def worth_knowing(question: CompareOddsQuestion, settings: CompareSettings) -> tuple[str, ...]:
    """How often it succeeds with a drawback, which is less than a success and more than a failure."""
    odds = answer_under(question, settings)
    costs = odds.at_least(CompareOutcome.COST_STRESS) - odds.at_least(CompareOutcome.SUCCESS)
    return (f"succeeds at a cost: {percent(costs)}",)


ODDS = OddsForm(
    question=CompareOddsQuestion, answer=answer_odds, answer_under=answer_under, worth=worth_knowing
)


LONG_REST_HOURS = 24


class CompareRest(RestOptions):
    """Options of a rest."""

    hours: int = Field(default=1, ge=1, le=LONG_REST_HOURS)  # most hours to rest
    burn: int = Field(default=0, ge=0, le=5)  # high burned on the first hour, if the campaign allows it
    long: bool = False  # whether it is a long rest: a day in a safe place, which restores everything


class LongRestOptions(DuringFight):
    """Options of a long rest."""

    targets: tuple[CharacterId, ...] = Field(max_length=40)
    safe: bool = True  # whether the place is safe
    broken: bool = False  # whether it was interrupted and restores nothing
    apart: bool = False  # whether it takes another day, although others have just rested


class _Rest(Struct, frozen=True):
    """A rest in progress: the scene, who still rests, their options, Fortitude regained, dice and notes."""

    scene: Scene
    resting: tuple[CharacterId, ...]
    chosen: Mapping[CharacterId, CompareRest]
    regained: dict[CharacterId, int]
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()


def assert_can_rest(scene: Scene, character: Character, options: CompareRest) -> None:
    """Raise `UserError` if a character is dead, dying or in a fight, or cannot burn that much High."""
    if status_of(character) in {CompareStatus.DEAD, CompareStatus.DYING}:
        raise UserError(
            f"{character.name} can't rest now.", "At 0 HP, choose Death's Door or a Blaze of Glory first."
        )
    if find_fighter(scene, character.id) is not None:
        raise UserError(f"{character.name} is in a fight.", "Rest when it is over.")
    if options.burn:
        if scene.settings.stress_applies_to not in REST_ROLLS:
            raise UserError(
                "In this campaign you can't burn High on rests.",
                "A GM can change that: setting stress_applies_to.",
            )
        spend_high(scene, character.id, options.burn)


def rest(scene: Scene, resting: Sequence[Resting[CompareRest]], _began: int, dice: Dice) -> Rested[Scene]:
    """Rest hour by hour, or for a whole day.

    Each hour heals 1d6 + Luck HP and 1 Fortitude; a result of 4 or less ends the rest.

    [CMP-REST-01 (CMP-R47, CMP-R48), CMP-REST-02 (CMP-R60), CMP-REST-03, CMP-FT-03 (CMP-R44)]
    """
    if any(one.options.long for one in resting):
        return _whole_day(scene, [one.who for one in resting])
    chosen = {one.who: one.options for one in resting}
    before = scene
    for who, options in chosen.items():
        scene = spend_high(scene, who, options.burn) if options.burn else scene
    so_far = _Rest(scene, tuple(chosen), chosen, dict.fromkeys(chosen, 0))
    slept = 0
    for hour in range(1, max(options.hours for options in chosen.values()) + 1):
        still = tuple(who for who in so_far.resting if chosen[who].hours >= hour)
        if still:
            so_far, slept = _hour(replace(so_far, resting=still), hour, dice), hour
    gained = [_gained(before, so_far.scene, who) for who in chosen]
    notes = (*so_far.notes, *filter(None, gained))
    return Rested(scene=so_far.scene, hours=slept, rolls=so_far.rolls, notes=notes)


def _gained(before: Scene, after: Scene, who: CharacterId) -> str:
    """A sentence about regained Fortitude, or nothing."""
    settings = before.settings
    was, now = (scene.character(who).sheet for scene in (before, after))
    if ft_now(was, settings) == ft_now(now, settings):
        return ""
    name = before.character(who).name
    return f"{name}: FT {ft_now(was, settings)} → {ft_now(now, settings)}/{ft_max(now, settings)}."


def _hour(rest: _Rest, hour: int, dice: Dice) -> _Rest:
    """Play one hour for everyone who still rests."""
    stopped: list[CharacterId] = []
    scene, rolls, notes = rest.scene, list(rest.rolls), list(rest.notes)
    regained = dict(rest.regained)
    for who in rest.resting:
        character = scene.character(who)
        terms = luck_terms(scene, character, REST_ROLLS)
        high = rest.chosen[who].burn if hour == 1 else 0
        if high:
            terms = (*terms, NamedTerm(label="High", value=high))
        roll = REST.resolve(CompareLuckInputs(terms=terms), dice)
        is_interrupted = roll.sum <= INTERRUPTED_AT
        roll = roll.by(character, word="interrupted" if is_interrupted else "")
        rolls.append(roll)
        healed = heal(scene, who, roll.sum)
        scene, points = _regain(healed.scene, who, hour, regained[who])
        regained[who] += points
        notes += healed.notes
        if is_interrupted:
            stopped.append(who)
            notes.append(to_do(f"{character.name} is interrupted in hour {hour}; the GM says by what."))
    left = tuple(who for who in rest.resting if who not in stopped)
    if stopped and scene.settings.rest_interrupts is RestInterrupts.PARTY:
        left = ()
    return _Rest(scene, left, rest.chosen, regained, tuple(rolls), tuple(notes))


def _regain(scene: Scene, who: CharacterId, hour: int, so_far: int) -> tuple[Scene, int]:
    """Regain the Fortitude of one hour: 1, up to half the maximum per rest, or as the settings say.

    [CMP-FT-03 (CMP-R44)]
    """
    character, settings = scene.character(who), scene.settings
    sheet = character.sheet
    half = ft_max(sheet, settings) // 2
    match settings.short_rest_ft:
        case ShortRestFortitude.HALF_AT_ONCE:
            points = half if hour == 1 else 0
        case ShortRestFortitude.HOURLY:
            points = 1
        case _:
            points = min(1, half - so_far)
    return scene.with_sheet(character, regain_ft(sheet, settings, points)), points


@procedure("long_rest", gm_only=True, needs_actor=False)
def long_rest(scene: Scene, options: LongRestOptions, dice: Dice) -> Outcome:
    """Rest for a day in a safe place: all HP and all Fortitude.

    [CMP-REST-03 (CMP-R49), CMP-STRESS-05 (CMP-R26)]
    """
    if not options.safe:
        raise UserError(
            "A long rest needs a safe place, such as a town.",
            "Elsewhere, take a short rest.",
            "Use /compare rest.",
        )
    day = CompareRest(hours=LONG_REST_HOURS, long=True)
    for who in options.targets:
        assert_can_rest(scene, scene.character(who), day)
    if options.broken:
        names = ", ".join(scene.character(who).name for who in dict.fromkeys(options.targets))
        note = "Interrupted: nothing is regained. The hours may count as a short rest."
        return Outcome(scene=scene, headline=f"gives {names} a long rest", notes=(note,))
    question = asked_during_fight(scene, "long_rest", options, LONG_REST_HOURS)
    if question is not None:
        return question
    again = FollowUp(
        procedure="long_rest",
        options=evolve(options, apart=True),
        label="Rest another day",
        audience=Audience.GM,
        group="rest",
    )
    resting = [Resting(who, day) for who in options.targets]
    return at_once(RESTS, scene, resting, dice, None if options.apart else again)


def _whole_day(scene: Scene, resting: Sequence[CharacterId]) -> Rested[Scene]:
    turned = Turned(scene)
    for who in resting:
        turned = turned.then(_restored(turned.scene, who))
    return Rested(scene=turned.scene, hours=LONG_REST_HOURS, notes=turned.notes)


def _restored(scene: Scene, who: CharacterId) -> Turned:
    character = scene.character(who)
    healed = heal(scene, who, hp_max(character.sheet))
    rested = healed.scene.character(who)
    whole = healed.scene.with_sheet(rested, rested.sheet.changed(ft_lost=0))
    return healed.then(Turned(whole))


RESTS = RestRules[CompareRest, CompareSheet, CompareSettings](
    options=CompareRest,
    assert_can=assert_can_rest,
    rest=rest,
    longest=LONG_REST_HOURS,
    shared=("long",),
)
REST_PROCEDURES = rest_procedures(RESTS)
