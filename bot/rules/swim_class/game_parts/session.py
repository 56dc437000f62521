"""The end of a session."""

from collections.abc import Iterator, Sequence

from bot.rules.kernel import CharacterId, Growth, PutBack, grown
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.resources import SCRATCHES, wounds_key
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.sheet import Character, HookResult, Scene, SwimSheet
from bot.rules.swim_class.character.skills import book_of
from bot.rules.swim_class.checks.buildups import BuildUp
from bot.rules.swim_class.checks.helping import Pledges
from bot.rules.swim_class.checks.parts import Parts
from bot.rules.swim_class.checks.scene_end import end_scene
from bot.rules.swim_class.checks.tasks import Task
from bot.rules.swim_class.combat.state.ground import Ground, ground_lines
from bot.rules.swim_class.game_parts.sheet_text import temporary_states
from bot.rules.swim_class.recovery.dying import LastTry
from bot.rules.swim_class.recovery.life_magic_healing import LastHealing
from bot.rules.swim_class.resolution.number_words import quarter_words
from bot.rules.swim_class.resolution.tables import Pool

VOLATILE = ("encounter/", "buildup/", "parts/", "pledges/", "healing/", "tries/", "ground/")


def end_session(scene: Scene, characters: Sequence[CharacterId], documents: Sequence[str]) -> HookResult:
    """Restore Composure without a roll, and end everything that ends with a scene.

    Wounds, dying, ranks, goods, long tasks and waiting opposed rolls stay.

    Source: SWIM-REST-01 (SWIM-R112).
    """
    before = scene
    scene = end_scene(scene, characters)
    for who in characters:
        character = scene.character(who)
        if character.resources.get(SCRATCHES, 0):
            scene = scene.with_character(character.with_resource(SCRATCHES, 0))
    for key in documents:
        found = scene.document(key)
        is_short = isinstance(found, Task) and found.is_open and not found.is_long
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
            yield PutBack(what="Stabilising", who=name, before="rolled", after="can be rolled again")


def _owned(scene: Scene, who: CharacterId, what: str, before: str) -> PutBack:
    return PutBack(what=what, who=scene.character(who).name, before=before, after="none")


def growth(before: SwimSheet, after: SwimSheet, settings: SwimSettings) -> Iterator[Growth]:
    """Return the skills that rose: by their own rolls, and those that synergy pulled up.

    Source: SWIM-REST-01, SWIM-ADV-07, SWIM-SYN-01.
    """
    skills = book_of(settings)
    earned = {epic.skill for epic in after.epics[len(before.epics) :]}
    for key in sorted({*before.ranks, *after.ranks}, key=lambda one: (one not in earned, one)):
        was, now = skills.rank(before.ranks, key), skills.rank(after.ranks, key)
        yield from grown(skills.title(key), was, now, is_pulled=bool(earned) and key not in earned)


def is_down(character: Character, settings: SwimSettings) -> bool:
    """Whether a character is dead, or a pool is at 0 or below.

    Source: SWIM-COMB-08.
    """
    sheet, skills = character.sheet, book_of(settings)
    left = (
        skills.rank(sheet.ranks, pool.defence) - character.resources.get(wounds_key(pool), 0) for pool in Pool
    )
    return sheet.is_dead or any(points <= 0 for points in left)
