"""The pool of a roll: ranks, extra dice, equipment and limits; divided actions."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import CharacterId, Document, NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.swim_class.encounter import is_in_combat
from bot.rules.swim_class.growth import Scored, advances
from bot.rules.swim_class.pools import SIDES, WHOLE, BankedDie, DiceGroup, Source, SwimPoolInputs, good_faces
from bot.rules.swim_class.sheet import (
    Character,
    Scene,
    Skillbook,
    SwimItem,
    SwimRole,
    SwimSheet,
    book,
    folded,
    is_special,
    parent_of,
    rank_of,
)
from bot.rules.swim_class.tables import SkillKey


def trait_modifier(sheet: SwimSheet, skill: SkillKey) -> int:
    """The modifier of each die of a skill from traits. [SWIM-RACE-06 (SWIM-R88, SWIM-R89)]"""
    plain = parent_of(skill)
    total = 0
    for trait, held in sheet.known_traits:
        total += held.degree if trait.plus == plain else 0
        total -= (held.degree if held.penalty is None else held.penalty) if trait.minus == plain else 0
    return total


class SwimGear(Struct, frozen=True):
    """Equipment's effect on a roll: a bonus, cancelled criticals, dice, and the items they come from."""

    bonus: int
    cancels: int
    dice: int
    dice_from: str
    uses: tuple[str, ...]


def gear_for(scene: Scene, sheet: SwimSheet, role: SwimRole, skill: SkillKey, named: str = "") -> SwimGear:
    """The best effects of each kind among the equipment in use.

    Raises:
        UserError: If the named item is not on the sheet.

    [SWIM-IMPL-01 to SWIM-IMPL-03, SWIM-IMPL-09 (SWIM-R66), SWIM-ITEM-05]
    """
    chosen = None if not named else sheet.find_item(named)
    if named and chosen is None:
        raise UserError(f"You have no “{named.strip()}”.", try_this="See /swim-gear list.")
    in_use = [item for item in sheet.items if item.is_equipped and not item.is_by_choice]
    helping = in_use if chosen is None else [chosen]
    bonus, bonus_from = _best(scene, [(item.bonus(role, skill), item) for item in helping])
    cancelling = helping if chosen is None or chosen in in_use else [*in_use, chosen]
    cancels, cancels_from = _best(scene, [(item.cancels_for(skill), item) for item in cancelling])
    dice, dice_from = _best(scene, [(item.dice_for(skill), item) for item in in_use])
    uses = tuple(dict.fromkeys((*bonus_from, *cancels_from, *dice_from)))
    return SwimGear(bonus, cancels, dice, dice_from[0] if dice_from else "", uses)


def _best(scene: Scene, found: Sequence[tuple[int, SwimItem]]) -> tuple[int, tuple[str, ...]]:
    """The best bonus and its source; all of them if the campaign lets them add up."""
    giving = [(bonus, item.name) for bonus, item in found if bonus > 0]
    if scene.settings.stack_implements:
        return sum(bonus for bonus, _ in giving), tuple(name for _, name in giving)
    if not giving:
        return 0, ()
    bonus, name = max(giving, key=lambda one: one[0])
    return bonus, (name,)


class OpenPart(Document):
    """A divided action, or half action, with dice still unused or undecided."""

    id: str
    skill: SkillKey  # the rolled skill
    is_half: bool = False  # whether it is a half action
    own: int = Field(ge=0)  # unused dice of the skill itself
    added: tuple[DiceGroup, ...] = ()  # unused dice of combined skills
    pending: int = Field(default=0, ge=0)  # opposed parts that still wait for a defense
    qualifies: bool = True  # whether every die so far allows an advance
    was_strained: bool = False  # whether the skill was strained for it
    faces: tuple[int, ...] = ()  # the skill's own dice so far

    @property
    def left(self) -> int:
        """Unused dice."""
        return self.own + sum(group.count for group in self.added)

    @property
    def is_over(self) -> bool:
        """Whether every die is used and decided."""
        return not self.left and not self.pending

    @property
    def has_advanced(self) -> bool:
        """Whether all parts together advance the skill. [SWIM-ADV-04]"""
        return self.is_over and self.qualifies and bool(self.faces)

    def judged(self, dice: Iterable[Scored], *, could_fail: bool) -> "OpenPart":
        """Return the divided action with a part's own dice judged. [SWIM-ADV-04]"""
        own = tuple(dice)
        qualifies = not own or advances(own, is_whole=True, could_fail=could_fail)
        faces = (*self.faces, *(die.face for die in own))
        return evolve(self, qualifies=self.qualifies and qualifies, faces=faces)


