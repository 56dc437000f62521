"""0 HP, Death's Door, the Blaze of Glory, the GM's word, the lists, the end of a session."""

from typing import Any

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.content import read_tags
from bot.rules.compare_roll.settings import CompareSettings
from bot.rules.compare_roll.sheet import Status
from bot.rules.compare_roll.suggesting import SUGGESTION_LISTS
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import CharacterId, Turning
from tests.rules.compare_roll.play import (
    COST,
    FAILURE,
    SUCCESS,
    GameTable,
    button,
    fall,
    fight,
    foe,
    id_of,
    labels,
    lay_table,
    sheet,
)


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


@pytest.mark.rule("CMP-HP-02", "CMP-DEATH-01", "CMP-HP-01")
class TestTheChoice:
    @pytest.mark.parametrize(("luck", "stress", "chance"), [(7, 0, 34), (12, 0, 59), (3, 0, 16), (7, 3, 1)])
    def test_it_is_offered_with_its_chance(self, luck: int, stress: int, chance: int) -> None:
        table = lay_table(Ash=sheet({"LCK": luck, "AGI": 1}, ft_lost=40))
        table.set("Ash", hp=4, stress=stress)
        table.settings(opponent_attack="auto_hit")
        table.change("Ogre", weapons=[{"name": "Revolver", "level": 2, "shots": 6}])
        done = table.do("GM Ogre", "attack", "d8:5 d8:4", targets=("Ash",))

        assert labels(done) == [f"Death’s Door · lives {chance} %", "Blaze of Glory · 12+6d6, then dies"]
        assert table.hp("Ash") == 0
        assert "is at 0 HP" in table.refused("Ash", "luck")

    def test_fire_and_stress_bring_it_too(self, table: GameTable) -> None:
        table.set("Ash", hp=1)
        fight(table, "Ash", "Ogre")
        table.scene = table.scene.with_document(
            "encounter/7", table.encounter().with_fighter(table.fighter("Ash").changed(burn=1))
        )
        table.do("GM", "next")
        burned = table.do("GM", "next")
        assert labels(burned)[0].startswith("Death’s Door")
        assert "Ash burns: −1 HP, the fire is out." in burned.notes
        table.set("Bram", hp=2, stress=3)
        assert labels(table.do("GM", "fate", target="Bram", stress=2))[0].startswith("Death’s Door")

    def test_a_hit_that_does_not_get_through_asks_nothing(self) -> None:
        table = dying()
        table.change("Ash", ft_lost=0, status="stable")
        done = table.do("GM Ogre", "attack", "d4:2", targets=("Ash",))
        assert done.follow_ups == ()
        table.change("Ash", ft_lost=40)
        assert labels(table.do("GM Ogre", "attack", "d4:2", targets=("Ash",)))[0].startswith("Death’s Door")

    def test_nobody_else_stands_there(self, table: GameTable) -> None:
        assert "not at Death’s Door" in table.refused("Ash", "deathsdoor")
        assert "not at Death’s Door" in table.refused("Ash", "blaze")


