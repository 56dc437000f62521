"""The group check on one message: everyone rolls, half must succeed, Lucky Breaks can turn failures."""

from collections.abc import Iterator

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Answer,
    Audience,
    CharacterId,
    Choice,
    Document,
    Family,
    FollowUp,
    Part,
    SharedPrompt,
    SharedResult,
    Verdict,
    View,
    answer_in,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import label_with
from bot.rules.rpj.character.lucky_breaks import CLOSED, spend
from bot.rules.rpj.character.sheet import Character, Noted, Outcome, Scene, figure_in
from bot.rules.rpj.checks.attempts import RpjAttempt, perform
from bot.rules.rpj.checks.skill_checks import RpjCheckOptions, skill_attempt, skill_named
from bot.rules.rpj.module.module_files import module_in
from bot.rules.rpj.teamwork import assisting
from bot.rules.rpj.teamwork.assisting import GroupCheck, GroupState, assert_known, found, kept_at, name_of

GROUP = "group"
MOST_MEMBERS = 10


class GroupOptions(RpjCheckOptions):
    """The options of a group check."""

    members: tuple[CharacterId, ...] = Field(min_length=1, max_length=MOST_MEMBERS)  # who rolls
    leader: CharacterId | None = None  # who leads; by default the group decides


class RpjRolling(Document):
    """A stored group check. [RPJ-SKILL-18]"""

    key: str  # its own key
    check: RpjCheckOptions  # what everyone rolls
    members: tuple[CharacterId, ...]
    leader: CharacterId | None = None  # who leads; None before the group has decided
    answers: dict[str, Answer] = Field(default_factory=dict)  # the rolls, by the roller's id
    # Whose Lucky Break turned a failure, by the id of the one who failed.
    payers: dict[str, str] = Field(default_factory=dict)
    is_closed: bool = False  # whether the GM has ended it


class LeaderOptions(Document):
    """The options of choosing a leader."""

    at: str
    leader: CharacterId | None = None


class RpjRollOptions(Document):
    """The options of rolling in a group check."""

    at: str


class TurnOptions(Document):
    """The options of turning a failure."""

    at: str
    member: CharacterId


class RpjCloseOptions(Document):
    """The options of closing a group check, which makes its members' rolls final."""

    at: str
    members: tuple[CharacterId, ...]


def _attempt(scene: Scene, who: Character, check: RpjCheckOptions) -> RpjAttempt:
    figure = figure_in(scene, who)
    skill = skill_named(figure.module, check.skill)
    return evolve(
        skill_attempt(who.id, figure, skill, check.situation_of(figure.module, skill)), is_once=True
    )


def _present(group: RpjRolling, scene: Scene) -> list[CharacterId]:
    """The members who have rolled or are still there to roll."""
    return [id_ for id_ in group.members if str(id_) in group.answers or found(scene, id_)]


def _standing(group: RpjRolling, scene: Scene) -> GroupCheck:
    """The state of the group check. [RPJ-SKILL-18, RPJ-SKILL-19]"""
    members = tuple(_present(group, scene)) or group.members
    leader = group.leader if group.leader in members else members[0]
    parts = tuple(
        assisting.GroupPart(
            member=id_,
            succeeded=bool(group.answers[str(id_)].passed),
            is_turned=str(id_) in group.payers and not group.answers[str(id_)].passed,
        )
        for id_ in members
        if str(id_) in group.answers
    )
    return GroupCheck(members=members, leader=leader, parts=parts, is_closed=group.is_closed)


@procedure(GROUP, gm_only=True, needs_actor=False, is_check=True)
def begin_group(scene: Scene, options: GroupOptions, _dice: Dice) -> Outcome:
    """Start a group check; the leader is chosen before anyone rolls. [RPJ-SKILL-18]"""
    members = tuple(dict.fromkeys(options.members))
    everyone = [scene.character(id_) for id_ in members]
    assert_known(*everyone)
    if options.leader is not None and options.leader not in members:
        raise UserError("The leader must be one of the members.", "Add them to the members too.")
    check = RpjCheckOptions.model_validate(options.model_dump(exclude={"members", "leader"}))
    attempts = [_attempt(scene, who, check) for who in everyone]
    key = f"{GROUP}/{scene.moment}"
    leader = options.leader if len(members) > 1 else members[0]
    group = RpjRolling(key=key, check=check, members=members, leader=leader)
    return Outcome(
        scene=scene.with_document(key, group),
        headline=f"calls for a group check: {attempts[0].skill}, against {attempts[0].inputs.target}+",
        gathering=key,
    )