class Parts(Document):
    """A character's divided actions. [SWIM-POOL-08]"""

    open: tuple[OpenPart, ...] = ()


def parts_key(who: CharacterId) -> str:
    """The document key of a character's divided actions."""
    return f"parts/{who}"


def find_parts(scene: Scene, who: CharacterId) -> tuple[OpenPart, ...]:
    """A character's divided actions."""
    found = scene.stored(Parts, parts_key(who))
    return () if found is None else found.open


def open_part(scene: Scene, who: CharacterId, skill: SkillKey, *, is_half: bool) -> OpenPart | None:
    """The divided action with unused dice of a skill, or None."""
    parts = find_parts(scene, who)
    return next(
        (part for part in parts if part.left and (part.skill, part.is_half) == (skill, is_half)), None
    )


def find_part(scene: Scene, who: CharacterId, id_: str) -> OpenPart | None:
    """Find a divided action by id, or return None."""
    return next((part for part in find_parts(scene, who) if part.id == id_), None)


def with_part(scene: Scene, who: CharacterId, part: OpenPart) -> Scene:
    """Return the scene with a divided action added or replaced, or removed once it is over. [SWIM-POOL-08]"""
    rest = [one for one in find_parts(scene, who) if one.id != part.id]
    return _with_parts(scene, who, rest if part.is_over else [*rest, part])


def without_open_parts(scene: Scene, who: CharacterId) -> Scene:
    """End a turn: drop divided actions with unused dice; those that wait for a defense stay."""
    return _with_parts(scene, who, [part for part in find_parts(scene, who) if not part.left])


def _with_parts(scene: Scene, who: CharacterId, parts: list[OpenPart]) -> Scene:
    return scene.with_document(parts_key(who), Parts(open=tuple(parts)) if parts else None)


PUSH_LIMIT = 3


class Helper(Struct, frozen=True, kw_only=True):
    """Dice lent by a helper."""

    name: str
    dice: int
    modifier: int = 0


class PoolPlan(Struct, frozen=True, kw_only=True):
    """The plan of a roll."""

    skill: SkillKey  # the skill to roll
    role: SwimRole = SwimRole.TASK  # the kind of equipment that counts
    difficulty: int = 1  # the difficulty, terrain and distance included
    push: int = 1  # the push factor; 1 for none
    focus: int = 0  # the focus in points
    is_strained: bool = False  # whether the skill is strained
    is_half: bool = False  # whether it is a half action
    part: int | None = None  # dice used now, or None for all
    adds: tuple[SkillKey, ...] = ()  # skills combined with it, in order
    windup: int = 1  # times it is combined with itself; 1 for none
    helpers: tuple[Helper, ...] = ()  # helpers' dice, after the character's own
    modifier: int = 0  # the circumstance modifier of each die
    needed: int | None = None  # the progress needed, or None
    at_once: bool = False  # whether this roll must reach it alone
    done: int = 0  # quarters scored before
    implement: str = ""  # the equipment used; empty: the best
    exactly: bool = False  # whether to roll a specialization even if its parent is better
    must_roll: bool = False  # whether to roll even if all dice would score
    easy: bool = False  # whether the ground is easy, so that it is automatic whatever the modifiers
    is_opposed: bool = False
    banked: tuple[BankedDie, ...] = ()  # dice of earlier rounds of a build-up
    last: tuple[DiceGroup, ...] = ()  # the last contribution to a build-up, rolled instead of the usual dice
    first_counts: bool = False  # whether the first critical counts
    ignores_cap: bool = False  # whether more dice than twice the base are allowed
    # The divided action whose dice it uses, artifact dice already spent, or None.
    rest: OpenPart | None = None