@pytest.mark.rule("CMP-DEATH-02", "CMP-DEATH-03", "CMP-HIGH-02")
class TestDeathsDoor:
    @pytest.mark.parametrize(
        ("faces", "lives"),
        [
            (((3, 4), (4, 5), (4, 4)), True),
            (((4, 4), (4, 4), (4, 4)), True),
            (((3, 4), (3, 4), (4, 5)), False),
            (((3, 4), (4, 4), (4, 4)), False),
            (((4, 5), (4, 5), (1, 1)), True),
        ],
    )
    def test_more_misses_than_hits_is_death(self, faces: tuple[tuple[int, int], ...], lives: bool) -> None:
        table = dying()
        third = knock(table, *faces)
        assert labels(third) == ["Hear the verdict"]
        done = table.press("Ash", third.follow_ups[0])

        assert done.verdict is not None
        assert done.verdict.title == ("lives" if lives else "dies")
        assert table.sheet("Ash").status is (Status.STABLE if lives else Status.DEAD)

    def test_each_roll_is_a_step_of_its_own(self) -> None:
        table = dying(high=1)
        first = knock(table, (4, 4))
        assert first.headline == "stands at Death’s Door, the first roll"
        assert first.notes == ("Hits 0, misses 0 · lives 50 % from here.",)
        assert labels(first) == ["Burn 1 High → hit (was neither)", "The second roll"]
        burned = table.press("Ash", first.follow_ups[0])
        assert burned.verdict is not None
        assert burned.verdict.title == "hit"
        assert [term.label for term in burned.rolls[0].terms] == ["2d6", "High"]
        assert labels(burned) == ["The second roll"]
        assert "Death’s Door is open already." in table.refused("Ash", "blaze")

    @pytest.mark.parametrize(
        ("luck", "stress", "high", "faces", "burn", "word"),
        [
            (12, 2, 0, (5, 4), 0, "neither"),
            (7, 0, 1, (4, 4), 1, "hit"),
            (20, 0, 4, (1, 1), 4, "hit"),
            (3, 3, 0, (6, 6), 0, "neither"),
            (7, 3, 0, (6, 5), 0, "neither"),
        ],
    )
    def test_luck_stress_and_high_count(
        self, luck: int, stress: int, high: int, faces: tuple[int, int], burn: int, word: str
    ) -> None:
        table = dying(luck, stress, high)
        done = knock(table, faces)
        if burn:
            done = table.do("Ash", "burn", count=burn)

        assert done.verdict.title == word

    @pytest.mark.rule("CMP-STRESS-02")
    def test_the_campaign_may_leave_both_out(self) -> None:
        table = dying(stress=3, high=1)
        table.settings(stress_applies_to="checks")
        done = knock(table, (4, 4))
        assert (done.rolls[0].total, labels(done)) == (8, ["The second roll"])
        assert "does not count here" in table.refused("Ash", "burn")

    def test_the_verdict_may_be_typed(self) -> None:
        table = dying()
        knock(table, (4, 5), (4, 5), (4, 5))
        assert table.do("Ash", "deathsdoor").headline == "hears the verdict of Death’s Door"
        assert "down at 0 HP" in table.refused("Ash", "luck")
        other = dying()
        knock(other, (4, 5), (4, 5), (4, 5))
        assert other.do("Ash", "take").headline == "hears the verdict of Death’s Door"

    def test_a_wound_meanwhile_changes_nothing(self) -> None:
        table = dying()
        knock(table, (4, 5))
        assert table.do("GM Ogre", "attack", "d4:2", targets=("Ash",)).follow_ups == ()
        assert len(table.sheet("Ash").door) == 1

    def test_any_healing_brings_the_stable_back(self) -> None:
        table = dying()
        table.change("Ash", status="stable")
        table.change("Bram", items=[{"name": "Stim"}])
        done = table.do("Bram", "use", "d6:3", target="Ash")
        assert "Ash is back on their feet." in done.notes
        assert (table.hp("Ash"), table.sheet("Ash").status) == (3, Status.ACTIVE)
        for procedure in ("rest", "long_rest"):
            other = dying()
            other.change("Ash", status="stable")
            if procedure == "rest":
                other.do("Ash", "rest", "d6:3")
                assert other.hp("Ash") == 3
            else:
                other.do("GM", "long_rest", targets=("Ash",))
                assert other.hp("Ash") == 20
            other.do("Ash", "luck", FAILURE)

    def test_the_dead_stay_dead(self) -> None:
        table = dying()
        knock(table, (1, 1), (1, 1), (1, 1))
        table.do("Ash", "take")
        assert "Ash is dead." in table.refused("Ash", "luck")
        assert table.do("GM Ogre", "attack", "d4:2", targets=("Ash",)).follow_ups == ()
        lines = [
            line for one in RULESET.describe(table.named("Ash"), CompareSettings()) for line in one.lines
        ]
        assert "Dead" in lines
        table.do("GM", "fate", target="Ash", revive=True, hp=5)
        table.do("Ash", "luck", FAILURE)


