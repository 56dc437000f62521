"""Rounds of a mass battle: what characters do in one, rolling it, its message, and the aftermath."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Document,
    Family,
    FollowUp,
    Part,
    Roll,
    Roller,
    SharedPrompt,
    Verdict,
    View,
    answer_in,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, harm, signed
from bot.rules.rpj.character.damage_saves import Strike, next_save, without_save
from bot.rules.rpj.character.incapacity import assert_can, assert_in_action, needs_of, with_health
from bot.rules.rpj.character.sheet import Noted, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.checks.after_a_check import OwnRoll, is_open
from bot.rules.rpj.checks.skill_checks import skill_check, skill_named
from bot.rules.rpj.combat.fight import FIGHTS_KEPT
from bot.rules.rpj.combat.rules.shooting import supplied, with_ammunition
from bot.rules.rpj.mass_battle import (
    BattleSide,
    MassBattle,
    Mode,
    RpjStatus,
    after_rolls,
    assert_may_contribute,
    command_check,
    contribution_check,
    dead_and_wounded,
    ended,
    is_hopeless,
    morale_roll,
    recovery_roll,
    rolling,
    shaken,
    side_roll,
)
from bot.rules.rpj.mass_commands import (
    MASS,
    BattleAtOptions,
    Deed,
    MassRound,
    NothingAsked,
    SurrenderOptions,
    battle_key,
    find_round,
    marker_bar,
    open_round,
    the_round,
    with_felled,
    with_new_round,
    with_round,
)
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module import Module, Pack, RpjSkill, SkillRole
from bot.rules.rpj.module.module_files import is_on, module_in, require
from bot.rules.rpj.resolution.check import RpjReading, check, reading_of
from bot.rules.rpj.resolution.check_inputs import CriticalRules, Policy, RpjCheckInputs, RpjPurpose

COMBAT_ROLES = (SkillRole.ATTACK, SkillRole.COMBAT)
SHARE = "share"


class ContributionOptions(Document):
    """The options of a check in a battle."""

    skill: str = Field(default="", max_length=100)  # the skill; by default the best suitable one
    side: str = Field(default="", max_length=60)  # the side; by default the players'
    rolled: RpjCheckInputs | None = None  # a roll made before, or None


class ShareOptions(Document):
    """The options of choosing where degrees count: for your side, or against the enemy."""

    to_enemy: bool


def commanding_skills(module: Module) -> tuple[RpjSkill, ...]:
    """The skills for commanding sides."""
    return module.skills_for(SkillRole.COMMAND)


def fighting_skills(module: Module) -> tuple[RpjSkill, ...]:
    """The skills that count as combat skills without the GM's approval."""
    return tuple(skill for skill in module.skills if set(skill.roles) & set(COMBAT_ROLES))


def _skill(figure: Stats, typed: str, usual: tuple[RpjSkill, ...]) -> RpjSkill:
    if typed:
        return skill_named(figure.module, typed)
    best = max(usual, key=figure.effective_level, default=None)
    if best is None:
        raise UserError("Choose a skill.")
    return best


def _place(battle_round: MassRound, side: str) -> int:
    return battle_round.battle.place(side) if side else 0


# --- whose skill counts --------------------------------------------------------------------------


