"""Rulesets: found by their packages, and loaded when they are first asked for."""

import subprocess
import sys
import textwrap
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules import Games, covers, rpj, rulesets
from bot.rules.kernel import Character, CharacterId, Growth, PersonId, evolve
from bot.rules.swim_class.sheet import Epic
from tests.table.toy import TOY


def run(program: str) -> str:
    """Run a program in a fresh interpreter, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=Path(__file__).parents[2],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def test_titles_and_rules_are_known_before_a_game_is_loaded() -> None:
    printed = run("""
        import sys
        from bot.rules import rulesets
        games = rulesets()
        assert all(cover.glossary for cover in games.covers) and "rpj" in games and "chess" not in games
        print(*(name for name in sys.modules if name.startswith("bot.rules.") and name.endswith(".game")))
    """)

    assert printed == "bot.rules.kernel.game"


def test_asking_for_a_game_loads_no_other_one() -> None:
    printed = run("""
        import sys
        from bot.rules import rulesets
        rulesets()["sword_and_swarm"]
        print(*(name for name in sys.modules if name.startswith("bot.rules.") and name.endswith(".game")))
    """)

    assert sorted(printed.split()) == ["bot.rules.kernel.game", "bot.rules.sword_and_swarm.game"]


def test_threads_that_ask_for_a_game_at_once_all_get_it_whole() -> None:
    printed = run("""
        from concurrent.futures import ThreadPoolExecutor
        from bot.rules import rulesets
        games = rulesets()
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda number: games[sorted(games)[number % 5]], range(40)))
        print(len({id(game) for game in found}), all(game.procedures for game in found))
    """)

    assert printed == "5 True"


def test_a_game_says_what_its_cover_says() -> None:
    for cover in rulesets().covers:
        game = rulesets()[cover.key]

        assert (game.key, game.title, game.command) == (cover.key, cover.title, cover.command)
        assert (game.credit, game.glossary) == (cover.credit, cover.glossary)


def test_games_are_in_the_order_of_their_titles() -> None:
    titles = [cover.title for cover in rulesets().covers]

    assert titles == sorted(titles)
    assert [game.title for game in rulesets().values()] == titles


def test_a_whole_ruleset_is_its_own_cover() -> None:
    assert covers({"toy": TOY}) == (TOY,)
    assert covers(rulesets()) == rulesets().covers
    assert isinstance(rulesets(), Games)


@pytest.mark.parametrize("game", rulesets())
def test_every_setting_of_a_game_has_a_default_and_says_what_it_is(game: str) -> None:
    for info in rulesets()[game].settings.model_fields.values():
        assert not info.is_required()
        assert 0 < len(info.description or "") <= 100


def test_a_games_package_loads_nothing_but_its_ruleset() -> None:
    with pytest.raises(AttributeError, match=r"bot\.rules\.rpj' has no attribute 'RULESETS'"):
        getattr(rpj, "RULESETS")  # noqa: B009  # the name is not there to be typed


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


def test_every_ready_made_hero_is_said_in_a_few_words() -> None:
    for game in rulesets().values():
        settings = game.settings()
        told = [game.creation.good_at(sheet, settings) for sheet in game.creation.offered(settings).values()]
        assert all(1 <= len(one) <= 100 for one in told), told