@pytest.mark.rule("CMP-DEATH-04")
class TestBlaze:
    @pytest.mark.parametrize(
        ("dice", "left"), [("1 2 3 4 5 6", 31), ("1 1 1 1 1 1", 46), ("6 6 6 6 6 6", 16)]
    )
    def test_it_falls_on_whoever_dealt_the_blow(self, dice: str, left: int) -> None:
        table = dying()
        done = table.do("Ash", "blaze", " ".join(f"d6:{face}" for face in dice.split()))

        assert done.headline == "goes out in a Blaze of Glory at Ogre"
        assert (table.hp("Ogre"), table.sheet("Ash").status) == (left, Status.DEAD)

    def test_where_nobody_did_the_gm_names_one_or_none(self, table: GameTable) -> None:
        table.set("Ash", hp=1, stress=3)
        table.do("GM", "fate", target="Ash", stress=1)
        assert "Nobody dealt the blow" in table.refused("Ash", "blaze")
        assert "whoever dealt the blow" in table.refused("Ash", "blaze", target="Wolf")
        before = table.scene
        table.do("GM Ash", "blaze", " ".join(["d6:1"] * 6), target="Wolf")
        assert table.hp("Wolf") == 12
        table.scene = before
        assert table.do("Ash", "blaze", nobody=True).rolls == ()


@pytest.mark.rule("CMP-GM-01")
class TestTheGmsWord:
    def test_numbers_are_set_within_their_bounds(self, table: GameTable) -> None:
        done = table.do("GM", "fate", target="Ash", hp=50)
        assert done.notes == ("50 HP are more than 32; set to 32.",)
        table.do("GM", "fate", target="Ash", hp=5, high=9 - 5)
        assert (table.hp("Ash"), table.points("Ash", "high")) == (5, 4)
        assert table.do("GM", "fate", target="Ash", high=3).notes == (
            "High is full at 5; the point is lost.",
        )

    def test_an_outcome_is_forced(self, table: GameTable) -> None:
        done = table.do("GM Ash", "luck", FAILURE, outcome="Success")
        assert done.verdict is not None
        assert done.verdict.title == "Success, the GM’s word"
        assert table.points("Ash", "stress") == 0

    @pytest.mark.rule("CMP-COM-12")
    def test_a_foe_has_a_record_that_only_the_gm_sees(self, table: GameTable) -> None:
        done = table.do(
            "GM",
            "foe",
            target="Ogre",
            hp=12,
            fortitude=3,
            rating=4,
            attack=2,
            movement=5,
            weapon="Baseball Bat",
        )
        assert done.notes == ("HP 12/12 · FT 3/3", "Rating +4 · attack +2 · movement 5 · Baseball Bat")
        assert not done.is_public
        table.do("GM", "foe", target="Wolf")
        assert (
            table.do("GM", "look", target="Wolf").notes[1]
            == "Rating the usual · attack +0 · movement 6 · Unarmed"
        )
        assert table.do("GM", "look", target="Ash").notes == ("HP 32/32 · FT 14/14",)
        assert "is a player’s" in table.refused("GM", "foe", target="Ash")

    @pytest.mark.rule("CMP-COM-12", "CMP-FT-02")
    def test_a_foes_fortitude_wears_as_a_players(self) -> None:
        table = lay_table(Ash=sheet({"STR": 20}), Ogre=foe(hp=10, ft_max=2))
        table.do("Ash", "attack", f"{SUCCESS} d4:2", targets=("Ogre",))
        assert (table.hp("Ogre"), table.ft("Ogre")) == (10, "1/2")
        table.do("Ash", "attack", f"{SUCCESS} d4:4", targets=("Ogre",))
        assert (table.hp("Ogre"), table.ft("Ogre")) == (7, "1/2")

    @pytest.mark.rule("CMP-EQ-08", "CMP-CHAR-01")
    def test_gear_is_handed_out_and_taken(self, table: GameTable) -> None:
        table.do("GM", "give", target="Ash", thing="ammunition", count=2)
        assert table.points("Ash", "ammunition") == 8
        table.do("GM", "give", target="Ash", thing="Ammunition", count=-5)
        assert table.points("Ash", "ammunition") == 0
        table.do("GM", "give", target="Ash", thing="Pistol", level=2)
        assert table.sheet("Ash").weapons[0].shots == 10
        table.do("GM", "give", target="Ash", thing="Pistol", level=3)
        table.do("GM", "give", target="Ash", thing="Revolver")
        assert [one.level for one in table.sheet("Ash").weapons] == [3, 1]
        table.do("GM", "give", target="Ash", thing="pistol", count=-1)
        table.do("GM", "give", target="Ash", thing="Grenade", count=3)
        table.do("GM", "give", target="Ash", thing="Light Armor")
        table.do("Ash", "equip", armour="Light Armor")
        assert table.do("GM", "give", target="Ash", thing="Light Armor", count=-1).headline == (
            "takes Light Armor from Ash"
        )
        assert (table.sheet("Ash").armour, len(table.sheet("Ash").weapons)) == ("", 1)
        assert "no weapon" in table.refused("GM", "give", target="Ash", thing="Moon")
        assert "changes nothing" in table.refused("GM", "give", target="Ash", thing="Stim", count=0)


