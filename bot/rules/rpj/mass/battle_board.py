"""The message of a battle round: both sides' markers and modifiers, checks so far, and buttons."""

from collections.abc import Iterator

from bot.rules.kernel import Audience, Choice, Family, FollowUp, Part, SharedPrompt, Verdict, View
from bot.rules.kernel.wording import signed
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.mass.battle import MassBattle, Mode, RpjStatus, is_hopeless
from bot.rules.rpj.mass.battle_commands import BattleAtOptions, SurrenderOptions
from bot.rules.rpj.mass.contribution_commands import ContributionOptions, commanding_skills, fighting_skills
from bot.rules.rpj.mass.mass_round import Deed, MassRound, find_round, marker_bar
from bot.rules.rpj.module.require_rules import Pack, is_on
from bot.rules.rpj.module.settings import module_in

MOST_CHOICES = 25


def ledger_lines(battle: MassBattle) -> tuple[str, ...]:
    """A line for each side: its markers, its modifier and the parts of it.

    Source: RPJ-MASS-04, RPJ-MASS-05, RPJ-MASS-07.
    """
    return tuple(_ledger_line(battle, place) for place in (0, 1))


def _ledger_line(battle: MassBattle, place: int) -> str:
    side = battle.sides[place]
    bar = f"{side.name} {marker_bar(side)} {side.markers} of {side.start}"
    if side.status is not RpjStatus.FIGHTING:
        return f"{bar} · {side.status}"
    if side.retreats:
        return f"{bar} · retreats at the end of this round"
    parts = " ".join(f"{signed(part.value)} {part.label}" for part in battle.modifier_parts(place))
    return f"{bar} · {signed(battle.modifier(place))}" + (f" ({parts})" if parts else "")


def view_round(battle_round: MassRound, scene: Scene) -> View:
    """The message of a round.

    Source: RPJ-MASS-04.
    """
    battle = battle_round.standing
    is_open = not battle_round.is_closed and not battle.is_over
    parts = tuple(
        _part(deed, is_open=is_open) for deed in (*battle_round.commands, *battle_round.contributions)
    )
    lines = (*ledger_lines(battle), *battle_round.told)
    if not is_open:
        return View(parts=parts, lines=lines, verdict=Verdict(Family.NEWS, _standing_word(battle_round)))
    return View(parts=parts, lines=lines, follow_ups=tuple(_offers(battle_round, scene)))


def _standing_word(battle_round: MassRound) -> str:
    return "over" if battle_round.battle.is_over else f"round {battle_round.battle.round} is over"


def _part(deed: Deed, *, is_open: bool) -> Part:
    part = deed.answer.part
    return part if is_open else Part(who=part.who, rolls=part.rolls, verdict=part.verdict, notes=part.notes)


def _offers(battle_round: MassRound, scene: Scene) -> Iterator[FollowUp]:
    module = module_in(scene.settings)
    own = battle_round.battle.sides[0]
    commanding, fighting = commanding_skills(module), fighting_skills(module)
    if battle_round.command(0) is None and commanding:
        yield _menu("mass.command", f"Command {own.name[:60]} with …", [one.name for one in commanding])
    if fighting:
        names = [one.name for one in fighting]
        yield _menu("mass.contribute", f"Fight for {own.name[:60]} with …", names)
    begun = battle_round.commands or battle_round.contributions or battle_round.battle.round > 1
    if not begun and is_hopeless(battle_round.battle):
        weaker = min((0, 1), key=lambda place: battle_round.battle.sides[place].strength)
        yield FollowUp(
            procedure="mass.surrender",
            options=SurrenderOptions(at=battle_round.key, place=weaker),
            label=f"{battle_round.battle.sides[weaker].name[:50]}: surrender (GM)",
            audience=Audience.GM,
            group="surrender",
        )
    yield roll_button(battle_round)


def _menu(procedure: str, label: str, names: list[str]) -> FollowUp:
    return FollowUp(
        procedure=procedure,
        options=ContributionOptions(),
        label=label[:80],
        audience=Audience.ANYONE,
        choices=tuple(Choice(name, name) for name in names[:MOST_CHOICES]),
        chosen="skill",
        group=procedure,
    )


def roll_button(battle_round: MassRound) -> FollowUp:
    """The GM's button to roll the round."""
    beside = ", after the fight's" if battle_round.battle.mode is Mode.INTEGRATED else ""
    return FollowUp(
        procedure="mass.round",
        options=BattleAtOptions(at=battle_round.key),
        label=f"Roll round {battle_round.battle.round}{beside} (GM)",
        audience=Audience.GM,
        group="roll",
    )


def offered_beside(scene: Scene) -> tuple[FollowUp, ...]:
    """The button for the battle's round, when the fight's round is over.

    Source: RPJ-MASS-19 (MASS-19a).
    """
    battle_round = find_round(scene)
    is_due = (
        battle_round is not None
        and battle_round.battle.mode is Mode.INTEGRATED
        and not battle_round.battle.is_over
    )
    if battle_round is None or not is_due or not is_on(scene.settings, Pack.MASS_COMBAT):
        return ()
    return (roll_button(battle_round),)


MASS_PROMPT = SharedPrompt(model=MassRound, view=view_round)