class Planned(Struct, frozen=True, kw_only=True):
    """A pool ready to be rolled."""

    inputs: SwimPoolInputs  # the inputs of the roll
    skill: SkillKey  # the skill actually rolled, a specialization or its parent
    rank: int
    left_own: int  # the skill's own dice left for other parts
    left_added: tuple[DiceGroup, ...]  # other dice left for other parts
    is_whole: bool  # whether all dice of the rank are rolled at once
    modifier: int  # the modifier of each of the skill's own dice
    uses: tuple[str, ...]  # names of the equipment that counts
    notes: tuple[str, ...] = ()  # notes about the choice of skill and about helpers


def combined_dice(base: int, added: Sequence[int], *, cap: bool) -> tuple[int, ...]:
    """The dice each combined skill adds: one less than its rank.

    Out of combat the total is at most twice the base; dice above it are dropped, last added first.

    [SWIM-POOL-01, SWIM-POOL-04, SWIM-POOL-05 (SWIM-R33)]
    """
    room = base if cap else sum(added)
    brought = []
    for rank in added:
        dice = min(max(0, rank - 1), room)
        brought.append(dice)
        room -= dice
    return tuple(brought)


def assert_allowed(plan: PoolPlan) -> None:
    """Raise a `UserError` if options of a roll exclude each other.

    [SWIM-TASK-12 (SWIM-R15), SWIM-POOL-09 (SWIM-R39), SWIM-POOL-11 (SWIM-R42)]
    """
    if plan.is_strained and (plan.adds or plan.windup > 1):
        raise UserError("You can't combine or wind up a strained skill.", "Choose one of them.")
    if plan.is_strained and plan.helpers:
        names = ", ".join(helper.name for helper in plan.helpers)
        what = f"A strained skill can't use help, and {names} would help with this roll."
        raise UserError(what, "Roll without straining, or refuse the help.", "Refuse it on your sheet.")
    if plan.push > 1 and plan.focus:
        raise UserError("You can push or focus a roll, not both.")
    if plan.push > 1 and plan.difficulty > PUSH_LIMIT:
        raise UserError(
            f"You can't push a difficulty of {plan.difficulty}.",
            f"Only difficulties up to {PUSH_LIMIT} can be pushed.",
        )
    if plan.focus and plan.is_opposed:
        raise UserError("You can't focus an opposed roll.", "It has no difficulty to lower.")
    if plan.focus and plan.difficulty - plan.focus < 1:
        raise UserError(f"You can't lower a difficulty of {plan.difficulty} by {plan.focus}.")


def chosen_skill(scene: Scene, character: Character, plan: PoolPlan) -> SkillKey:
    """The specialization or its parent, whichever scores more on average. [SWIM-SYN-05, SWIM-SYN-06]"""
    if not is_special(plan.skill) or plan.exactly:
        return plan.skill
    parent = parent_of(plan.skill)
    target = target_of(plan)

    def expected(skill: SkillKey) -> Fraction:
        modifier = book(scene).die_bonus(skill) + trait_modifier(character.sheet, skill) + plan.modifier
        return Fraction(rank_of(scene, character, skill) * good_faces(target, modifier), SIDES)

    special = rank_of(scene, character, plan.skill)
    return plan.skill if special and expected(plan.skill) >= expected(parent) else parent


def target_of(plan: PoolPlan) -> int:
    """The number a die must reach after pushing or focusing. [SWIM-POOL-09, SWIM-POOL-11]"""
    return plan.difficulty * plan.push - plan.focus


