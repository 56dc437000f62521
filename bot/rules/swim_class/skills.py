"""The skills of a campaign: the book's, the GM's additions, and specialisations of both."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.tables import SKILLS, SYNERGIES, SkillKey, SwimSkill, Synergy

SPECIAL_BONUS = 1
LONGEST_TAG = 40


def folded(name: str) -> str:
    """Fold a name into a key: lower case, underscores for spaces; only an empty name has an empty key."""
    key = "_".join(name.casefold().replace("/", " ").replace("_", " ").split())
    return key or ("_" if name.strip() else "")


def parent_of(key: SkillKey) -> SkillKey:
    """The parent of a specialisation; a plain skill is its own."""
    return key.partition(":")[0]


def is_special(key: SkillKey) -> bool:
    """Whether a key names a specialisation. [SWIM-SYN-05]"""
    return ":" in key


@dataclass(frozen=True)
class Skillbook:
    """Every skill of a campaign, with synergies."""

    skills: Mapping[SkillKey, SwimSkill]  # by key, in the order of the sheet
    synergies: tuple[Synergy, ...]  # pairs, the wheel's included

    def definition(self, key: SkillKey) -> SwimSkill:
        """The definition of a skill, or of a specialisation's parent.

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
