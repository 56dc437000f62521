"""Foes who hide: where they wait, how they come out, and where everybody starts."""

import pytest
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import encounter_key
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.combat.fight import Fight
from bot.rules.rpj.game_parts.rpj_gm import fighters
from tests.rules.offers import acts_of
from tests.rules.rpj.combat.played.brawl import brawl, fight, fighter, in_shape_1
from tests.rules.rpj.combat.played.test_turns import board
from tests.rules.rpj.table import LAENIEL, UG, GameTable, d6, rpj_table


class TestHiddenFoes:
    def test_f_opt_16_a_hidden_foe_of_a_fight_stored_before_gets_a_place(self) -> None:
        """Fights were kept without a place for those who hide."""
        table = rpj_table()
        table.do("Laeniel", "encounter.start", others=("Ug",))
        ogre = table.ids["Ogre"]
        old = {**in_shape_1(fight(table)), "lurking": [ogre]}
        table.scene = table.scene.with_document(encounter_key(table.scene.channel), Fight.model_validate(old))

        lines = [(line.character, line.name, line.facts) for line in board(table).hidden]
        assert lines == [(ogre, "Ogre", ("Region 6",))]
        placed = table.do("GM", "fight.place", who="Ogre", region="3")

        assert (placed.headline, placed.is_public) == ("places Ogre", False)
        assert [(line.name, line.facts) for line in board(table).hidden] == [("Ogre", ("Region 3",))]
        assert (fight(table).hides(ogre), fight(table).order) == (True, ())
        table.do("GM", "encounter.reveal", character="Ogre")
        assert (fighter(table, "Ogre").region, fighter(table, "Ogre").is_hidden) == (3, False)
        assert [one.name for one in fight(table).combatants] == ["Laeniel", "Ug", "Ogre"]

    def test_saves_lost_in_a_fight_stored_before_stay_with_whoever_lost_them(self) -> None:
        table = brawl()
        lost = {"Laeniel": 2, "Ug": 0, "Ogre": 1}
        people = (one.model_copy(update={"saves_lost": lost[one.name]}) for one in fight(table).combatants)
        now = fight(table).changed(combatants=tuple(people))

        assert Fight.model_validate(in_shape_1(now)) == now

    def test_whoever_is_not_there_is_told_who_is_but_nobody_hidden(self) -> None:
        table = brawl()
        table.do("GM", "fight.mooks", name="Wolf", count=1, hidden=True)

        with pytest.raises(UserError) as refused:
            fight(table).fighter("nobody")

        assert refused.value.allowed == "Fighting: Laeniel, Ug, Ogre."

    def test_f_opt_16_a_hidden_foe_rolls_no_initiative_and_has_no_turn(self) -> None:
        table = rpj_table()
        table.do("Laeniel", "encounter.start")
        table.do("GM", "encounter.add", characters=("Ogre",), hidden=True)
        table.do("GM", "fight.place", who="Ogre", region="3")
        assert "Nobody else has joined" in table.refused("GM", "encounter.next").what
        table.do("Ug", "encounter.join")

        rolled = table.do("GM", "encounter.next", d6("4 4 3 2"))

        assert "Ogre" not in str(rolled.notes)
        assert len(rolled.rolls) == 2
        assert "Ogre" not in str(board(table).lines)
        assert "Ogre" not in str(board(table).ground)

    def test_f_opt_16_removing_hidden_foes_is_not_announced(self) -> None:
        table = brawl()
        table.do("GM", "fight.mooks", name="Goblin", count=2, hidden=True)

        assert table.do("GM", "fight.remove", who="Goblin").is_public is False
        assert board(table).hidden == ()

    def test_f_perf_05_completions_name_mooks_as_the_board_does(self) -> None:
        table = brawl()
        table.do("GM", "fight.mooks", name="Goblin", count=3)
        table.do("GM", "fight.mooks", name="Rat", count=1)
        table.do("GM", "fight.mooks", name="Wolf", count=2, hidden=True)

        shown, hidden = board(table).lines, board(table).hidden
        assert [one.name for one in fight(table).called()] == [line.name for line in shown]
        assert [one.name for one in fight(table).called_hidden()] == [line.name for line in hidden]
        assert {"Goblin ×3", "Rat"} <= {line.name for line in shown}
        assert [line.name for line in hidden] == ["Wolf ×2"]

    @pytest.mark.rule("RPJ-GM-04")
    @pytest.mark.parametrize(
        ("who", "told"),
        [
            ("Bear", "Nobody called “Bear” is hidden here."),
            ("Ogre", "Ogre isn't a mook."),
            ("Goblin", "Nobody called “Goblin” is hidden here."),
        ],
    )
    def test_only_hidden_mooks_are_revealed_by_name(self, who: str, told: str) -> None:
        table = rpj_table()
        table.do("Laeniel", "encounter.start", others=("Ug",))
        table.do("GM", "encounter.add", characters=("Ogre",), hidden=True)
        table.do("GM", "fight.mooks", name="Goblin", count=1)
        table.do("GM", "fight.mooks", name="Wolf", count=2, hidden=True)

        refused = table.refused("GM", "fight.reveal", who=who)

        assert refused.what == told
        done = table.do("GM", "fight.reveal", who=" wolf ×2")
        assert done.headline == "reveals Wolf ×2"
        assert [one.name for one in fight(table).hiding] == ["Ogre"]
        again = table.refused("GM", "fight.reveal", who="wolf")
        assert again.allowed == "Nobody is hidden."

    def test_f_perf_05_targets_are_named_without_reading_their_sheets(self) -> None:
        table = brawl()
        table.do("GM", "fight.mooks", name="Goblin", count=3)
        table.do("GM", "fight.mooks", name="Wolf", count=2, hidden=True)
        kept = fight(table).model_dump()
        nameless = [
            {**one, "name": ""} if one["character"] == table.ids["Ug"] else one for one in kept["combatants"]
        ]

        def scene_for(*there: str, is_gm: bool) -> Scene:
            known = {table.ids[name]: name for name in there}
            stored = Fight.model_validate({**kept, "combatants": nameless})
            return replace(
                table.scene.with_document(encounter_key(table.scene.channel), stored),
                is_gm=is_gm,
                find_names=lambda ids: {id_: known[id_] for id_ in ids if id_ in known},
                find_character=lambda _id: pytest.fail("read a sheet"),
            )

        everybody = fighters(scene_for("Laeniel", "Ug", "Ogre", is_gm=False))
        assert sorted(everybody) == ["Goblin ×3", "Laeniel", "Ogre", "Ug"]
        assert sorted(fighters(scene_for("Laeniel", "Ug", is_gm=True))) == [
            "Goblin ×3",
            "Laeniel",
            "Ug",
            "Wolf ×2",
        ]

    def test_f_opt_16_a_foe_who_attacks_from_hiding_acts_now_and_joins_the_order_next_round(
        self,
    ) -> None:
        table = rpj_table()
        table.do("Laeniel", "encounter.start", others=("Ug",))
        table.do("GM", "encounter.add", characters=("Ogre",), hidden=True)
        table.do("GM", "encounter.next", d6("6 6 2 1"))
        table.do("GM", "encounter.next")
        table.do("GM", "fight.place", who="Ogre", region="1", beside="Ug")
        (first, second) = (line.name for line in board(table).lines)

        struck = table.do("GM Ogre", "fight.attack", d6("1 2"), target="Ug")

        assert struck.is_public
        assert struck.notes[0] == "Ogre comes out of hiding in Region 1 and acts now."
        assert [line.name for line in board(table).lines if line.is_on] == [first, "Ogre"]
        assert (fight(table).hidden, fighter(table, "Ogre").turn.has_attacked) == ((), True)
        assert [one.name for one in fight(table).shown] == ["Laeniel", "Ug", "Ogre"]
        names = []
        for _ in range(4):
            table.do("GM", "encounter.next")
            names.append([line.name for line in board(table).lines if line.is_on])
        assert names == [[second], [first], ["Ogre"], [second]]

    @pytest.mark.parametrize(
        ("turns", "usual", "initiative"),
        [
            (0, ("Mira", "Ogre", "Laeniel", "Ug"), 14),
            (1, ("Mira", "Laeniel", "Ogre", "Ug"), 13),
            (2, ("Mira", "Laeniel", "Ug", "Ogre"), 4),
            (3, ("Mira", "Laeniel", "Ug", "Ogre"), 4),
        ],
    )
    def test_who_attacks_from_hiding_comes_behind_whoever_is_on_from_the_next_round(
        self, turns: int, usual: tuple[str, ...], initiative: int
    ) -> None:
        table = rpj_table(players={"Laeniel": LAENIEL, "Ug": UG, "Mira": UG})
        table.do("Laeniel", "encounter.start", others=("Ug", "Mira"))
        table.do("GM", "fight.mooks", name="Goblin", count=1, region="5")
        table.do("GM", "encounter.add", characters=("Ogre",), hidden=True)
        table.do("GM", "encounter.next", d6("4 3 1 1 6 6"))
        for _ in range(1 + turns):
            table.do("GM", "encounter.next")
        table.do("GM", "fight.place", who="Ogre", region="1", beside="Ug")
        on = fight(table).turn

        table.do("GM Ogre", "fight.attack", d6("1 2"), target="Ug")

        kept = fight(table)
        assert tuple(kept.fighter(one).name for one in kept.usual or ()) == usual
        assert kept.together == (on, fighter(table, "Ogre").id)
        assert fighter(table, "Ogre").initiative == initiative