@pytest.mark.rule("CMP-GM-02")
class TestLists:
    def test_a_weapon_by_its_tags(self, table: GameTable) -> None:
        table.do("GM", "add_weapon", name="Rail Gun", tags="Tech, Piercing, Far", level=2)
        table.do("GM", "give", target="Ash", thing="rail gun")
        table.do(
            "Ash",
            "attack",
            f"{fall((6, 5), (1, 1))} d10:3 d10:4",
            targets=("Ogre", "Wolf"),
            distance="100, 300",
        )
        assert (table.hp("Ogre"), table.hp("Wolf")) == (23, 23)
        table.do(
            "GM",
            "add_weapon",
            name="rail gun",
            tags="heavy far",
            extra="+1d6",
            requires="Mechanics 2",
            burn=6,
            reload=3,
        )
        assert len(RULESET.settings.model_validate(table.scene.settings.model_dump()).weapons) == 1  # type: ignore[attr-defined]  # our settings

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"tags": "Magic, Far"}, "There is no tag “Magic”."),
            ({"tags": "Light"}, "A weapon needs a damage tag and a distance tag."),
            ({"tags": "Light Far", "extra": "many"}, "“many” are no dice."),
            ({"tags": "Light Far", "extra": "0d6"}, "“0d6” are no dice."),
            ({"tags": "Light Far", "requires": "Mechanics"}, "“Mechanics” is no requirement."),
        ],
    )
    def test_what_cannot_be_read_is_refused(
        self, table: GameTable, options: dict[str, Any], told: str
    ) -> None:
        assert table.refused("GM", "add_weapon", name="Thing", **options) == told

    def test_tags_may_stand_in_any_order(self) -> None:
        assert read_tags("arc room TECH") == ("Tech", "Room", "Arc")
        with pytest.raises(Mistake, match="no tag"):
            read_tags("")

    def test_a_skill_for_everybody_takes_nobodys_slot(self, table: GameTable) -> None:
        table.do("GM", "add_skill", category="technical", name="Hacking")
        assert "already" in table.refused("GM", "add_skill", category="Technical", name="hacking")
        assert "Technical/Hacking" in SUGGESTION_LISTS["skill"](None, table.scene.settings)  # type: ignore[arg-type]  # ours
        table.do("Ash", "check", FAILURE, skill="Hacking")

    def test_a_difficulty_and_an_item(self, table: GameTable) -> None:
        table.do("GM", "add_difficulty", name="Brutal", number=10)
        assert "Brutal (+10)" in table.do("Ash", "luck", FAILURE, difficulty="brutal").headline
        table.do("GM", "add_difficulty", name="brutal", number=11)
        table.do("GM", "add_item", name="Quiver", kind="ammunition", charges=6)
        table.do("GM", "add_item", name="Plate", kind="armour", fortitude=8, movement=-3)
        table.do("GM", "give", target="Ash", thing="Quiver")
        table.do("GM", "give", target="Ash", thing="Plate")
        table.do("Ash", "equip", armour="plate")
        assert (table.points("Ash", "ammunition"), table.ft("Ash")) == (6, "22/22")

    def test_names_are_offered(self) -> None:
        made = sheet(
            None, {"Social/Etiquette": 1}, items=[{"name": "Stim"}, {"name": "Light Armor"}, {"name": "Moon"}]
        )
        ash, settings = lay_table(Ash=made).named("Ash"), CompareSettings()
        offered = {kind: list(offer(ash, settings)) for kind, offer in SUGGESTION_LISTS.items()}

        assert offered["skill"][0] == "Social/Etiquette"
        assert (offered["remedy"], offered["armour"], offered["weapon"]) == (
            ["Stim"],
            ["Light Armor"],
            ["Unarmed"],
        )
        assert offered["category"][0] == "Physical"
        assert offered["difficulty"][-1] == "Impossible"
        assert {"Pistol", "Stim"} <= set(offered["thing"])
        assert "Stim" not in offered["any_weapon"]
        assert [list(SUGGESTION_LISTS[kind](None, settings)) for kind in ("remedy", "weapon")] == [[], []]


