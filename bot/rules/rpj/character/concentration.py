"""Concentration: each full hour restores slots and allows preparing; a broken hour does not count."""

from collections.abc import Sequence

from bot.rules.kernel import CharacterId, DueTimer, evolve
from bot.rules.kernel.wording import counted
from bot.rules.rpj.character.casters import casting_of, grants_of, innate_hour, mages_of, more_slots
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.recovery import HOUR_SECONDS, hourly_recovery, recovered
from bot.rules.rpj.character.sheet import HookResult, Scene
from bot.rules.rpj.module.slots import HOURS_TO_PREPARE, Casting, Slot, governing

CONCENTRATION = "concentration"


def with_casting(scene: Scene, who: CharacterId, casting: Casting) -> Scene:
    """The scene with a character's slots and prepared spells changed, but not what they were taught."""
    character = scene.character(who)
    taught = character.sheet.casting.known
    changed = evolve(casting, known=taught)
    sheet = evolve(character.sheet, casting=changed)
    return scene.with_sheet(character, sheet)


def begun(scene: Scene, who: CharacterId) -> Scene:
    """The scene after a character starts concentrating."""
    casting = casting_of(figure_in(scene, scene.character(who)))
    fresh = evolve(casting, since=scene.clock, hours=0)
    scene = with_casting(scene, who, fresh)
    return scene.with_character(scene.character(who).with_timer(CONCENTRATION, scene.clock + HOUR_SECONDS))


def broken(scene: Scene, who: CharacterId) -> Scene:
    """The scene after a character's concentration is broken; the unfinished hour is lost.

    Source: RPJ-SMAG-16.
    """
    character = scene.character(who)
    casting = character.sheet.casting
    if casting.since is None and not casting.hours:
        return scene
    over = evolve(casting, since=None, hours=0)
    scene = with_casting(scene, who, over)
    return scene.with_character(scene.character(who).with_timer(CONCENTRATION, None))


def is_concentrating(scene: Scene, who: CharacterId) -> bool:
    """Whether a character is concentrating."""
    return scene.character(who).sheet.casting.since is not None


def hours_pass(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """Restore slots for every full hour of concentration.

    Source: RPJ-SMAG-15, RPJ-SMAG-17 (SMAG-17a).
    """
    notes: list[str] = []
    for timer in due:
        moment = scene.character(timer.character).timers[CONCENTRATION]
        while moment <= scene.clock:
            scene, text = _hour(scene, timer.character)
            notes += [text] if text else []
            moment += HOUR_SECONDS
        character = scene.character(timer.character).with_timer(CONCENTRATION, moment)
        scene = scene.with_character(character)
    return HookResult(scene=scene, notes=tuple(notes))


def _hour(scene: Scene, who: CharacterId) -> tuple[Scene, str]:
    character = scene.character(who)
    figure = figure_in(scene, character)
    casting = casting_of(figure)
    leader = governing(mages_of(figure), more_slots(figure))
    own = [slot for slot in casting.slots if not slot.origin]
    after = list(recovered(own, hourly_recovery(leader.effective) if leader else 0))
    for origin, grant in grants_of(figure):
        innate = [slot for slot in casting.slots if slot.origin == origin]
        after += recovered(innate, innate_hour(figure, grant))
    back = [
        str(level)
        for level in sorted({slot.level for slot in casting.slots}, reverse=True)
        for _ in range(_spent(casting.slots, level) - _spent(after, level))
    ]
    hours = casting.hours + 1
    slots = tuple(sorted(after, key=lambda slot: (slot.level, slot.origin)))
    scene = with_casting(scene, who, evolve(casting, slots=slots, hours=hours))
    restored = f"slots of level {', '.join(back)} are ready again" if back else ""
    may_prepare = "prepared spells can be changed" if hours == HOURS_TO_PREPARE else ""
    effects = ", ".join(part for part in (restored, may_prepare) if part)
    long = "an hour" if hours == 1 else counted(hours, "hour")
    return scene, f"{character.name} has concentrated for {long}: {effects}." if effects else ""


def _spent(slots: Sequence[Slot], level: int) -> int:
    return sum(slot.is_spent for slot in slots if slot.level == level)