@pytest.mark.rule("RPJ-GCS-20", "RPJ-GM-04")
class TestPlacing:
    """The players start in region 1, the ogre in region 6."""

    def waiting(self) -> GameTable:
        table = rpj_table()
        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
        table.do("GM", "fight.place", who="Ug", region="1")
        return table

    @pytest.mark.parametrize(
        ("who", "options", "told"),
        [
            ("Laeniel", {"beside": "Ug"}, None),
            ("Laeniel", {"region": "1"}, None),
            ("Laeniel", {"region": "2"}, "Laeniel starts in Region 1."),
            ("Laeniel", {"beside": "Ogre"}, "Laeniel starts in Region 1."),
            (
                "Laeniel",
                {"who": "Ug", "region": "1"},
                "Only the GM can place others, or anyone once the fight has started.",
            ),
            ("GM", {"who": "Laeniel", "region": "3"}, None),
            ("GM", {"who": "Laeniel", "beside": "Ogre"}, None),
            ("GM", {"who": "Laeniel", "beside": "Ogre", "region": "2"}, "Ogre is in Region 6."),
        ],
    )
    def test_players_choose_their_group_and_the_gm_everything(
        self, who: str, options: dict[str, str], told: str | None
    ) -> None:
        table = self.waiting()

        if told is None:
            table.do(who, "fight.place", **options)
            placed = fighter(table, "Laeniel")
            beside = fighter(table, options["beside"]) if "beside" in options else None
            assert placed.region == (beside.region if beside else int(options["region"]))
            assert beside is None or placed.group == beside.group
        else:
            assert table.refused(who, "fight.place", **options).what == told

    def test_nobody_but_the_gm_places_anybody_once_the_fight_has_started(self) -> None:
        table = brawl()

        assert table.refused("Ug", "fight.place", region="1")
        table.do("GM", "fight.place", who="Ug", region="2")
        assert fighter(table, "Ug").region == 2

    def test_a_sheet_offers_to_start_beside_others_in_the_same_region(self) -> None:
        table = self.waiting()
        acts = acts_of(RULESET, table.scene, table.ids["Laeniel"])
        (beside,) = [act for act in acts if act.do.procedure == "fight.place"]

        assert [choice.label for choice in beside.do.choices] == ["Ug"]
        table.do("Laeniel", "fight.place", beside="Ug")
        after = acts_of(RULESET, table.scene, table.ids["Laeniel"])
        assert not [act for act in after if act.do.procedure == "fight.place"]


