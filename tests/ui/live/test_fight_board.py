"""The board of a fight, whole, and what the GM reads besides."""

import pytest
from msgspec.structs import replace

from bot.rules.kernel import (
    CharacterId,
    Choice,
    EncounterView,
    FighterLine,
    FollowUp,
    Ground,
    NoOptions,
    Region,
)
from bot.store.records import CampaignId, ServerId
from bot.table.encounters.encounters import FightBoard, FightPlace, Look
from bot.table.play.owed_answers import Offer
from bot.ui.live.fight_board import board_reply, mark_of, over_reply
from bot.ui.text.charts import ground_picture
from bot.ui.text.reply import Sketch
from cogs.encounter import gm_reply, rest_reply, status_reply
from tests.ui.shown import shown

MINA = FighterLine(character=CharacterId(1), name="Mina *", is_on=True, facts=("HP 3/4", "1 action left"))
ORC = FighterLine(character=CharacterId(2), name="Orc", has_acted=True, facts=("hurt",), secrets=("HP 2/9",))
GHOST = FighterLine(character=CharacterId(3), name="Ghost", facts=("unhurt",))
END = FollowUp(procedure="encounter.next", options=NoOptions(), label="End turn", character=CharacterId(1))
JOIN = FollowUp(procedure="encounter.join", options=NoOptions(), label="Join")
HIT = FollowUp(
    procedure="hit",
    options=NoOptions(),
    label="Attack (1 action) …",
    choices=(Choice("2", "Orc"),),
    chosen="target",
    character=CharacterId(1),
)
AIMED = replace(HIT, label="Attack Orc · 42%", choices=(), chosen="")
VIEW = EncounterView(
    title="Round 2", turn="2/1", on="Mina * acts", lines=(MINA, ORC), notes=("Rough ground",)
)
GROUND = Ground(
    regions=(Region("1", (("Mina *",),)), Region("2", (("Orc",),)), Region("3")),
    links=((0, 1), (1, 2), (0, 2)),
    alt="1: Mina *. 2: Orc.",
)


def look(view: EncounterView = VIEW, *, is_gm: bool = False, offers: tuple[Offer, ...] | None = None) -> Look:
    given = (Offer("aa", JOIN), Offer("bb", HIT), Offer("cc", END)) if offers is None else offers
    return Look(
        server=ServerId(1),
        campaign=CampaignId(7),
        channel=5,
        name="The Manor",
        is_gm=is_gm,
        view=view,
        offers=given,
        bright=(Offer("dd", AIMED),),
        ends=tuple(one for one in given if one.follow_up is END),
        players=(11,),
    )


