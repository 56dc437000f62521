"""The campaign's settings with its GM's skills; a character sheet: ranks, equipment, traits, states."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Annotated, TypeAlias

from msgspec import Struct
from pydantic import BeforeValidator, Field, field_validator

from bot.rules import kernel
from bot.rules.kernel import (
    CharacterId,
    Choice,
    Die,
    Document,
    Family,
    Odds,
    Roll,
    RollRule,
    SheetField,
    Verdict,
    evolve,
    typed_list,
)
from bot.rules.kernel.dice import Chance, Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import harm, holds
from bot.rules.kernel.parsing import split_at_commas
from bot.rules.swim_class.pools import PIPS, SIDES, SwimPurpose
from bot.rules.swim_class.tables import (
    DATA,
    KINDS,
    SKILLS,
    SYNERGIES,
    TRAITS,
    WHEEL,
    Pool,
    SkillKey,
    SwimSkill,
    SwimTrait,
    Synergy,
)

MAGIC_DEGREE = 2


def _unset(value: object) -> object:
    """Read an empty text or "none" as None."""
    return None if isinstance(value, str) and value.strip().casefold() in {"", "none"} else value


@DATA.worded
class SwimSettings(Document):
    """A campaign's settings."""

    world: str = Field(default="", max_length=60)
    sp_per_gp: int = Field(default=10, ge=1, le=1000)
    crit_on_unfinished: bool = False
    advance_on_half: bool = False
    rank_cap: Annotated[int | None, BeforeValidator(_unset)] = Field(default=None, ge=1, le=100)
    stabilize_counts_first: bool = False
    stack_implements: bool = False
    racial_free_rank: bool = False
    spells_as_skills: bool = False
    defense_seconds: int = Field(default=60, ge=0, le=3600)
    carry_flat: bool = False
    convergence_parallel: bool = False
    friends_bonus: int = Field(default=1, ge=0, le=3)
    artifacts_for_sale: bool = False
    wheel_order: Annotated[tuple[SkillKey, ...], BeforeValidator(split_at_commas)] = WHEEL
    skills: Annotated[tuple[SwimSkill, ...], BeforeValidator(typed_list)] = Field(
        default=(),
        max_length=100,
        description="This campaign's own skills, as JSON; /swim-gm skill adds one.",
    )
    synergies: Annotated[tuple[Synergy, ...], BeforeValidator(typed_list)] = Field(
        default=(),
        max_length=200,
        description="This campaign's own synergies, as JSON; /swim-gm synergy adds one.",
    )

    @field_validator("wheel_order")
    @classmethod
    def _holds_every_form_once(cls, order: tuple[SkillKey, ...]) -> tuple[SkillKey, ...]:
        if sorted(order) != sorted(WHEEL):
            raise ValueError(f"List each of {', '.join(WHEEL)} exactly once.")
        return order

    @property
    def wheel_edges(self) -> tuple[Synergy, ...]:
        """The synergies of neighbouring forms on the wheel. [SWIM-MAGIC-02 (SWIM-R93)]"""
        after = (*self.wheel_order[1:], self.wheel_order[0])
        return tuple(
            Synergy(one=one, other=other, degree=MAGIC_DEGREE, source="SWIM-MAGIC-02")
            for one, other in zip(self.wheel_order, after, strict=True)
        )

    def opposite(self, form: SkillKey) -> SkillKey:
        """The form across the wheel. [SWIM-MAGIC-03 (SWIM-R94)]"""
        place = self.wheel_order.index(form)
        return self.wheel_order[(place + len(WHEEL) // 2) % len(WHEEL)]


SPECIAL_BONUS = 1
LONGEST_TAG = 40


def folded(name: str) -> str:
    """Fold a name into a key: lower case, underscores for spaces; only an empty name has an empty key."""
    key = "_".join(name.casefold().replace("/", " ").replace("_", " ").split())
    return key or ("_" if name.strip() else "")


def parent_of(key: SkillKey) -> SkillKey:
    """The parent of a specialization; a plain skill is its own."""
    return key.partition(":")[0]


def is_special(key: SkillKey) -> bool:
    """Whether a key names a specialization. [SWIM-SYN-05]"""
    return ":" in key


class Skillbook(Struct, frozen=True, dict=True):
    """Every skill of a campaign, with synergies."""

    skills: Mapping[SkillKey, SwimSkill]  # by key, in the order of the sheet
    synergies: tuple[Synergy, ...]  # pairs, the wheel's included

    def definition(self, key: SkillKey) -> SwimSkill:
        """The definition of a skill, or of a specialization's parent.

        Raises:
            UserError: If the campaign has no such skill.
        """
        found = self.skills.get(parent_of(key))
        if found is None:
            raise UserError(
                f"There is no skill “{key}” in this campaign.",
                "Your sheet lists all skills.",
                "A GM can add it with /swim-gm skill.",
            )
        return found

    def find(self, name: str) -> SkillKey:
        """Find a skill's key from its name, an alias, or "parent: tag".

        Raises:
            UserError: If there is none.
        """
        head, colon, tag = name.partition(":")
        wanted = folded(head)
        key = self._keys.get(wanted)
        if key is None:
            return self.definition(name.strip()).key
        return f"{key}:{folded(tag)}" if colon and folded(tag) else key

    @cached_property
    def _keys(self) -> Mapping[str, SkillKey]:
        """The key of each skill by its names and aliases; those of earlier skills come first."""
        found: dict[str, SkillKey] = {}
        for skill in self.skills.values():
            for name in (skill.key, folded(skill.name), *map(folded, skill.aliases)):
                found.setdefault(name, skill.key)
        return found

    def title(self, key: SkillKey) -> str:
        """A skill's displayed name, even if the campaign no longer has it."""
        found = self.skills.get(parent_of(key))
        name = parent_of(key).replace("_", " ").capitalize() if found is None else found.name
        return f"{name} ({key.partition(':')[2].replace('_', ' ')})" if is_special(key) else name

    def knows(self, key: SkillKey) -> bool:
        """Whether the campaign has a skill; a sheet may hold skills of an older module."""
        return parent_of(key) in self.skills

    def typed(self, key: SkillKey) -> str:
        """A skill as people type it: its name, or "Craft: wood"."""
        name, colon, tag = self.definition(key).name, *key.partition(":")[1:]
        return f"{name}{colon} {tag.replace('_', ' ')}" if colon else name

    def default(self, key: SkillKey) -> int:
        """The rank that a skill starts with. [SWIM-CHAR-04]"""
        return 0 if is_special(key) else self.definition(key).default

    def rank(self, ranks: Mapping[SkillKey, int], key: SkillKey) -> int:
        """A skill's rank, the default if the sheet has none."""
        return ranks.get(key, self.default(key))

    def die_bonus(self, key: SkillKey) -> int:
        """The permanent bonus to a skill's dice: +1 for specialisations and the two visions.

        [SWIM-SYN-06 (SWIM-R32), SWIM-RACE-03, SWIM-RACE-04 (SWIM-R87)]
        """
        return self.definition(key).die_bonus + (SPECIAL_BONUS if is_special(key) else 0)

    def partners(self, key: SkillKey, ranks: Mapping[SkillKey, int]) -> Iterator[tuple[SkillKey, int]]:
        """Yield a skill's synergies with their degrees, specialisations on the sheet included."""
        if is_special(key):
            yield parent_of(key), self.definition(key).special_degree or 0
            return
        for edge in self.synergies:
            if key in (edge.one, edge.other):
                yield (edge.other if edge.one == key else edge.one), edge.degree
        degree = self.definition(key).special_degree
        if degree is not None:
            yield from ((held, degree) for held in ranks if is_special(held) and parent_of(held) == key)

    def unmet(self, ranks: Mapping[SkillKey, int], key: SkillKey) -> str:
        """The unmet requirements of a skill in words, or nothing. [SWIM-CHAR-06]"""
        wanted = (
            f"{self.title(need.skill)} {need.rank}"
            for need in self.definition(key).requires
            if need.skill in self.skills and self.rank(ranks, need.skill) < need.rank
        )
        return ", ".join(wanted)


@lru_cache(maxsize=256)
def book_of(settings: SwimSettings) -> Skillbook:
    """The skills of a campaign. [SWIM-CHAR-07, SWIM-SYN-04]"""
    skills = {skill.key: skill for skill in (*SKILLS, *settings.skills)}
    edges = (*SYNERGIES, *settings.wheel_edges, *settings.synergies)
    return Skillbook(skills, tuple(edge for edge in edges if edge.one in skills and edge.other in skills))


DICE_VALUE = 4
RARE_ABOVE = 3


class SwimRole(StrEnum):
    """The kind of roll that an implement helps. [SWIM-IMPL-01]"""

    ATTACK = "attack"
    DEFENCE = "defence"
    TASK = "task"

    @property
    def word(self) -> str:
        """What people read; the value is what is stored."""
        return "defense" if self is SwimRole.DEFENCE else self.value


class Mod(Document):
    """A bonus to every die of a matching roll; without skills it matches any skill."""

    role: SwimRole
    skills: tuple[SkillKey, ...] = ()
    bonus: int = Field(ge=1, le=20)


class Implement(Document):
    """A kind of equipment."""

    name: str = Field(min_length=1, max_length=60)
    price_sp: int = Field(default=0, ge=0)  # price in silver
    weight_tenths: int = Field(default=0, ge=0)  # weight in tenths of a pound
    mods: tuple[Mod, ...] = Field(default=(), max_length=10)  # its +N bonuses
    cancels: int = Field(default=0, ge=0, le=20)  # criticals it cancels (N-crit)
    cancel_skills: tuple[SkillKey, ...] = ()  # the skills whose criticals it cancels
    must_be_anchored: bool = False  # whether it cancels only while anchored
    bonus_dice: int = Field(default=0, ge=0, le=10)  # dice it adds (ND); one with dice is an artifact
    dice_skill: SkillKey = ""  # the skill that gets those dice
    increment: int = Field(default=0, ge=0)  # squares per +1 of the defender, for ammunition
    is_ammunition: bool = False  # whether shots use it up
    ammunition: str = ""  # the ammunition it needs, or nothing
    is_thrown: bool = False  # whether it leaves the inventory when thrown
    weapon_for: tuple[SkillKey, ...] = ()  # skills it is a weapon for without giving a bonus
    is_by_choice: bool = False  # whether it helps only when chosen
    light: int = Field(default=0, ge=0)  # squares it lights
    is_quest_only: bool = False  # whether no shop sells it
    note: str = Field(default="", max_length=200)  # other effects
    source: str = "SWIM-CRAFT-01"  # the ledger ids it rests on

    @property
    def value(self) -> int:
        """Its rank: bonuses, criticals cancelled, and four for each die. [SWIM-IMPL-07]"""
        return sum(mod.bonus for mod in self.mods) + self.cancels + DICE_VALUE * self.bonus_dice

    @property
    def is_rare(self) -> bool:
        """Whether it is very expensive and rare. [SWIM-IMPL-08]"""
        return self.value > RARE_ABOVE

    @property
    def is_artifact(self) -> bool:
        """Whether it adds dice. [SWIM-IMPL-03]"""
        return self.bonus_dice > 0

    def bonus(self, role: SwimRole, skill: SkillKey) -> int:
        """Its bonus to each die of a roll; a specialization counts as its parent."""
        return max(
            (mod.bonus for mod in self.mods if mod.role is role and _fits(mod.skills, skill)), default=0
        )

    def is_weapon_for(self, skill: SkillKey) -> bool:
        """Whether it can be used to attack with a skill. [SWIM-COMB-04]"""
        return self.bonus(SwimRole.ATTACK, skill) > 0 or skill.partition(":")[0] in self.weapon_for

    @property
    def is_weapon(self) -> bool:
        """Whether it is a weapon."""
        return bool(self.weapon_for) or any(mod.role is SwimRole.ATTACK for mod in self.mods)


def _fits(skills: tuple[SkillKey, ...], skill: SkillKey) -> bool:
    return not skills or skill in skills or skill.partition(":")[0] in skills


class SwimItem(Implement):
    """A character's piece of equipment."""

    quantity: int = Field(default=1, ge=0, le=9999)  # how many
    is_equipped: bool = True  # whether it is in use
    is_anchored: bool = False  # whether it is anchored at its owner's position
    is_limited: bool = False  # whether it may fall apart after each use

    def cancels_for(self, skill: SkillKey) -> int:
        """How many criticals it cancels on a roll. [SWIM-IMPL-02, SWIM-ITEM-04]"""
        if self.must_be_anchored and not self.is_anchored:
            return 0
        return self.cancels if _fits(self.cancel_skills, skill) else 0

    def dice_for(self, skill: SkillKey) -> int:
        """How many dice it adds to a roll."""
        return self.bonus_dice if skill.partition(":")[0] == self.dice_skill else 0


CATALOGUE = {row.name: row for row in DATA.rows("implements", "implement", Implement)}


def item_of(implement: Implement, quantity: int = 1) -> SwimItem:
    """Return a quantity of an implement, in use."""
    return SwimItem(**implement.model_dump(), quantity=quantity)


Rank = Annotated[int, Field(ge=0, le=1000)]
Ranks = Mapping[SkillKey, Rank]


class SoakPolicy(StrEnum):
    """When Composure takes damage. [SWIM-COMB-07 (SWIM-R45)]"""

    COMPOSURE_FIRST = "composure_first"
    ASK = "ask"
    NEVER = "never"


class ReserveKind(StrEnum):
    """Whether a reserve is for a defense or for a prepared action."""

    DEFENCE = "defence"
    ACTION = "action"


class Reserve(Document):
    """A skill held in reserve until the character's next turn. [SWIM-COMB-13, SWIM-COMB-14]"""

    skill: SkillKey
    kind: ReserveKind
    trigger: str = Field(default="", max_length=200)
    spell: str = Field(default="", max_length=60)


class Epic(Document):
    """The roll that earned a rank. [SWIM-ADV-07]"""

    skill: SkillKey
    before: int
    after: int
    faces: tuple[int, ...]
    against: str
    clock: int


class HeldTrait(Document):
    """A trait and its degree; *penalty* replaces the degree as penalty if set."""

    key: str
    degree: int = Field(ge=0, le=10)
    penalty: int | None = Field(default=None, ge=0, le=10)


class States(Document):
    """Temporary states, most of which end with the scene."""

    is_prone: bool = False  # knocked down
    is_soaked: bool = False  # hit by a spray
    is_hovering: bool = False  # in the air
    held_by: CharacterId | None = None  # who holds them, or None
    stunned_by: CharacterId | None = None  # who stunned them until their own next turn, or None
    hidden_from: tuple[CharacterId, ...] = ()  # who has not noticed them
    light: int = Field(default=0, ge=0)  # squares lit by their magic
    reserve: Reserve | None = None  # the skill held in reserve, or None


class SwimSheet(Document):
    """A character sheet; wounds, scratches and the purse are resources stored beside it."""

    kind: str = Field(default="", max_length=60)  # the character's kind, or nothing
    # Ranks other than the default; specialisations as "parent:tag".
    ranks: Ranks = Field(default={}, max_length=300)
    traits: tuple[HeldTrait, ...] = Field(default=(), max_length=20)  # traits of the kind
    items: tuple[SwimItem, ...] = Field(default=(), max_length=200)  # equipment
    tags: tuple[str, ...] = Field(default=(), max_length=20)  # words about the character ("undead")
    states: States = States()  # temporary states
    stable: tuple[Pool, ...] = ()  # stabilized pools below zero
    tallies: Mapping[Pool, int] = {}  # criticals on rolls to stabilize, by pool
    broken: tuple[Pool, ...] = ()  # pools lost for good
    is_dead: bool = False  # whether they have died
    epics: tuple[Epic, ...] = Field(default=(), max_length=2000)  # the rolls that earned ranks, oldest first
    soak: SoakPolicy = SoakPolicy.COMPOSURE_FIRST  # when Composure takes damage
    tracks_advancement: bool = False  # whether an NPC learns
    raised_by: CharacterId | None = None
    lying: tuple[SwimItem, ...] = Field(default=(), max_length=200)  # thrown items lying around

    def with_states(self, **changes: object) -> "SwimSheet":
        """Return the sheet with some states changed."""
        return evolve(self, states=evolve(self.states, **changes))

    @property
    def known_traits(self) -> tuple[tuple[SwimTrait, HeldTrait], ...]:
        """The traits that the game knows; an old sheet may hold others."""
        return tuple((TRAITS[held.key], held) for held in self.traits if held.key in TRAITS)

    def find_item(self, name: str) -> SwimItem | None:
        """Find an item by name, or return None."""
        return next((item for item in self.items if folded(item.name) == folded(name)), None)

    def with_item(self, item: SwimItem) -> "SwimSheet":
        """Return the sheet with an item added or replaced; a quantity of 0 removes it."""
        if self.find_item(item.name) is None:
            return evolve(self, items=(*self.items, item))
        items = (item if folded(old.name) == folded(item.name) else old for old in self.items)
        return evolve(self, items=tuple(one for one in items if one.quantity))


# What the rules of this game see and return.
Character: TypeAlias = kernel.Character[SwimSheet]
Scene: TypeAlias = kernel.Scene[SwimSheet, SwimSettings]
Outcome: TypeAlias = kernel.Outcome[Scene]
HookResult: TypeAlias = kernel.HookResult[Scene]
Unsettled: TypeAlias = kernel.Unsettled[Scene]


def book(scene: Scene) -> Skillbook:
    """The skills of the scene's campaign."""
    return book_of(scene.settings)


def rank_of(scene: Scene, character: Character, skill: SkillKey) -> int:
    """A character's rank in a skill."""
    return book(scene).rank(character.sheet.ranks, skill)


def with_states(scene: Scene, who: CharacterId, **changes: object) -> Scene:
    """Return the scene with some of a character's states changed."""
    character = scene.character(who)
    return scene.with_sheet(character, character.sheet.with_states(**changes))


FIELDS = (
    SheetField("ranks/*", "{}, rank"),
    SheetField("kind", "Kind", lambda _settings: tuple(Choice(one.key, one.name) for one in KINDS.values())),
    SheetField("items/*/quantity", "{}, how many"),
    SheetField("items/*/is_equipped", "{}, equipped"),
    SheetField("items/*/note", "{}, note"),
    SheetField("states/is_prone", "Prone"),
    SheetField("states/is_soaked", "Soaked"),
    SheetField("states/is_hovering", "Hovering"),
    SheetField("soak", "When Composure takes damage"),
    SheetField("tracks_advancement", "Learns from rolls"),
    SheetField("is_dead", "Dead"),
)


BREAKS_ON = 1


class BreakageInputs(Document):
    """The piece of equipment that was used."""

    item: str


def breakage_odds(_inputs: BreakageInputs) -> Odds:
    """The exact chance that a limited-use item falls apart. [SWIM-CRAFT-05]"""
    return Odds((("falls apart", Chance(1, SIDES)), ("holds", Chance(SIDES - 1, SIDES))), "holds")


def roll_breakage(inputs: BreakageInputs, dice: Dice) -> Roll:
    """Roll whether an item falls apart: on a 1. [SWIM-CRAFT-05 (SWIM-R85)]"""
    face = dice.roll(SIDES)
    breaks = face == BREAKS_ON
    return Roll(
        rule=BREAKAGE.key,
        inputs=inputs,
        dice=(Die(sides=SIDES, face=face, label=inputs.item, shown=f"{inputs.item} {PIPS[face - 1]}"),),
        verdict=Verdict(Family.FAILURE if breaks else Family.SUCCESS, "falls apart" if breaks else "holds"),
        odds=breakage_odds(inputs),
        outcome="falls apart" if breaks else "holds",
        purpose=SwimPurpose.GEAR,
    )


BREAKAGE = RollRule(key="breakage", inputs=BreakageInputs, resolve=roll_breakage, odds=breakage_odds)


class Worn(Struct, frozen=True):
    """The effects of wear: the scene, the rolls and notes."""

    scene: Scene
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()


def wear(scene: Scene, who: CharacterId, uses: Iterable[str], dice: Dice) -> Worn:
    """Roll for every limited-use item that was used. [SWIM-CRAFT-04, SWIM-CRAFT-05]"""
    rolls: list[Roll] = []
    notes: list[str] = []
    for name in uses:
        character = scene.character(who)
        item = character.sheet.find_item(name)
        if item is None or not item.is_limited:
            continue
        rolls.append(roll_breakage(BreakageInputs(item=item.name), dice).by(character))
        if rolls[-1].outcome == "falls apart":
            left = evolve(item, quantity=item.quantity - 1)
            scene = scene.with_sheet(character, character.sheet.with_item(left))
            notes.append(harm(f"{item.name} falls apart."))
        else:
            notes.append(holds(f"{item.name} holds."))
    return Worn(scene, tuple(rolls), tuple(notes))
