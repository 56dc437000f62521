"""Rest and the GM's healing: base saves that come back."""

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.rpj.combat.incapacity import Wait, recovered
from bot.rules.rpj.damage_saves import rested, still_lost
from bot.rules.rpj.damage_saves import with_health as figure_with
from bot.rules.rpj.harm import with_health
from bot.rules.rpj.health import Health, Out
from bot.rules.rpj.magic.wielders import kept_wild, rested_hours
from bot.rules.rpj.people import figure_in, sheet_of
from bot.rules.rpj.switches import Pack
from bot.rules.ruleset import CharacterId, Document, Outcome, Procedure, Scene

HOUR = 3600


class RestOptions(Document):
    """Who rests, how long, and which base saves come back first, by their target number."""

    hours: int = Field(ge=1, le=48)
    who: tuple[CharacterId, ...] = Field(min_length=1, max_length=20)
    first: int | None = Field(default=None, ge=2, le=20)


class HealOptions(Document):
    """Base saves that the GM gives back, and which of them first, by their target number."""

    target: CharacterId
    saves: int = Field(default=1, ge=1, le=20)
    first: int | None = Field(default=None, ge=2, le=20)


def rest(scene: Scene, options: RestOptions, _dice: Dice) -> Outcome:
    """Let hours of rest pass: every two bring a base save back; what is worn is not mended by it.

    Source: RPJ-HEALTH-20, RPJ-GM-07, RPJ-GCS-40 (R-104), RPJ-GCS-41, RPJ-WMAG-09.
    """
    begun, ends = scene.clock, scene.clock + options.hours * HOUR
    later = scene.at_clock(ends)
    for id_ in dict.fromkeys(options.who):
        character = scene.character(id_)
        figure, since = figure_in(scene, character), begun
        due = character.timers.get(Wait.WEAK, character.timers.get(Wait.SLEEPING))
        if due is not None and due <= ends:  # only from then on does rest bring anything
            figure, since = figure_with(figure, recovered(figure)), max(due, begun)
        full = (ends - since) // HOUR
        later = with_health(later, character, rested(figure.sheet.health, full, options.first))
        if figure.plays(Pack.WILD_MAGIC):
            later = kept_wild(later, id_, rested_hours(figure, full))
    names = ", ".join(scene.character(id_).name for id_ in dict.fromkeys(options.who))
    hours = "1 hour" if options.hours == 1 else f"{options.hours} hours"
    return Outcome(scene=later, headline=f"lets {names} rest for {hours}")


def heal(scene: Scene, options: HealOptions, _dice: Dice) -> Outcome:
    """Give base saves back; who has one again is back in action.

    Raises:
        Mistake: If none is lost.

    Source: RPJ-HEALTH-16 (R-133), RPJ-GCS-41 (R-105), RPJ-GM-04.
    """
    target = scene.character(options.target)
    health = sheet_of(target).health
    if not health.lost_base and health.out is Out.NO:
        raise Mistake(f"{target.name} has lost no base save.", "/rpj health repair mends what is worn.")
    left = still_lost(health.lost_base, options.saves, options.first)
    after = Health(layers=health.layers, lost_base=left)
    return Outcome(scene=with_health(scene, target, after), headline=f"heals {target.name}")


REST_PROCEDURES = (
    Procedure(key="rest", options=RestOptions, run=rest, gm_only=True, needs_actor=False),
    Procedure(key="heal", options=HealOptions, run=heal, gm_only=True, needs_actor=False),
)