@procedure("mass.command")
def command(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Command a side, once per round; an unusual skill needs the GM's approval. [RPJ-MASS-06]"""
    return _asked(scene, options, dice, usual=commanding_skills, deed="command")


@procedure("mass.contribute")
def contribute(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Fight for a side, once per round; a skill that is no combat skill needs the GM's approval.

    [RPJ-MASS-09]
    """
    return _asked(scene, options, dice, usual=fighting_skills, deed="contribute")


def _asked(
    scene: Scene,
    options: ContributionOptions,
    dice: Dice,
    *,
    usual: Callable[[Module], tuple[RpjSkill, ...]],
    deed: str,
) -> Outcome:
    require(scene, Pack.MASS_COMBAT)
    figure = figure_in(scene, scene.actor)
    skill = _skill(figure, options.skill, usual(figure.module))
    named = evolve(options, skill=skill.id)
    rolls = _commanded if deed == "command" else _contributed
    if skill in usual(figure.module) or options.rolled is not None:
        return rolls(scene, named, dice)
    battle_round = open_round(scene)
    _place(battle_round, options.side)
    button = FollowUp(
        procedure=f"mass.let_{deed}",
        options=named,
        label=f"Allow {skill.name} (GM)",
        audience=Audience.GM,
        character=scene.actor.id,
        group=deed,
        deal=_round_words(battle_round),
        is_owed=True,
    )
    return Outcome(scene=scene, headline=f"wants to {deed} with {skill.name}", follow_ups=(button,))


def _round_words(battle_round: MassRound) -> str:
    """The round the GM is asked about."""
    battle = battle_round.battle
    return f"round {battle.round} of {' against '.join(side.name for side in battle.sides)}"


@procedure("mass.let_command", gm_only=True)
def let_command(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Allow commanding with an unusual skill, in the round it was asked for."""
    require(scene, Pack.MASS_COMBAT)
    deal = _round_words(open_round(scene))
    return replace(_commanded(scene, options, dice), deal=deal)


@procedure("mass.let_contribute", gm_only=True)
def let_contribute(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Allow contributing with an unusual skill, in the round it was asked for."""
    require(scene, Pack.MASS_COMBAT)
    deal = _round_words(open_round(scene))
    return replace(_contributed(scene, options, dice), deal=deal)


# --- the checks ----------------------------------------------------------------------------------


def _own(scene: Scene, options: ContributionOptions, procedure: str) -> OwnRoll:
    return OwnRoll(
        procedure=procedure,
        options=lambda rolled: evolve(options, rolled=rolled),
        roller=scene.actor.id,
        improves=True,
    )


def _degrees(roll: Roll) -> int | None:
    reading: RpjReading = reading_of(roll)
    return reading.degrees


def _commanded(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Roll a command check. [RPJ-MASS-06 (MASS-06a, MASS-06b), RPJ-MASS-12 (MASS-12b)]"""
    battle_round, actor = open_round(scene), scene.actor
    figure = figure_in(scene, actor)
    skill, place = skill_named(figure.module, options.skill), _place(battle_round, options.side)
    side = battle_round.battle.sides[place]
    if battle_round.command(place) is not None and options.rolled is None:
        raise UserError(f"{side.name} have already had a command check this round.")
    assert_in_action(actor.name, figure.sheet.health, "act in this battle")
    assert_can(figure, *needs_of(skill.tags))
    plain = skill_check(figure, skill)
    own = _own(scene, options, "mass.command")
    inputs = options.rolled or command_check(plain.terms, plain.criticals)
    paid, roll = own.thrown(scene, inputs, dice)
    outcome = Outcome(
        scene=paid,
        paid=paid,
        headline=f"commands {side.name} with {skill.name}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=own.notes(paid, roll),
        follow_ups=own.buttons(paid, roll),
        skill=skill.name,
    )
    deed = _noted(scene, outcome, place, _degrees(roll))
    return replace(outcome, scene=with_round(paid, battle_round.with_command(deed)))


def _noted(scene: Scene, outcome: Outcome, place: int, degrees: int | None) -> Deed:
    answer = answer_in(Noted(scene=scene, outcome=outcome, actor=scene.actor.id), None)
    if answer is None:  # somebody acts, and has rolled
        raise LookupError("a deed without a roll")
    return Deed(who=scene.actor.id, place=place, answer=answer, degrees=degrees)


def _contributed(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Roll a contribution check: degrees help, a failure costs a save without a roll.

    [RPJ-MASS-09, RPJ-MASS-10, RPJ-MASS-11 (MASS-11a, MASS-11b), RPJ-MASS-19 (MASS-19a)]
    """
    battle_round, actor = open_round(scene), scene.actor
    figure = figure_in(scene, actor)
    skill, place = skill_named(figure.module, options.skill), _place(battle_round, options.side)
    assert_in_action(actor.name, figure.sheet.health, "act in this battle")
    assert_can(figure, *needs_of(skill.tags))
    if options.rolled is None:
        assert_may_contribute(battle_round.standing, actor.id)
        _assert_no_turns(scene, battle_round, actor.id)
        scene = _with_shots(scene, figure, skill)
    plain = skill_check(figure, skill)
    own = _own(scene, options, "mass.contribute")
    standing = battle_round.standing
    inputs = options.rolled or contribution_check(standing, place, plain.terms, plain.criticals)
    paid, roll = own.thrown(scene, inputs, dice)
    degrees = _degrees(roll)
    after, lost = (paid, ()) if degrees is not None or is_open(roll) else _struck(paid, actor.id)
    outcome = Outcome(
        scene=after,
        paid=paid,
        headline=f"fights for {battle_round.battle.sides[place].name} with {skill.name}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(*lost, *own.notes(paid, roll)),
        follow_ups=(*_shares(battle_round, actor.id, place, degrees), *own.buttons(paid, roll)),
        skill=skill.name,
    )
    deed = _noted(scene, outcome, place, degrees)
    return replace(outcome, scene=with_round(after, battle_round.with_contribution(deed)))


def _assert_no_turns(scene: Scene, battle_round: MassRound, who: CharacterId) -> None:
    """Refuse a contribution by a character who takes turns in the fight alongside the battle.

    [RPJ-MASS-19 (MASS-19a)]
    """
    fight = FIGHTS_KEPT.find(scene)
    is_beside = battle_round.battle.mode is Mode.INTEGRATED and fight is not None and fight.has_begun
    if is_beside and fight is not None and fight.combatant(who) is not None:
        raise UserError("You take turns in the fight, so you can't contribute to the battle too.")


def _struck(scene: Scene, who: CharacterId) -> tuple[Scene, tuple[str, ...]]:
    """The scene after a character loses their next save without a roll. [RPJ-MASS-11 (MASS-11a)]"""
    character = scene.character(who)
    figure = figure_in(scene, character)
    spot = next_save(figure, Strike())
    if spot is None:
        return scene, ()
    health, _breaks = without_save(figure, spot, Strike())
    out = f" {character.name} is {health.out}." if health.out is not Out.NO else ""
    text = f"{character.name} loses a {spot.layer.name} save ({spot.target}+) without a roll.{out}"
    return with_health(scene, character, health), (text,)


def _with_shots(scene: Scene, figure: Stats, skill: RpjSkill) -> Scene:
    """The scene after two attacks' worth of ammunition is spent, where the weapon needs any.

    [RPJ-MASS-11 (MASS-11b)]
    """
    found = next((one for one in supplied(figure) if one[0].skill == skill.id), None)
    if found is None:
        return scene
    weapon, magazine, had = found
    ready = had if had.loaded else had.reloaded(magazine.capacity)
    after = with_ammunition(figure, weapon.id, ready.spent_in_battle(weapon.name))
    actor = scene.actor
    ammunition = after.sheet.ammunition
    sheet = evolve(actor.sheet, ammunition=ammunition)
    return scene.with_sheet(actor, sheet)


def _shares(
    battle_round: MassRound, who: CharacterId, place: int, degrees: int | None
) -> tuple[FollowUp, ...]:
    """The buttons for the two ways a success can count. [RPJ-MASS-10 (MASS-10a)]"""
    if not degrees:
        return ()
    own, enemy = battle_round.battle.sides[place], battle_round.battle.sides[1 - place]
    labels = ((False, f"{own.name} +{degrees}"), (True, f"{enemy.name} −{degrees}"))
    return tuple(
        FollowUp(
            procedure="mass.share",
            options=ShareOptions(to_enemy=to_enemy),
            label=label,
            character=who,
            group=SHARE,
        )
        for to_enemy, label in labels
    )


@procedure("mass.share")
def share(scene: Scene, options: ShareOptions, _dice: Dice) -> Outcome:
    """Choose whether a success raises the own side or lowers the other. [RPJ-MASS-10 (MASS-10a)]

    Raises:
        UserError: If there is no success, or the choice is made.
    """
    require(scene, Pack.MASS_COMBAT)
    battle_round = open_round(scene)
    deed = battle_round.contribution(scene.actor.id)
    if deed is None or not deed.degrees:
        raise UserError("You have no success this round to use.")
    if deed.to_enemy is not None:
        raise UserError("You have already chosen where your success counts.")
    at = 1 - deed.place if options.to_enemy else deed.place
    name, sign = battle_round.battle.sides[at].name, "−" if options.to_enemy else "+"
    changed = evolve(deed, to_enemy=options.to_enemy)
    return Outcome(
        scene=with_round(scene, battle_round.with_contribution(changed)),
        headline=f"uses the success: {sign}{deed.degrees} for {name}",
    )


def _criticals(scene: Scene) -> CriticalRules:
    """The criticals of rolls without a character, which always count. [RPJ-MASS-12 (MASS-12a)]"""
    return evolve(module_in(scene.settings).criticals, combat=Policy.ALWAYS)


def _of(side: BattleSide, roll: Roll, purpose: RpjPurpose = RpjPurpose.BATTLE) -> Roll:
    return roll.by(Roller(name=side.name), purpose)


@procedure("mass.round", gm_only=True, needs_actor=False)
def fight_round(scene: Scene, options: BattleAtOptions, dice: Dice) -> Outcome:
    """Roll the round: both sides, losses, morale, and who leaves.

    [RPJ-MASS-04, RPJ-MASS-12 to RPJ-MASS-16, RPJ-MASS-19]
    """
    require(scene, Pack.MASS_COMBAT)
    battle_round = open_round(scene)
    if options.at not in ("", battle_round.key):
        raise UserError("That round is already over.")
    battle_round = with_felled(scene, battle_round)
    battle, criticals = battle_round.standing, _criticals(scene)
    rolls: list[Roll] = []
    degrees: list[int | None] = [None, None]
    for place in rolling(battle):
        rolls.append(_of(battle.sides[place], check(side_roll(battle, place, criticals), dice)))
        degrees[place] = reading_of(rolls[-1]).degrees
    after = after_rolls(battle, (degrees[0], degrees[1]))
    routed, morale = [], {}
    for place in shaken(after):
        side = after.sides[place]
        rolls.append(_of(side, check(morale_roll(side, criticals), dice), RpjPurpose.MORALE))
        holds = reading_of(rolls[-1]).result.is_success
        routed += [] if holds else [place]
        morale[place] = "morale holds" if holds else "morale fails"
    return _fought(scene, battle_round, ended(after, tuple(routed)), rolls, morale)


def _fought(
    scene: Scene, battle_round: MassRound, after: MassBattle, rolls: list[Roll], morale: dict[int, str]
) -> Outcome:
    """The outcome of a rolled round, with its losses in one line, and the next round or the end."""
    sides = zip(battle_round.battle.sides, after.sides, strict=True)
    costs = [
        f"{new.name} {old.markers} → {new.markers}"
        + (f", {morale[place]}" if place in morale else "")
        + (f", {new.status}" if new.status is not RpjStatus.FIGHTING else "")
        for place, (old, new) in enumerate(sides)
    ]
    losses = f"Markers: {'; '.join(costs)}."
    closed = evolve(
        battle_round, is_closed=True, told=(f"Round {battle_round.battle.round}: {'; '.join(costs)}.",)
    )
    following = MassRound(key=f"{MASS}/{scene.moment}", battle=after, felled=battle_round.felled)
    return Outcome(
        scene=with_new_round(with_round(scene, closed), following),
        headline=f"rolls round {battle_round.battle.round} of the battle",
        verdict=Verdict(Family.NEWS, _verdict(after)),
        rolls=tuple(rolls),
        notes=(harm(losses),),
        follow_ups=(_aftermath_button(after),) if after.is_over else (),
        gathering="" if after.is_over else following.key,
    )


def _verdict(battle: MassBattle) -> str:
    if not battle.is_over:
        return f"round {battle.round} starts"
    winner = next((side.name for side in battle.sides if side.status is RpjStatus.VICTORIOUS), None)
    if winner is not None:
        return f"victory for {winner}"
    wiped_out = all(side.status is RpjStatus.WIPED_OUT for side in battle.sides)
    return "both lose" if wiped_out else "nobody wins"


def _battle_words(battle: MassBattle) -> str:
    """The battle in words."""
    return f"{' against '.join(side.name for side in battle.sides)}, {counted(battle.round, 'round')}"


def _aftermath_button(battle: MassBattle) -> FollowUp:
    return FollowUp(
        procedure="mass.aftermath",
        options=NothingAsked(),
        label="Roll for the wounded (GM)",
        audience=Audience.GM,
        group="aftermath",
        deal=_battle_words(battle),
    )


@procedure("mass.surrender", gm_only=True, needs_actor=False)
def surrender(scene: Scene, options: SurrenderOptions, _dice: Dice) -> Outcome:
    """Let a side surrender before a hopeless battle. [RPJ-MASS-03]"""
    require(scene, Pack.MASS_COMBAT)
    battle_round = open_round(scene)
    name = battle_round.battle.sides[options.place].name
    return Outcome(
        scene=_gone(scene, battle_round),
        headline=f"lets {name} surrender",
        notes=("The battle is called off.",),
    )


# --- after the battle ----------------------------------------------------------------------------


@procedure("mass.aftermath", gm_only=True, needs_actor=False)
def aftermath(scene: Scene, _options: NothingAsked, dice: Dice) -> Outcome:
    """Roll for every lost marker, and report the dead and wounded.

    Raises:
        UserError: If the battle is not over, or this was already done.

    [RPJ-MASS-17 (MASS-17a), RPJ-MASS-18 (MASS-18a)]
    """
    require(scene, Pack.MASS_COMBAT)
    battle_round = the_round(scene)
    if not battle_round.battle.is_over:
        raise UserError("The battle isn't over yet.", "A side must retreat, rout or be wiped out first.")
    if battle_round.is_closed:
        raise UserError("The wounded of this battle have already been rolled.")
    criticals = _criticals(scene)
    rolls: list[Roll] = []
    notes: list[str] = []
    for side in battle_round.battle.sides:
        inputs: RpjCheckInputs = recovery_roll(side, criticals)
        own = [_of(side, check(inputs, dice), RpjPurpose.RECOVERY) for _ in range(side.lost)]
        for_good = sum(not reading_of(roll).result.is_success for roll in own)
        dead, wounded = dead_and_wounded(side, for_good)
        lost = f"{counted(side.lost, 'marker')} lost, {for_good} for good" if side.lost else "no markers lost"
        notes.append(
            harm(f"{side.name}, {side.status}: {lost}; {dead} dead, lost or captured, {wounded} wounded.")
        )
        rolls += own
    closed = evolve(battle_round, is_closed=True, told=tuple(notes))
    return Outcome(
        scene=with_round(scene, closed),
        headline="rolls for the wounded",
        verdict=Verdict(Family.NEWS, _verdict(battle_round.battle)),
        rolls=tuple(rolls),
        notes=tuple(notes),
        deal=_battle_words(battle_round.battle),
    )


def _gone(scene: Scene, battle_round: MassRound) -> Scene:
    closed = evolve(battle_round, is_closed=True)
    return with_round(scene, closed).with_document(battle_key(scene), None)


@procedure("mass.end", gm_only=True, needs_actor=False)
def end(scene: Scene, _options: NothingAsked, _dice: Dice) -> Outcome:
    """End a battle by the GM's decision. [RPJ-MASS-16]"""
    require(scene, Pack.MASS_COMBAT)
    return Outcome(scene=_gone(scene, the_round(scene)), headline="ends the battle")


@procedure("mass.show", needs_actor=False)
def show(scene: Scene, _options: NothingAsked, _dice: Dice) -> Outcome:
    """Show the channel's battle again, for everyone. [RPJ-MASS-04]"""
    require(scene, Pack.MASS_COMBAT)
    battle_round = the_round(scene)
    return Outcome(
        scene=scene,
        headline=f"shows round {battle_round.battle.round} of the battle",
        gathering=battle_round.key,
    )


MOST_CHOICES = 25


def ledger_lines(battle: MassBattle) -> tuple[str, ...]:
    """A line for each side: its markers, its modifier and the parts of it.

    [RPJ-MASS-04, RPJ-MASS-05, RPJ-MASS-07]
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
    """The message of a round. [RPJ-MASS-04]"""
    battle = battle_round.standing
    is_open = not battle_round.is_closed and not battle.is_over
    parts = tuple(
        _part(deed, is_open=is_open) for deed in (*battle_round.commands, *battle_round.contributions)
    )
    lines = battle_round.told if battle_round.told else ledger_lines(battle)
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
        yield _menu("mass.command", f"Command {own.name} with …", [one.name for one in commanding])
    if fighting:
        names = [one.name for one in fighting]
        yield _menu("mass.contribute", f"Fight for {own.name} with …", names)
    if not battle_round.has_begun and is_hopeless(battle_round.battle):
        weaker = min((0, 1), key=lambda place: battle_round.battle.sides[place].strength)
        yield FollowUp(
            procedure="mass.surrender",
            options=SurrenderOptions(at=battle_round.key, place=weaker),
            label=f"{battle_round.battle.sides[weaker].name}: surrender (GM)",
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
    """The button for the battle's round, when the fight's round is over. [RPJ-MASS-19 (MASS-19a)]"""
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