@pytest.mark.rule("CMP-SES-01", "CMP-STRESS-05")
class TestSessionEnd:
    def end(self, table: GameTable, *who: str) -> Turning:
        turning = RULESET.end_session(table.scene, [id_of(name) for name in who], list(table.scene.documents))
        table.scene = turning.scene
        return turning

    def test_nothing_refreshes(self, table: GameTable) -> None:
        table.set("Ash", hp=12, stress=2, high=3, ammunition=2)
        table.change("Ash", ft_lost=5, weapons=[{"name": "Pistol", "shots": 3}])
        turning = self.end(table, "Ash", "Ogre")

        assert turning.notes == ("Ash: HP 12/32 · FT 9/14 · Stress 2/3 · High 3/5",)
        assert (table.hp("Ash"), table.points("Ash", "ammunition")) == (12, 2)
        assert table.sheet("Ash").weapons[0].shots == 3

    def test_the_campaign_may_reset(self, table: GameTable) -> None:
        table.settings(session_reset='{"stress": 0, "hp": 99, "high": 9, "assets": 7}')
        table.set("Ash", hp=12, stress=2)
        self.end(table, "Ash")

        assert (table.hp("Ash"), table.points("Ash", "stress")) == (32, 0)
        assert (table.points("Ash", "high"), table.points("Ash", "assets")) == (5, 7)

    def test_open_rolls_count_and_what_waits_is_dropped(self) -> None:
        table = lay_table(Bram=sheet(weapons=[{"name": "Pistol", "shots": 9}]))
        table.set("Ash", high=5, stress=3, hp=1)
        table.set("Bram", high=5)
        table.do("Ash", "luck", fall((3, 5), (11, 11)))
        table.do("Bram", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
        table.do("Cleo", "attack", f"{COST} d4:1", targets=("Ogre",))
        table.do("GM Ogre", "attack", "d4:1", targets=("Cleo",))
        turning = self.end(table, "Ash", "Ogre")

        assert turning.notes[0] == "Ash checks Luck: Failure."
        assert table.hp("Ash") == 0
        assert turning.follow_ups[0].label.startswith("Death’s Door")
        assert [key for key, document in table.scene.documents.items() if document is not None] == []

    def test_an_open_attack_is_not_dealt(self) -> None:
        table = lay_table(Bram=sheet(weapons=[{"name": "Pistol", "shots": 9}]))
        table.set("Bram", high=5)
        table.do("Bram", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
        assert (
            self.end(table, "Bram").notes[0]
            == "Bram attacks Ogre with Pistol: Cost; its damage is not dealt."
        )

    def test_unfinished_fights_are_kept_and_finished_ones_cleared(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre", "Wolf")
        for _ in range(6):
            table.do("GM", "next")
        self.end(table, "Ash")
        assert table.encounter().round == 4
        table.retire("Wolf")
        table.change("Ogre", foe=foe(hp=0, hp_max=9).foe)
        self.end(table, "Ash")
        assert table.scene.document("encounter/7") is None


class TestTexts:
    def test_every_rule_has_a_text_of_our_own_and_its_ids(self) -> None:
        ids = [id_ for rule in RULESET.glossary for id_ in rule.ids]

        assert len(ids) == len(set(ids)) == 106
        assert all(rule.title and len(rule.text) <= 300 for rule in RULESET.glossary)

    def test_every_setting_has_a_default_and_says_what_it_is(self) -> None:
        for info in RULESET.settings.model_fields.values():
            assert not info.is_required()
            assert info.description
            assert len(info.description) <= 100

    @pytest.mark.parametrize("typed", ["", '{"stress": 1}', {"stress": 1}])
    def test_a_reset_may_be_typed(self, typed: object) -> None:
        made = CompareSettings.model_validate({"session_reset": typed})
        assert made.session_reset in ({}, {"stress": 1})

    def test_nonsense_is_refused(self) -> None:
        with pytest.raises(ValueError, match="session_reset"):
            CompareSettings.model_validate({"session_reset": "nonsense"})


def test_a_button_is_for_whoever_is_dying() -> None:
    table = dying()
    done = table.do("GM", "fate", target="Bram", hp=0)
    assert button(done, "Death").character == CharacterId(2)
    assert table.do("GM", "fate", target="Bram", hp=3).notes == ("Bram is back on their feet.",)
