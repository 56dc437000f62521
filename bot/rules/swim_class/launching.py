"""Make an opposed roll, and let its targets defend."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import CharacterId, Choice, Document, Family, FollowUp, Verdict, evolve
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.swim_class.defending import defence_buttons, defence_inputs, is_helpless, legal_defences
from bot.rules.swim_class.encounter import find_encounter, squares_words
from bot.rules.swim_class.growth import Earned, grow
from bot.rules.swim_class.opposition import DefenceInputs
from bot.rules.swim_class.plans import PoolPlan, with_part
from bot.rules.swim_class.pools import (
    SwimPoolInputs,
    SwimPurpose,
    attack_odds,
    attack_sides,
    attack_ways,
    effort,
    roll_pool,
)
from bot.rules.swim_class.settling import (
    ContestShare,
    Effect,
    SwimContest,
    SwimStruck,
    awaiting,
    settle_helpless,
    with_awaiting,
)
from bot.rules.swim_class.sheet import Outcome, Scene, wear
from bot.rules.swim_class.tables import Pool, SkillKey
from bot.rules.swim_class.together import released
from bot.rules.swim_class.unopposed_roll import Prepared, kept_note, part_note, prepare

MOST_EFFORT, LITTLE_EFFORT = 5000, 250  # of counting a chance: at most about 0.4 s, and 0.02 s


class SwimAim(Struct, frozen=True, kw_only=True):
    """A target: its share of the dice (None: all), its bonus, and whether it is unaware."""

    target: CharacterId
    dice: int | None = None
    bonus: int = 0
    is_unaware: bool = False


class Launch(Struct, frozen=True, kw_only=True):
    """An opposed roll that is about to be made; see `SwimContest` for its fields."""

    plan: PoolPlan
    aims: tuple[SwimAim, ...]
    words: str
    effect: Effect = Effect.HIT
    pool: Pool = Pool.PHYSICAL
    counters: tuple[SkillKey, ...] = ()
    is_melee: bool = False
    is_magic: bool = False
    is_area: bool = False
    is_action: bool = True
    notes: tuple[str, ...] = ()


class Launched(Struct, frozen=True, kw_only=True):
    """An opposed roll that was made: its outcome, and the contest before any defense."""

    outcome: Outcome
    contest: SwimContest


def launch(scene: Scene, who: CharacterId, launched: Launch, dice: Dice) -> Launched:
    """Make an opposed roll as a character. [SWIM-OPP-01, SWIM-COMB-01, SWIM-COMB-02, SWIM-AREA-06]

    Raises:
        UserError: If the character cannot act, or the plan is not allowed.
    """
    _assert_targets(scene, who, launched)
    scene, plan = released(scene, who, replace(launched.plan, is_opposed=True))
    prepared = prepare(scene, scene.character(who), plan, is_action=launched.is_action)
    scene, plan = _after_part(prepared, who), prepared.plan
    inputs = prepared.planned.inputs
    contest = _contest(who, launched, prepared, _with_foe(scene, who, launched, prepared))
    purpose = SwimPurpose.ATTACK if launched.effect is Effect.HIT else SwimPurpose.CONTEST
    roll = roll_pool(contest.inputs, dice).by(scene.character(who), purpose)
    contest = evolve(contest, faces=tuple(die.face for die in roll.dice))
    scene, strained = _strained(scene, who, plan, prepared.planned.skill)
    worn = wear(scene, who, prepared.planned.uses, dice)
    key = f"contest/{scene.moment}"
    opened = _opened(worn.scene, key, contest, launched.aims)
    skill = f"{inputs.skill} {prepared.planned.rank}"
    before = (*prepared.notes, *prepared.planned.notes, *kept_note(inputs), *launched.notes)
    notes = (*before, *part_note(scene, prepared.part), *strained, *worn.notes)
    outcome = Outcome(
        scene=opened.scene,
        headline=f"{launched.words} ({skill})",
        verdict=opened.verdict,
        rolls=(roll, *worn.rolls),
        notes=(*notes, *opened.notes),
        follow_ups=opened.follow_ups,
    )
    return Launched(outcome=outcome, contest=contest)


def chance_of(scene: Scene, who: CharacterId, launched: Launch) -> Fraction | None:
    """The chance of an opposed roll, without rolling.

    Returns:
        The chance, or None if several oppose it, or if counting takes too long.

    Raises:
        UserError: If it is not allowed.
    """
    _assert_targets(scene, who, launched)
    scene, plan = released(scene, who, replace(launched.plan, is_opposed=True))
    prepared = prepare(scene, scene.character(who), plan, is_action=launched.is_action)
    return attack_odds(_with_foe(prepared.scene, who, launched, prepared, LITTLE_EFFORT)).enough


def _assert_targets(scene: Scene, who: CharacterId, launched: Launch) -> None:
    targets = [aim.target for aim in launched.aims]
    if not targets:
        raise UserError("Choose a target.", try_this="Give a target's name.")
    if len(set(targets)) < len(targets):
        raise UserError("Choose each target only once.")
    if who in targets and launched.effect is not Effect.LIFT:
        raise UserError("You can't target yourself.", try_this="Choose another target.")
    for target in targets:
        if scene.character(target).sheet.is_dead:
            raise UserError(f"{scene.character(target).name} is dead.")


def _after_part(prepared: Prepared, who: CharacterId) -> Scene:
    """Store the rest of a divided action until all of it is opposed. [SWIM-ADV-04, SWIM-POOL-08]"""
    if prepared.part is None:
        return prepared.scene
    pending = evolve(prepared.part, pending=prepared.part.pending + 1)
    return with_part(prepared.scene, who, pending)


def _shares(scene: Scene, launched: Launch, count: int) -> tuple[ContestShare, ...]:
    """Divide the dice among the targets; leftover dice are not used. [SWIM-COMB-02]"""
    shares, place = [], 0
    for aim in launched.aims:
        dice = count if aim.dice is None else aim.dice
        start = 0 if aim.dice is None else place
        if start + dice > count:
            have = counted(count, "die", "dice")
            raise UserError(f"You have {have} to divide.", "The shares add up to more.")
        place += dice
        shares.append(
            ContestShare(
                target=aim.target,
                name=scene.character(aim.target).name,
                places=tuple(range(start, start + dice)),
                bonus=aim.bonus,
            )
        )
    return tuple(share for share in shares if share.places)


def _contest(who: CharacterId, launched: Launch, prepared: Prepared, inputs: SwimPoolInputs) -> SwimContest:
    planned, plan, part = prepared.planned, prepared.plan, prepared.part
    return SwimContest(
        attacker=who,
        skill=planned.skill,
        rank=planned.rank,
        inputs=inputs,
        faces=(1,) * inputs.size,
        factor=plan.push,
        modifier=planned.modifier,
        effect=launched.effect,
        needed=plan.needed or 1,
        pool=launched.pool,
        counters=launched.counters,
        is_melee=launched.is_melee,
        is_magic=launched.is_magic,
        is_area=launched.is_area,
        is_whole=planned.is_whole,
        part="" if part is None else part.id,
        was_strained=plan.is_strained or (part is not None and part.was_strained),
        shares=_shares(prepared.scene, launched, len(inputs.banked) + inputs.size),
    )


def _with_foe(
    scene: Scene, who: CharacterId, launched: Launch, prepared: Prepared, most: int = MOST_EFFORT
) -> SwimPoolInputs:
    """The pool with its target's best defense, for the chance beforehand.

    With so many dice that counting takes long, no chance is shown.
    """
    inputs = prepared.planned.inputs
    aim = launched.aims[0]
    if len(launched.aims) > 1 or aim.dice is not None:
        return inputs
    contest = _contest(who, launched, prepared, inputs)
    target = scene.character(aim.target)
    if aim.is_unaware or is_helpless(scene, contest, target):
        inputs = evolve(inputs, counts=contest.counts)
        return evolve(inputs, foe_dice=0, foe_modifier=aim.bonus, die_hits=contest.factor)
    against = [
        _against(inputs, defence_inputs(scene, contest, contest.shares[0], skill))
        for skill in legal_defences(scene, contest, target)
    ]
    if any(effort(*attack_sides(one)) > most for one in against):
        return inputs
    return min(against, key=lambda one: _harm(contest, one))


def _against(inputs: SwimPoolInputs, defence: DefenceInputs) -> SwimPoolInputs:
    """A pool against the dice of a defense."""
    foe = {
        "foe_dice": defence.size,
        "foe_modifier": defence.implicit_modifier,
        "foe_groups": defence.groups,
        "die_hits": defence.factor,
        "counts": defence.counts,
    }
    return evolve(inputs, **foe)


def _harm(contest: SwimContest, inputs: SwimPoolInputs) -> Fraction:
    """What a defense lets through: average hits, or the chance that enough get through. [SWIM-OPP-05]"""
    ways = attack_ways(inputs)
    if contest.counts_each:
        return Fraction(sum(hits * cases for hits, cases in ways.ways.items()), ways.of)
    return ways.chance(lambda hits: hits >= contest.needed).fraction


def _strained(
    scene: Scene, who: CharacterId, plan: PoolPlan, skill: SkillKey
) -> tuple[Scene, tuple[str, ...]]:
    if not plan.is_strained:
        return scene, ()
    return grow(scene, who, Earned(skill=skill, has_advanced=False, is_strained=True))


def _opened(scene: Scene, key: str, contest: SwimContest, aims: Sequence[SwimAim]) -> SwimStruck:
    """Offer defenses to the targets; those who cannot defend are settled at once."""
    notes: list[str] = []
    buttons: list[FollowUp] = []
    verdict: Verdict | None = None
    scene = scene.with_document(key, contest)
    unaware = {aim.target for aim in aims if aim.is_unaware}
    for share in contest.shares:
        contest = scene.stored(SwimContest, key) or contest
        if share.target in unaware or is_helpless(scene, contest, scene.character(share.target)):
            struck = settle_helpless(scene, key, contest, share)
            scene, verdict = struck.scene, struck.verdict
            notes += struck.notes
            buttons += struck.follow_ups
        else:
            scene = with_awaiting(scene, share.target, (*awaiting(scene, share.target), key))
            buttons += defence_buttons(scene, key, contest, share)
    strikes = len([die for die in contest.dice if die.value >= contest.inputs.difficulty])
    waiting = Verdict(Family.NEWS, f"{counted(strikes, 'die', 'dice')} to stop")
    return SwimStruck(
        scene=scene,
        verdict=waiting if verdict is None or scene.document(key) is not None else verdict,
        notes=tuple(notes),
        follow_ups=tuple(buttons),
    )


MENU = (*range(1, 13), 14, 16, 18, 20, 24, 28, 32, 36, 40, 50, 60, 80, 100)  # squares to choose from


def asking_for_distance(
    scene: Scene,
    procedure: str,
    options: Document,
    target: CharacterId,
    what: str,
    worth: Callable[[int], str],
) -> Outcome:
    """Ask how far away a target is before anything is rolled.

    Args:
        procedure: The procedure to call with the option `distance`.
        options: Its other options.
        what: The skill or power, in words.
        worth: Describes what a distance means for the roll.

    Raises:
        UserError: If the roll would not be allowed anyway.
    """
    name = scene.character(target).name
    menu = FollowUp(
        procedure=procedure,
        options=options,
        label=f"How far away is {name}?",
        character=scene.actor_id,
        choices=tuple(Choice(str(squares), squares_words(squares), worth(squares)) for squares in MENU),
        chosen="distance",
        group="distance",
    )
    return Outcome(
        scene=scene,
        headline=f"aims at {name} ({what}): how far away?",
        notes=("The fight remembers the distance until one of them moves.",) if find_encounter(scene) else (),
        follow_ups=(menu,),
    )


def opposed_from(scene: Scene, launched: Launch) -> str:
    """The defense bonus and the chance of an opposed roll from a distance, in words.

    Raises:
        UserError: If the roll is not allowed.
    """
    chance = chance_of(scene, scene.actor.id, launched)
    worth = "" if chance is None else f" · {percent(chance)}"
    return f"+{launched.aims[0].bonus} to each defense die{worth}"
