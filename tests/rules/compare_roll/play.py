"""A small table for rules tests: characters, scenes, dice that fall as told, procedures by key."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import weapon_named
from bot.rules.compare_roll.fortunes import ft_max, ft_now, hp_now
from bot.rules.compare_roll.sheet import (
    CompareSettings,
    CompareSheet,
    Foe,
    SkillScore,
    hp_max,
)
from bot.rules.compare_roll.strikes import CompareCombatant, CompareEncounter, the_encounter
from bot.rules.compare_roll.tables import Stat
from bot.rules.compare_roll.turns import view
from bot.rules.kernel import CharacterId, EncounterView, FollowUp, Outcome
from tests.rules import playing
from tests.rules.playing import vectors_beside

NAMES = ("Ash", "Bram", "Cleo")
FOES = ("Ogre", "Wolf")
RESOURCES = ("stress", "high", "assets", "ammunition")


def sheet(
    stats: Mapping[str, int] | None = None, skills: Mapping[str, int] | None = None, **more: Any
) -> CompareSheet:
    """A sheet with six 7s unless said otherwise; skills as "Category/Name"."""
    scores = {**dict.fromkeys(Stat, 7), **{Stat(key): value for key, value in (stats or {}).items()}}
    levels = tuple(
        SkillScore(category=key.split("/")[0], name=key.split("/")[1], level=level)
        for key, level in (skills or {}).items()
    )
    return CompareSheet.model_validate(
        {"stats": scores, "skills": levels, "skill_points": 0, "has_rolled_assets": True, **more}
    )


def foe(**more: Any) -> CompareSheet:
    """The sheet of an opponent, unhurt unless said otherwise."""
    record = Foe.model_validate({"hp_max": more.get("hp", 10), **more})
    made = RULESET.creation.npc()
    assert isinstance(made, CompareSheet)
    return made.changed(foe=record)


class GameTable(playing.GameTable[CompareSheet, CompareSettings]):
    """Ash 1, Bram 2, Cleo 3, an Ogre 4 and a Wolf 5 of the GM's, and what they do."""

    def set(self, name: str, **resources: int) -> None:
        """Set what is counted outside the rules."""
        for key, value in resources.items():
            self.scene = self.scene.with_character(self.named(name).with_resource(key, value))

    def why(self, who: str, procedure: str, fall: str = "", /, **options: Any) -> str:
        """Do what is not allowed; what is wrong with it."""
        return self.refused(who, procedure, fall, **options).what

    def hp(self, name: str) -> int:
        """HP left."""
        return hp_now(self.named(name))

    def ft(self, name: str) -> str:
        """Fortitude as "now/most"."""
        made, settings = self.sheet(name), self.scene.settings
        assert isinstance(settings, CompareSettings)
        return f"{ft_now(made, settings)}/{ft_max(made, settings)}"

    def encounter(self) -> CompareEncounter:
        """The encounter of the channel."""
        return the_encounter(self.scene)

    def fighter(self, name: str) -> CompareCombatant:
        """A character's place in it."""
        found = self.encounter().combatant(id_of(name))
        assert found is not None
        return found

    def board(self) -> EncounterView:
        """The fight as it is shown."""
        shown = view(self.scene)
        assert shown is not None, "there is no fight"
        return shown


def id_of(name: str) -> CharacterId:
    """The id of a character of the table."""
    return CharacterId((*NAMES, *FOES).index(name) + 1)


def lay_table(**sheets: CompareSheet) -> GameTable:
    """The table at the beginning of play."""
    players = {name: sheets.get(name, sheet()) for name in NAMES}
    foes = {name: sheets.get(name, foe(hp=30)) for name in FOES}
    table = GameTable(RULESET, *playing.seated(RULESET, players, foes))
    for name, own in {**players, **foes}.items():
        resources = {} if own.foe else {"hp": hp_max(own), **dict.fromkeys(RESOURCES, 0)}
        table.scene = table.scene.with_character(replace(table.named(name), resources=resources))
    return table


def fall(d6: tuple[int, int], d12: tuple[int, int]) -> str:
    """The script of a compare roll: the referee's dice first."""
    return f"d12:{d12[0]} d12:{d12[1]} d6:{d6[0]} d6:{d6[1]}"


FAILURE = fall((2, 4), (12, 12))
COST = fall((3, 4), (1, 12))
SUCCESS = fall((3, 4), (1, 1))
CRIT = fall((4, 4), (1, 1))
COST_STRESS = fall((3, 3), (12, 12))
COST_HIGH = fall((3, 3), (1, 12))


def fight(table: GameTable, *who: str) -> None:
    """Begin an encounter."""
    table.do("GM", "encounter.start", others=who, at_once=True)


def labels(outcome: Outcome) -> list[str]:
    """What the follow-ups say."""
    return [button.label for button in outcome.follow_ups]


def button(outcome: Outcome, start: str) -> FollowUp:
    """The follow-up whose label begins so."""
    return next(one for one in outcome.follow_ups if one.label.startswith(start))


def sheet_of_draft(draft: Mapping[str, tuple[str, ...]]) -> CompareSheet:
    """The sheet that the wizard makes of answers without problems."""
    settings = CompareSettings()
    assert RULESET.creation.problems_of(draft, settings) == ()
    made = RULESET.creation.build(draft, settings)
    assert isinstance(made, CompareSheet)
    return made


vectors = partial(vectors_beside, __file__)


def dying(luck: int = 7, stress: int = 0, high: int = 0) -> GameTable:
    """Ash at 0 HP by the Ogre's hand."""
    table = lay_table(Ash=sheet({"LCK": luck, "AGI": 1}, ft_lost=40), Ogre=foe(hp=60, ft_max=4))
    table.set("Ash", hp=1, stress=stress, high=high)
    table.settings(opponent_attack="auto_hit")
    table.do("GM Ogre", "attack", "d4:2", targets=("Ash",))
    return table


def knock(table: GameTable, *faces: tuple[int, int]) -> Any:
    """Roll at Death's Door."""
    done = None
    for a, b in faces:
        done = table.do("Ash", "deathsdoor", f"d6:{a} d6:{b}")
    return done


def carrying(*weapons: str, level: int = 1, **more: Any) -> Any:
    """A sheet that carries loaded weapons."""
    kinds = [weapon_named(CompareSettings(), name) for name in weapons]
    carried = [{"name": one.name, "level": level, "shots": one.reload or 0} for one in kinds]
    return sheet(more.pop("stats", None), more.pop("skills", None), weapons=carried, **more)