@pytest.mark.rule("RPJ-GCS-10", "RPJ-GCS-46", "RPJ-GCS-49", "RPJ-GM-04")
class TestHiddenMooks:
    def lurking(self, count: int = 2) -> GameTable:
        """The mooks' turn, with hidden wolves beside Ug."""
        table = brawl()
        table.do("GM", "fight.mooks", name="Wolf", count=count, region="1", beside="Ug", hidden=True)
        table.do("GM", "fight.mooks", name="Rat", count=1, region="5")
        for _ in range(3):
            table.do("GM", "encounter.next")
        return table

    def test_hidden_mooks_slip_away_together_unseen(self) -> None:
        table = self.lurking()

        done = table.do("GM", "fight.mook_move", who="Wolf", region="2")

        wolves = [one for one in fight(table).hiding if one.mook is not None]
        assert done.headline == "moves Wolf ×2 to Region 2"
        assert "The players don't see this." in done.notes
        assert [(one.region, one.turn.actions) for one in wolves] == [(2, 1), (2, 1)]
        assert len({one.group for one in wolves}) == 1

    def test_a_single_hidden_mook_slips_away_as_well(self) -> None:
        table = self.lurking(1)

        table.do("GM", "fight.mook_move", who="Wolf", region="2")

        assert [one.region for one in fight(table).hiding] == [2]

    @pytest.mark.parametrize(("count", "wolves"), [(1, "Wolf"), (2, "Wolf ×2")])
    def test_hidden_mooks_come_out_when_they_attack(self, count: int, wolves: str) -> None:
        table = self.lurking(count)

        done = table.do("GM", "fight.mook_attack", d6(" ".join(["1 2"] * count)), who="Wolf", target="Ug")

        assert f"{wolves} comes out of hiding in Region 1." in done.notes
        assert done.headline == f"attacks Ug with {wolves}"
        assert not list(fight(table).hiding)
