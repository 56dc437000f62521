"""The end of a session."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, cast

from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Document,
    Growth,
    Odds,
    OddsForm,
    PutBack,
    evolve,
    grown,
    procedures_of,
    rolls_of,
)
from bot.rules.kernel.dice import Chance
from bot.rules.kernel.outcome import counted
from bot.rules.swim_class.board import TURN_PROCEDURES
from bot.rules.swim_class.encounter import ALL_INITIATIVE, INITIATIVE, Ground, SwimEncounter, ground_lines
from bot.rules.swim_class.growth import LOWEST_FACE, SCRATCHES, wounds_key
from bot.rules.swim_class.opposition import DEFENCE, could_fail_attacking
from bot.rules.swim_class.plans import Parts
from bot.rules.swim_class.pools import (
    ATTACK,
    IMPLICIT,
    POOL,
    SIDES,
    WHOLE,
    SwimSide,
    good_faces,
    hit_ways,
    quarter_words,
    scoring_ways,
)
from bot.rules.swim_class.recovery import REST_PROCEDURES, LastHealing, LastTry
from bot.rules.swim_class.rolling import Task
from bot.rules.swim_class.settling import SwimAwaiting, SwimContest, end_scene
from bot.rules.swim_class.sheet import (
    BREAKAGE,
    Character,
    HookResult,
    Scene,
    SwimSettings,
    SwimSheet,
    book_of,
)
from bot.rules.swim_class.sheet_text import temporary_states
from bot.rules.swim_class.tables import Pool
from bot.rules.swim_class.together import BuildUp, Pledges
from bot.rules.swim_class.unopposed_roll import Own, asking_first

VOLATILE = ("encounter/", "buildup/", "parts/", "pledges/", "healing/", "tries/", "ground/")


def end_session(scene: Scene, characters: Sequence[CharacterId], documents: Sequence[str]) -> HookResult:
    """Restore Composure without a roll, and end everything that ends with a scene. [SWIM-REST-01 (SWIM-R112)]

    Wounds, dying, ranks, goods, long tasks and waiting opposed rolls stay.
    """
    before = scene
    scene = end_scene(scene, characters)
    for who in characters:
        character = scene.character(who)
        if character.left(SCRATCHES):
            scene = scene.with_character(character.with_resource(SCRATCHES, 0))
    for key in documents:
        found = scene.stored(Task, key)
        is_short = found is not None and found.is_open and not found.is_long
        if key.startswith(VOLATILE) or is_short:
            scene = scene.with_document(key, None)
    states = (one for who in characters for one in _states(before.character(who)))
    gone = (one for key in documents if scene.document(key) is None for one in _gone(before, key, characters))
    return HookResult(scene=scene, put_back=(*states, *gone))


def _states(character: Character) -> Iterator[PutBack]:
    """The states that a character loses."""
    were = ", ".join(temporary_states(character))
    if were:
        yield PutBack(what="States", who=character.name, before=were, after="none")


def _gone(scene: Scene, key: str, known: Sequence[CharacterId]) -> Iterator[PutBack]:
    """What a cleared document held, unless its character is hidden."""
    found = scene.document(key)
    match found:
        case Task() if found.owner in known:
            yield PutBack(
                what=found.name, before=f"{quarter_words(found.done)}/{found.needed}", after="ended"
            )
        case BuildUp() if found.owner in known:
            yield _owned(scene, found.owner, "Build-up", counted(len(found.parts), "part", "parts"))
        case Parts() | Pledges() if (who := CharacterId(int(key.partition("/")[2]))) in known:
            what = "Divided actions" if isinstance(found, Parts) else "Pledged help"
            count = len(found.open if isinstance(found, Parts) else found.pledges)
            yield _owned(scene, who, what, str(count))
        case Ground():
            yield PutBack(what="Ground", before=" ".join(ground_lines(found)) or "changed", after="normal")
        case LastHealing():
            yield PutBack(what="Healing", before="rolled", after="can be rolled again")
        case LastTry() if (who := CharacterId(int(key.partition("/")[2].partition("-")[0]))) in known:
            name = scene.character(who).name
            yield PutBack(what="Stabilizing", who=name, before="rolled", after="can be rolled again")


def _owned(scene: Scene, who: CharacterId, what: str, before: str) -> PutBack:
    return PutBack(what=what, who=scene.character(who).name, before=before, after="none")


def growth(before: SwimSheet, after: SwimSheet, settings: SwimSettings) -> Iterator[Growth]:
    """Return the skills that rose: by their own rolls, and those that synergy pulled up.

    [SWIM-REST-01, SWIM-ADV-07, SWIM-SYN-01]
    """
    skills = book_of(settings)
    earned = {epic.skill for epic in after.epics[len(before.epics) :]}
    for key in sorted({*before.ranks, *after.ranks}, key=lambda one: (one not in earned, one)):
        was, now = skills.rank(before.ranks, key), skills.rank(after.ranks, key)
        yield from grown(skills.title(key), was, now, is_pulled=bool(earned) and key not in earned)


def is_down(character: Character, settings: SwimSettings) -> bool:
    """Whether a character is dead, or a pool is at 0 or below. [SWIM-COMB-08]"""
    sheet, skills = character.sheet, book_of(settings)
    left = (skills.rank(sheet.ranks, pool.defence) - character.left(wounds_key(pool)) for pool in Pool)
    return sheet.is_dead or any(points <= 0 for points in left)


MOST = 12


class SwimOddsQuestion(Document):
    """The roll whose chances are wanted."""

    dice: int = Field(ge=1, le=MOST, description="Skill dice")
    about: Literal["progress", "hits", "advancement"] = Field(
        default="progress", description="Progress of a task, hits against a defense, or the skill's advance"
    )
    difficulty: int = Field(default=1, ge=1, le=24, description="Number a die must reach")
    modifier: int = Field(default=0, ge=-10, le=20, description="Modifier of each die")
    artifact: int = Field(default=0, ge=0, le=4, description="Artifact dice on top")
    push: int = Field(default=1, ge=1, le=6, description="Push factor for difficulty and progress")
    focus: int = Field(
        default=0, ge=0, le=2, description="Focus: difficulty −1 or −2, progress halved each time"
    )
    needed: int = Field(default=1, ge=1, le=100, description="Progress or hits needed")
    defence: int = Field(
        default=0, ge=0, le=MOST, description="The opponent's dice; missing dice count as 1s"
    )
    defence_modifier: int = Field(default=0, ge=-10, le=20, description="Modifier of each defense die")


def answer_odds(question: SwimOddsQuestion) -> Odds:
    """The exact chances of a roll. [SWIM-TASK-13]"""
    if question.about == "progress":
        return _progress(question)
    return _hits(question) if question.about == "hits" else _advancement(question)


def _target(question: SwimOddsQuestion) -> int:
    return max(1, question.difficulty * question.push - question.focus)


def _progress(question: SwimOddsQuestion) -> Odds:
    quarters = WHOLE * question.push // 2**question.focus
    ways = scoring_ways([(question.dice + question.artifact, question.modifier)], _target(question))
    named: dict[str, int] = {}
    enough = None
    for scoring, cases in enumerate(ways):
        progress = scoring * quarters // WHOLE
        name = f"{progress} progress"
        named[name] = named.get(name, 0) + cases
        if enough is None and progress >= question.needed:
            enough = name
    of = sum(ways)
    return Odds(tuple((name, Chance(cases, of)) for name, cases in named.items()), enough)


def _sides(question: SwimOddsQuestion, lowest: int = 1) -> tuple[SwimSide, SwimSide]:
    dice = question.dice + question.artifact
    defence = question.defence * question.push
    padding = max(0, dice - defence)
    return (
        SwimSide(((dice, question.modifier),), lowest=lowest),
        SwimSide(
            ((defence, question.defence_modifier),) if defence else (),
            (IMPLICIT + question.defence_modifier,) * padding,
        ),
    )


def _hits(question: SwimOddsQuestion) -> Odds:
    ways = hit_ways(*_sides(question), _target(question))
    named = {hits * question.push: cases for hits, cases in ways.ways.items()}
    chances = tuple((counted(hits, "hit", "hits"), Chance(cases, ways.of)) for hits, cases in named.items())
    enough = min((hits for hits in named if hits >= question.needed), default=None)
    return Odds(chances, None if enough is None else counted(enough, "hit", "hits"))


def _advancement(question: SwimOddsQuestion) -> Odds:
    chance = advance_chance(question)
    rest = Chance(chance.of - chance.ways, chance.of)
    return Odds((("no advance", rest), ("advances", chance)), "advances")


def advance_chance(question: SwimOddsQuestion) -> Chance:
    """The exact chance that the skill advances; artifact dice do not count.

    [SWIM-TASK-13, SWIM-ADV-01, SWIM-ADV-02]
    """
    if question.defence:
        return _opposed_advance(question)
    target = _target(question)
    if target - question.modifier < 2:
        return Chance(0, 1)
    good = min(good_faces(target, question.modifier), SIDES + 1 - LOWEST_FACE)
    return Chance(good**question.dice, SIDES**question.dice)


def _opposed_advance(question: SwimOddsQuestion) -> Chance:
    plain = evolve(question, artifact=0)
    attack, defence = _sides(plain, LOWEST_FACE)
    could_fail = could_fail_attacking(
        attack_modifier=question.modifier,
        defence_modifier=question.defence_modifier,
        has_dice=True,
        difficulty=_target(question),
    )
    if not could_fail:
        return Chance(0, 1)
    ways = hit_ways(attack, defence, _target(question))
    of = ways.of // (SIDES + 1 - LOWEST_FACE) ** question.dice * SIDES**question.dice
    return Chance(ways.ways.get(question.dice, 0), of)


ODDS = OddsForm(question=SwimOddsQuestion, answer=answer_odds)


ROLLS = rolls_of(POOL, ATTACK, DEFENCE, INITIATIVE, ALL_INITIATIVE, BREAKAGE)
_DECLARED = cast(
    "Mapping[str, Own]", procedures_of("bot.rules.swim_class", *TURN_PROCEDURES, *REST_PROCEDURES)
)  # the ruleset's own
PROCEDURES = MappingProxyType({key: asking_first(one) for key, one in _DECLARED.items()})
DOCUMENTS: MappingProxyType[str, type[Document]] = MappingProxyType(
    {
        "encounter": SwimEncounter,
        "parts": Parts,
        "pledges": Pledges,
        "task": Task,
        "buildup": BuildUp,
        "contest": SwimContest,
        "awaiting": SwimAwaiting,
        "healing": LastHealing,
        "ground": Ground,
        "tries": LastTry,
    }
)