@procedure("group_leader", needs_actor=False)
def choose_leader(scene: Scene, options: LeaderOptions, _dice: Dice) -> Outcome:
    """Choose the leader of the group. [RPJ-SKILL-18]

    Raises:
        UserError: If someone has already rolled.
    """
    group = kept_at(scene, options.at, RpjRolling)
    if options.leader not in group.members or group.answers:
        raise UserError("The leader must be in the group and chosen before anyone rolls.")
    led = evolve(group, leader=options.leader)
    name = name_of(scene, options.leader)
    return Outcome(scene=scene.with_document(group.key, led), headline=f"chooses {name} to lead the group")


@procedure("group_roll")
def roll_in_group(scene: Scene, options: RpjRollOptions, dice: Dice) -> Outcome:
    """Roll a member's part of a group check. [RPJ-SKILL-18, RPJ-SKILL-19 (R-042)]"""
    group, who = kept_at(scene, options.at, RpjRolling), scene.actor
    if group.leader is None:
        raise UserError("The group has no leader yet.", "Choose one with the menu above.")
    if who.id not in group.members or str(who.id) in group.answers:
        raise UserError(f"{who.name} has already rolled or isn't in the group.")
    return perform(scene, _attempt(scene, who, group.check), dice)


@procedure("group_turn")
def turn_failure(scene: Scene, options: TurnOptions, _dice: Dice) -> Outcome:
    """Spend a Lucky Break to turn a member's failure into a success. [RPJ-SKILL-19 (R-041, R-043)]

    Raises:
        NotEnoughLuckyBreaks: If it cannot be paid for.
        UserError: If nothing can be turned now.
    """
    group, payer = kept_at(scene, options.at, RpjRolling), scene.actor
    if payer.owner is None:
        raise UserError("Only player characters can turn a failure.", "NPCs have no Lucky Breaks.")
    _standing(group, scene).turned(options.member)
    poorer = spend(payer, module_in(scene.settings).luck.turn_cost)
    payers = {**group.payers, str(options.member): payer.name}
    whose = "their own" if options.member == payer.id else f"{name_of(scene, options.member)}'s"
    return Outcome(
        scene=scene.with_character(poorer).with_document(group.key, evolve(group, payers=payers)),
        headline=f"turns {whose} failure into a success in the group check",
    )


@procedure("group_close", gm_only=True, needs_actor=False)
def close_group(scene: Scene, options: RpjCloseOptions, _dice: Dice) -> Outcome:
    """Close a group check: its rolls are final, and no Lucky Break changes them any more.

    [RPJ-SKILL-19, RPJ-LUCK-03 (R-023)]
    """
    group = kept_at(scene, options.at, RpjRolling)
    if group.is_closed:
        raise UserError("This group check is already closed.")
    closed = evolve(group, is_closed=True)
    return Outcome(
        scene=scene.with_document(group.key, closed), headline="closes the group check", moments=(CLOSED,)
    )


def note_group(group: RpjRolling, noted: Noted) -> RpjRolling:
    """The group check with a roll added, or replaced after a Lucky Break."""
    if noted.actor not in group.members:
        return group
    answer = answer_in(noted, group.answers.get(str(noted.actor)))
    if answer is None:
        return group
    return evolve(group, answers={**group.answers, str(noted.actor): answer})


