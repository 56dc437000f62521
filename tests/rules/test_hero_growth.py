"""F-SWIM-12, F-ALL-13: what each game calls growth, and when a hero is down."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from bot.rules import rulesets
from bot.rules.kernel import Character, CharacterId, Growth, PersonId, evolve
from bot.rules.swim_class.sheet import Epic

GAMES = rulesets()


def ready(game: str) -> Any:
    """The first ready-made sheet of a game."""
    rules = GAMES[game]
    return next(iter(rules.creation.offered(rules.settings()).values()))


def hero(sheet: Any, **counted: int) -> Character:
    return Character(
        id=CharacterId(1), name="Sable", owner=PersonId(2), sheet=sheet, resources=MappingProxyType(counted)
    )


def growth(game: str, before: Any, after: Any) -> list[Growth]:
    rules = GAMES[game]
    return list(rules.growth(before, after, rules.settings()))


class TestGrowth:
    @pytest.mark.parametrize("game", sorted(GAMES))
    def test_nothing_grows_between_equal_sheets(self, game: str) -> None:
        assert growth(game, ready(game), ready(game)) == []

    def test_a_swim_skill_grows_by_its_rolls_and_pulls_others(self) -> None:
        before = evolve(ready("swim_class"), ranks={"climb": 1, "throw": 1, "swim": 2}, epics=())
        epic = Epic(skill="climb", before=2, after=3, faces=(4, 5, 6), against="1+", clock=0)
        after = evolve(before, ranks={"climb": 3, "throw": 2, "swim": 1}, epics=(epic,))

        assert growth("swim_class", before, after) == [
            Growth("Climb", "1", "3"),
            Growth("Throw", "1", "2", is_pulled=True),
        ]

    def test_an_rpj_attribute_and_trait_grow_but_what_follows_from_them_is_not_told(self) -> None:
        before = ready("rpj")
        attribute = next(iter(before.attributes))
        level = before.attributes[attribute]
        after = evolve(before, attributes={**before.attributes, attribute: level + 1}, available_points=9)

        assert growth("rpj", before, after) == [Growth(attribute.word, str(level), str(level + 1))]
        lost = evolve(after, traits=())
        gained = [one for one in growth("rpj", lost, after) if one.after == "new"]
        assert len(gained) == len(after.traits)
        assert growth("rpj", after, lost) == []

    def test_a_compare_stat_and_skill_grow(self) -> None:
        before = ready("compare_roll")
        stat, score = next(iter(before.stats.items()))
        skill = before.skills[0]
        after = evolve(
            before,
            stats={**before.stats, stat: score + 1},
            skills=(evolve(skill, level=skill.level + 1), *before.skills[1:]),
        )

        told = growth("compare_roll", before, after)

        assert [(one.before, one.after) for one in told] == [
            (str(score), str(score + 1)),
            (str(skill.level), str(skill.level + 1)),
        ]
        assert told[1].what == skill.name

    def test_a_maids_ability_and_attribute_grow(self) -> None:
        before = ready("post_magic_maid")
        attribute, score = next(iter(before.attributes.items()))
        first = before.abilities[0]
        after = evolve(
            before,
            attributes={**before.attributes, attribute: evolve(score, steps=1)},
            abilities=before.abilities,
        )
        fewer = evolve(before, abilities=before.abilities[1:])

        (told,) = growth("post_magic_maid", before, after)
        assert (told.what, told.before, told.after) == (
            attribute.value,
            str(score),
            str(after.attributes[attribute]),
        )
        assert growth("post_magic_maid", fewer, before) == [Growth(first.name, "", "new")]
        weaker = evolve(
            before, abilities=(evolve(first, singles=0, doubles=0, passives=0), *before.abilities[1:])
        )
        assert [one.what for one in growth("post_magic_maid", weaker, before)] == [first.name]

    def test_a_swarm_level_attribute_and_proficiency_grow(self) -> None:
        before = evolve(ready("sword_and_swarm"), level=1, proficiencies={"Lockpicking": 1})
        after = evolve(before, level=2, proficiencies={"Lockpicking": 1, "Cooking": 2})

        assert growth("sword_and_swarm", before, after) == [
            Growth("level", "1", "2"),
            Growth("Cooking", "0", "2"),
        ]


class TestDown:
    def test_a_swim_hero_is_down_without_hit_points_or_dead(self) -> None:
        rules = GAMES["swim_class"]
        sheet = ready("swim_class")

        assert not rules.is_down(hero(sheet), rules.settings())
        assert rules.is_down(hero(sheet, physical_wounds=99), rules.settings())
        assert rules.is_down(hero(evolve(sheet, is_dead=True)), rules.settings())

    def test_a_compare_hero_is_down_at_0_hit_points(self) -> None:
        rules = GAMES["compare_roll"]

        assert not rules.is_down(hero(ready("compare_roll"), hp=1), rules.settings())
        assert rules.is_down(hero(ready("compare_roll"), hp=0), rules.settings())

    def test_a_maid_is_down_when_dead(self) -> None:
        rules = GAMES["post_magic_maid"]
        sheet = ready("post_magic_maid")
        standing = replace(hero(sheet), wounds={"blunt": (0, 0, 0, 0), "rending": (0, 0, 0, 0)})

        assert not rules.is_down(standing, rules.settings())
        assert rules.is_down(replace(standing, sheet=evolve(sheet, is_dead=True)), rules.settings())

    def test_a_swarm_hero_is_down_at_star_0(self) -> None:
        rules = GAMES["sword_and_swarm"]
        sheet = evolve(ready("sword_and_swarm"), star=None, benefits=())

        assert not rules.is_down(hero(sheet), rules.settings())
        assert rules.is_down(hero(evolve(sheet, star=0)), rules.settings())

    def test_an_rpj_hero_is_down_while_out_of_action(self) -> None:
        rules = GAMES["rpj"]
        sheet = ready("rpj")

        assert not rules.is_down(hero(sheet), rules.settings())
        out = evolve(sheet, health=evolve(sheet.health, out="incapacitated"))
        assert rules.is_down(hero(out), rules.settings())