def plan_pool(scene: Scene, character: Character, plan: PoolPlan) -> Planned:
    """The pool that a character rolls.

    Raises:
        UserError: If the plan is not allowed, or there is no die to roll.

    [SWIM-TASK-01, SWIM-TASK-12, SWIM-CHAR-04 to SWIM-CHAR-06, SWIM-IMPL-04]
    """
    assert_allowed(plan)
    sheet, skills = character.sheet, book(scene)
    skill = chosen_skill(scene, character, plan)
    gear = gear_for(scene, sheet, plan.role, skill, plan.implement)
    unmet = skills.unmet(sheet.ranks, skill)
    rank = 0 if unmet else skills.rank(sheet.ranks, skill)
    title = skills.title(skill)
    if rank == 0 and not gear.dice:
        raise _closed(title, unmet, is_exotic=skills.definition(skill).is_exotic)
    if plan.is_strained and rank < 2:
        raise UserError(f"{title} {rank} can't be strained.", "Straining needs rank 2 or more.")
    terms = _terms(skills, sheet, skill, plan, gear)
    modifier = sum(term.value for term in terms)
    whole = (
        _dice(scene, character, plan, rank) if plan.rest is None else Share(plan.rest.own, plan.rest.added)
    )
    if plan.is_half and plan.rest is None:
        whole, _ = whole.divided(whole.size // 2)
    artifact = 0 if plan.rest is not None else gear.dice // 2 if plan.is_half else gear.dice
    now, left = whole.divided(_part_size(plan, whole.size))
    if now.size + artifact == 0:
        raise UserError("A half action needs rank 2 or more: half of one die is none.")
    groups = [DiceGroup(name=title, count=now.own, modifier=modifier), *now.added]
    if artifact:
        groups.append(
            DiceGroup(name=gear.dice_from, source=Source.ARTIFACT, count=artifact, modifier=modifier)
        )
    groups = list(plan.last) or groups
    inputs = SwimPoolInputs(
        skill=title,
        groups=tuple(group for group in groups if group.count),
        banked=plan.banked,
        are_banked_shown=bool(plan.banked),
        terms=terms,
        difficulty=target_of(plan),
        quarters=WHOLE * plan.push // 2**plan.focus,
        needed=plan.needed,
        at_once=plan.at_once,
        done=plan.done,
        cancels=gear.cancels,
        is_opposed=plan.is_opposed,
        is_automatic=_is_automatic(plan, modifier),
        unfinished_fails=scene.settings.crit_on_unfinished,
        first_counts=plan.first_counts,
    )
    return Planned(
        inputs=inputs,
        skill=skill,
        rank=rank,
        left_own=left.own,
        left_added=left.added,
        is_whole=plan.part is None and (not plan.is_half or scene.settings.advance_on_half),
        modifier=modifier,
        uses=gear.uses,
        notes=(*_instead(scene, character, plan.skill, skill), *_helped(plan)),
    )


def _instead(scene: Scene, character: Character, wanted: SkillKey, rolled: SkillKey) -> tuple[str, ...]:
    """A note if the parent is rolled instead of the chosen specialization. [SWIM-SYN-06]"""
    if wanted == rolled:
        return ()
    titles = [f"{book(scene).title(key)} {rank_of(scene, character, key)}" for key in (rolled, wanted)]
    return (f"Rolled with {titles[0]}, which scores more than {titles[1]}.",)


def _helped(plan: PoolPlan) -> tuple[str, ...]:
    """A note for each helper. [SWIM-POOL-04]"""
    return tuple(f"{helper.name} helps (＋)." for helper in plan.helpers)


def _closed(title: str, unmet: str, *, is_exotic: bool) -> UserError:
    if unmet:
        return UserError(f"{title} needs {unmet} first.", "An artifact in use works too.")
    how = (
        "a pick at creation, a neighbor two ranks higher, or an artifact"
        if is_exotic
        else ("synergy with a related skill, or an artifact")
    )
    return UserError(f"{title} is at rank 0, so you have no dice to roll.", f"It needs {how}.")


def _terms(
    skills: Skillbook, sheet: SwimSheet, skill: SkillKey, plan: PoolPlan, gear: SwimGear
) -> tuple[NamedTerm, ...]:
    """The modifiers of each of the skill's own dice, zeros left out. [SWIM-TASK-07]"""
    named = (
        (gear.uses[0] if gear.bonus else "", gear.bonus),
        ("specialized" if is_special(skill) else "keen senses", skills.die_bonus(skill)),
        ("trait", trait_modifier(sheet, skill)),
        ("circumstances", plan.modifier),
    )
    return tuple(NamedTerm(label=label, value=value) for label, value in named if value)


class Share(Struct, frozen=True):
    """Dice of an action: the skill's own, then those combined with it."""

    own: int
    added: tuple[DiceGroup, ...] = ()

    @property
    def size(self) -> int:
        """All of them."""
        return self.own + sum(group.count for group in self.added)

    def divided(self, count: int) -> "tuple[Share, Share]":
        """Split off *count* dice, the skill's own first; return them and the rest.

        [SWIM-POOL-01 (SWIM-R33), SWIM-POOL-07, SWIM-POOL-08 (SWIM-R15, SWIM-R38)]
        """
        own = min(self.own, count)
        room = count - own
        now, left = [], []
        for group in self.added:
            taken = min(group.count, room)
            room -= taken
            now.append(evolve(group, count=taken))
            left.append(evolve(group, count=group.count - taken))
        return Share(own, _filled(now)), Share(self.own - own, _filled(left))


def _filled(groups: Sequence[DiceGroup]) -> tuple[DiceGroup, ...]:
    return tuple(group for group in groups if group.count)


def _dice(scene: Scene, character: Character, plan: PoolPlan, rank: int) -> Share:
    """The skill's own dice, and those of skills combined with it.

    [SWIM-POOL-01, SWIM-POOL-04 to SWIM-POOL-06]
    """
    if plan.is_strained:
        return Share(2 * rank)
    if not plan.adds and not plan.helpers and plan.windup == 1:
        return Share(rank)
    if (plan.adds or plan.windup > 1) and is_in_combat(scene, character.id):
        raise UserError(
            "In combat, you combine skills over several rounds.",
            "Each round, you roll one of them and bank its dice.",
            "Start one with Fight … on your sheet.",
        )
    skills, sheet = book(scene), character.sheet
    ranks = [rank_of(scene, character, add) for add in plan.adds]
    again = [rank] * (plan.windup - 1)
    lent = [helper.dice + 1 for helper in plan.helpers]
    brought = combined_dice(rank, [*again, *ranks, *lent], cap=not plan.ignores_cap)
    own = rank + sum(brought[: len(again)])
    names = [(skills.title(add), _added_modifier(scene, sheet, add, plan)) for add in plan.adds]
    names += [(helper.name, helper.modifier) for helper in plan.helpers]
    groups = tuple(
        DiceGroup(name=name, source=Source.ADDED, count=dice, modifier=modifier)
        for (name, modifier), dice in zip(names, brought[len(again) :], strict=True)
    )
    return Share(own, _filled(groups))


def _added_modifier(scene: Scene, sheet: SwimSheet, skill: SkillKey, plan: PoolPlan) -> int:
    """The modifier of each die of an added skill. [SWIM-POOL-01]"""
    gear = gear_for(scene, sheet, plan.role, skill)
    return gear.bonus + book(scene).die_bonus(skill) + trait_modifier(sheet, skill) + plan.modifier


def _part_size(plan: PoolPlan, whole: int) -> int:
    """How many dice of the action are rolled now. [SWIM-POOL-08]"""
    if plan.part is None:
        return whole
    if plan.part > whole:
        dice = counted(whole, "die", "dice")
        raise UserError(f"You have only {dice} left." if plan.rest else f"You have only {dice} to divide.")
    return plan.part


def _is_automatic(plan: PoolPlan, modifier: int) -> bool:
    """Whether every die scores whatever it shows. [SWIM-TASK-06 (SWIM-R09, SWIM-R116)]"""
    if plan.is_opposed or plan.must_roll:
        return False
    if plan.easy and plan.push == 1:
        return True
    return target_of(plan) - modifier <= 1


def parsed_skills(scene: Scene, names: str) -> tuple[SkillKey, ...]:
    """Find skills by names separated by commas."""
    return tuple(book(scene).find(name) for name in names.split(",") if folded(name))