class TestBoard:
    def test_the_board_shows_whose_turn_it_is_everybodys_state_and_the_actions(self) -> None:
        assert shown(board_reply(look())) == (
            "public, fight\n"
            "### Mina \\* acts\n-# Round 2 · <@11>\n"
            "▶ **Mina \\*** · HP 3/4 · 1 action left\nOrc · hurt · done\n"
            "-# Rough ground\n"
            "[!Attack Orc · 42%] [End turn]\n"
            "[More …] [GM …]"
        )

    def test_the_board_pings_only_the_given_people(self) -> None:
        reply = board_reply(look(), (11,))

        assert reply.pings == (11,)
        assert reply.plain == "Mina \\* acts · <@11>, your turn"  # what a locked phone shows
        assert board_reply(look()).pings == ()

    def test_a_fight_of_many_fits_a_page_and_begins_with_who_is_on(self) -> None:
        lines = tuple(replace(ORC, name=f"Orc {number}", is_on=number == 20) for number in range(40))
        text = shown(board_reply(look(replace(VIEW, lines=lines))))

        assert text.split("\n")[3:13] == [
            "▶ **Orc 20** · hurt · done",
            *(f"Orc {number} · hurt · done" for number in range(21, 30)),
        ]
        assert "-# and 30 more behind More …" in text

    def test_each_combatant_has_one_line_with_as_much_as_fits_and_two_in_their_turn(self) -> None:
        facts = ("hurt", "Gate", "watches the yard behind the tower", "in cover")
        fighters = [replace(ORC, name=f"Orc {number}", facts=facts, has_acted=False) for number in range(8)]
        fighters[3] = replace(fighters[3], is_on=True)
        text = shown(board_reply(look(replace(VIEW, lines=tuple(fighters)))))

        assert "▶ **Orc 3** · hurt · Gate · watches the yard behind the tower · in cover\n" in text
        assert "\nOrc 2 · hurt · Gate · in cover\n" in text
        assert "more:" not in text

    def test_a_long_name_is_shortened_before_the_health_is_left_out(self) -> None:
        long = "Sir Bartholomew Featherstonehaugh Junior"
        healthy = replace(ORC, name=long, facts=("saves 2 of 3, 7+",))
        idle = replace(ORC, name=long, facts=(), has_acted=False)
        text = shown(board_reply(look(replace(VIEW, lines=(MINA, healthy, idle)))))

        assert "\nSir Bartholomew… · saves 2 of 3, 7+ · done\n" in text, text
        assert f"\n{long}\n" in text

    def test_whoever_has_no_fact_that_fits_into_a_line_has_two(self) -> None:
        health = "Heavy armor 2 of 2, saves 4 of 4 on 6+"
        gorm = replace(ORC, name="Gorm Halvard", facts=(health,), has_acted=False)

        assert f"\nGorm Halvard · {health}\n" in shown(board_reply(look(replace(VIEW, lines=(MINA, gorm)))))

    def test_somebody_who_looks_at_a_fight_of_many_reads_about_everybody(self) -> None:
        lines = tuple(replace(ORC, name=f"Orc {number}") for number in range(40))

        assert "Orc 39" in shown(status_reply(look(replace(VIEW, lines=lines))))

    def test_everything_else_that_players_can_do_is_on_a_private_page(self) -> None:
        page = shown(rest_reply(look(replace(VIEW, hidden=(GHOST,), secrets=("A trap",)))))

        assert page.endswith(
            "<Attack (1 action) … 1..1: Orc>\n[!Attack Orc · 42%] [Join] [End turn] [My sheet]"
        )
        assert "Ghost" not in page
        assert "A trap" not in page

    def test_on_a_foes_turn_its_buttons_are_the_gms_whose_door_is_bright(self) -> None:
        foes = replace(look(), npcs=frozenset({CharacterId(1)}), players=())

        assert shown(board_reply(foes)).splitlines()[-1] == "[More …] [!GM …]"
        page = shown(gm_reply(replace(foes, is_gm=True)))
        assert "[!Attack Orc · 42%] [End turn]" in page

    def test_what_has_to_be_answered_first_stands_above_everything(self) -> None:
        waiting = replace(look(), waits=("Mina's defense against Orc's bite",))
        lines = shown(board_reply(waiting)).splitlines()

        assert lines[3] == "**First:** Mina's defense against Orc's bite"
        assert "Attack" not in "".join(lines)

    def test_the_ground_is_drawn_from_two_regions_on(self) -> None:
        one = replace(GROUND, regions=GROUND.regions[:1], links=())

        assert not any(
            isinstance(block, Sketch) for block in board_reply(look(replace(VIEW, ground=one))).blocks
        )

    def test_a_fight_with_positions_has_a_map_with_an_alt_text(self) -> None:
        facts = [("HP 3/4", "1"), ("hurt", "2", "in cover")]
        lines = tuple(replace(one, facts=own) for one, own in zip((MINA, ORC), facts, strict=True))
        reply = board_reply(look(replace(VIEW, lines=lines, ground=GROUND)))

        assert "▶ **Mina \\*** · HP 3/4\nOrc · hurt · in cover · done" in shown(reply)  # the drawn regions
        pictures = [block for block in reply.blocks if isinstance(block, Sketch)]

        assert [picture.alt for picture in pictures] == ["1: Mina *. 2: Orc."]
        drawn = pictures[0].draw()
        assert drawn.startswith(b"\x89PNG")
        assert len(drawn) < 100_000
        assert ground_picture(Ground(regions=(), links=(), alt="")) is None

    def test_names_that_do_not_fit_the_map_are_counted(self) -> None:
        crowd = tuple(f"Ünruly {number}" for number in range(30))
        picture = ground_picture(Ground(regions=(Region("1", (crowd,)),), links=(), alt="a crowd"))

        assert picture is not None
        assert len(picture.draw()) < 100_000

    def test_the_same_fight_has_the_same_mark(self) -> None:

        place = FightPlace(ServerId(1), CampaignId(7), 5)
        one = FightBoard(place=place, look=look(), message=None, shown="", pings=False)
        other = replace(one, look=look(replace(VIEW, title="Round 3")))

        assert mark_of(one) == mark_of(replace(one, message=9))
        assert mark_of(one) != mark_of(other)

    @pytest.mark.parametrize(
        "offer",
        [
            Offer("dd", HIT),
            Offer("bb", replace(HIT, label="Attack …")),
            Offer("bb", replace(HIT, choices=(Choice("2", "Orc"), Choice("3", "Ghost")))),
        ],
    )
    def test_another_control_is_another_mark(self, offer: Offer) -> None:
        place = FightPlace(ServerId(1), CampaignId(7), 5)
        one = FightBoard(place=place, look=look(), message=None, shown="", pings=False)
        offers = (Offer("aa", JOIN), offer, Offer("cc", END))

        assert mark_of(one) != mark_of(replace(one, look=look(offers=offers)))

    def test_a_finished_fight_has_no_buttons(self) -> None:
        assert (
            shown(over_reply())
            == "public, board\n### The fight is over\n-# Everything that happened is in /log."
        )


class TestStatus:
    def test_a_player_reads_what_the_board_says(self) -> None:
        assert shown(status_reply(look())) == (
            "private, board\n"
            "### Mina \\* acts\n-# Round 2\n"
            "▶ **Mina \\*** · HP 3/4 · 1 action left\nOrc · hurt · done\n"
            "-# Rough ground"
        )

    def test_the_gm_reads_numbers_and_hidden_combatants(self) -> None:
        text = shown(status_reply(look(replace(VIEW, hidden=(GHOST,), secrets=("A trap",)), is_gm=True)))

        assert text.endswith(
            "**Hidden from players**\nOrc · HP 2/9\nGhost, hidden · unhurt\nA trap\n[Foes …]"
        )

    def test_the_status_is_silent_about_secrets_where_there_are_none(self) -> None:
        text = shown(status_reply(look(replace(VIEW, lines=(MINA,)), is_gm=True)))

        assert "Hidden from players" not in text
        assert text.endswith("[Foes …]")


def test_an_empty_fight_says_once_that_nobody_has_joined() -> None:
    view = replace(VIEW, lines=(), ground=replace(GROUND, alt="Nobody is there yet."))

    text = shown(board_reply(look(view)))

    assert "Nobody has joined yet.\n(ground.png: Nobody is there yet.)\n-# Rough ground" in text