def view_group(group_roll: RpjRolling, scene: Scene) -> View:
    """The message: the rolls, how many succeeded and are needed, and what a Lucky Break can still turn."""
    group = _standing(group_roll, scene)
    state = group.state
    parts = tuple(_parts(group_roll, is_open=state is not GroupState.SUCCESS))
    tally = f"{group.successes} of {len(group.members)} succeeded, {group.needed} needed"
    leads = "" if group_roll.leader is None else f" · {name_of(scene, group_roll.leader)} leads"
    if state is GroupState.ROLLING and group_roll.is_closed:
        return View(parts=parts, lines=(tally + leads,), verdict=Verdict(Family.NEWS, "closed"))
    if state is GroupState.ROLLING:
        return View(parts=parts, lines=(tally + leads,), follow_ups=tuple(_to_roll(group_roll, scene)))
    if state is GroupState.RESCUE:
        lines = (tally + leads, "Fewer than half: anyone can spend a Lucky Break to turn a failure.")
        return View(
            parts=parts, lines=lines, follow_ups=(*_to_turn(group_roll, group, scene), _close(group_roll))
        )
    is_success = state is GroupState.SUCCESS
    verdict = Verdict(Family.SUCCESS if is_success else Family.FAILURE, f"the group {_word(is_success)}")
    failed_leader = () if is_success or _leader_succeeded(group_roll) else ("The leader failed too.",)
    return View(
        parts=parts,
        lines=(tally + leads, *failed_leader),
        verdict=verdict,
        follow_ups=() if group_roll.is_closed or is_success else (_close(group_roll),),
    )


def _word(is_success: bool) -> str:
    return "succeeds" if is_success else "fails"


def _leader_succeeded(group: RpjRolling) -> bool:
    answer = group.answers.get(str(group.leader))
    return answer is not None and bool(answer.passed)


def _parts(group: RpjRolling, *, is_open: bool) -> Iterator[Part]:
    """Each member's roll, with its Lucky Break buttons as long as they can matter."""
    for id_ in group.members:
        answer = group.answers.get(str(id_))
        if answer is None:
            continue
        payer = group.payers.get(str(id_))
        if payer is None or answer.passed:
            yield replace(answer.part, is_settled=not is_open)
        else:
            turned = Verdict(Family.SUCCESS, "turned to a success")
            notes = (f"{payer} spends a Lucky Break.", *answer.notes)
            yield replace(answer.part, verdict=turned, notes=notes, is_settled=True)


def _to_roll(group: RpjRolling, scene: Scene) -> Iterator[FollowUp]:
    if group.leader is None:
        yield FollowUp(
            procedure="group_leader",
            options=LeaderOptions(at=group.key),
            label="Who leads the group?",
            audience=Audience.ANYONE,
            choices=tuple(Choice(str(id_), name_of(scene, id_)[:100]) for id_ in _present(group, scene)),
            chosen="leader",
            group="leader",
        )
    else:
        for id_ in group.members:
            who = found(scene, id_)
            if who is not None and str(id_) not in group.answers:
                leads = " (leads)" if id_ == group.leader else ""
                yield FollowUp(
                    procedure="group_roll",
                    options=RpjRollOptions(at=group.key),
                    label=f"{who.name}{leads}: roll · {_attempt(scene, who, group.check).chance}",
                    character=id_,
                    group=f"roll/{id_}",
                )
    yield _close(group)


def _to_turn(group_roll: RpjRolling, group: GroupCheck, scene: Scene) -> Iterator[FollowUp]:
    for part in group.parts:
        if not (part.succeeded or part.is_turned):
            yield FollowUp(
                procedure="group_turn",
                options=TurnOptions(at=group_roll.key, member=part.member),
                label=label_with(
                    name_of(scene, part.member), "'s failure · costs you 1 Lucky Break", before="Turn "
                ),
                audience=Audience.ANYONE,
                group=f"turn/{part.member}",
            )


def _close(group: RpjRolling) -> FollowUp:
    return FollowUp(
        procedure="group_close",
        options=RpjCloseOptions(at=group.key, members=group.members),
        label="Close (GM)",
        audience=Audience.GM,
        group="close",
    )


def result_of_group(group_roll: RpjRolling, scene: Scene) -> SharedResult | None:
    """The result of the group check, counted as one check. [RPJ-SKILL-18, RPJ-COUNT-10 (R-051)]"""
    group = _standing(group_roll, scene)
    if group.state is GroupState.ROLLING:
        return None
    skill = skill_named(module_in(scene.settings), group_roll.check.skill).name
    return SharedResult(passed=group.state is GroupState.SUCCESS, by=group.leader, skill=skill)


GROUP_PROMPT = SharedPrompt(
    model=RpjRolling, view=view_group, note=note_group, result=result_of_group, counts_as=("check",)
)
