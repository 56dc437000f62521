"""Post-magic-maid as it is played: commands and buttons in, replies and what is stored out."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.rules.post_magic_maid import RULESET
from bot.ui.text.roll_text import TALLEST_REPLY, height
from tests.cogs.played import Play, Said, get_up, sit_down

NETTLE, BRAM = "Nettle Quickwater", "Bram Ostergard"


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[Play]:
    """Alice plays Nettle Quickwater, Bob plays Bram Ostergard; the GM has a Goblin."""
    play = await sit_down(tmp_path, RULESET, NETTLE, BRAM)
    await play.npc("Goblin")
    yield play
    await get_up(play)


async def goblin_attacks(play: Play, tier: str = "20", **more: object) -> Said:
    """Have the Goblin attack Nettle, who can defend."""
    how = {"first": "Str", "second": "Dex", "track": "blunt", "tier": tier, "defended": True, "as": "Goblin"}
    return await play.types(play.gwen, "/maid attack", target=NETTLE, **{**how, **more})


async def wounds(play: Play, name: str, track: str = "blunt") -> tuple[int, ...]:
    """The wounds of a character as they are stored."""
    return tuple(filled for filled, _boxes in (await play.kept(name)).wounds[track])


async def test_cards_drawn_for_a_starter_say_that_the_gm_pressed(play: Play) -> None:
    for presser, said in ((play.gwen, " (the GM pressed)"), (play.alice, "")):
        await play.types(play.alice, "/encounter start", others=BRAM)
        drawn = await play.presses(presser, "Draw cards")
        assert f"\n**{NETTLE}** deals the cards for initiative{said} · " in drawn.text.replace("\\", "")
        await play.types(play.gwen, "/gm encounter end")


class TestAttackOnAPlayer:
    """PMM-ATK-03: who does not defend in time rolls the dice that stop it most often."""

    async def test_an_unanswered_attack_rolls_the_best_defense_automatically(self, play: Play) -> None:
        said = await goblin_attacks(play)
        assert said.labels[:3] == [
            "Nettle Quickwater defends against tier 20 with …",
            "Nettle: Dex + Lck 52% · 60 s",
            "Take the wound",
        ]
        assert await play.waits(59) == []

        (done,) = await play.waits(1)

        assert done.result.message.headline.endswith("(time ran out)")  # F-SMALL-23
        assert [die.label for die in done.result.rolls[0].dice] == ["Dex", "Lck"]
        assert await play.document("awaiting/1") is None
        assert await play.waits(60) == []

    async def test_the_targets_player_may_defend_early_and_choose_the_dice(self, play: Play) -> None:
        await goblin_attacks(play)
        said = await play.chooses(play.alice, "Nettle Quickwater defends", "Int + Cha", "d8:1 d8:2")

        assert said.text.startswith("**Goblin** attacks Nettle Quickwater, blunt · ")
        assert "**tier 20, heavy wound**\n" in said.text
        assert "\n**Nettle Quickwater** is hit by Goblin" in said.text
        assert await wounds(play, NETTLE) == (0, 0, 1, 0)
        assert await play.waits(60) == []

    async def test_the_target_may_take_the_wound(self, play: Play) -> None:
        await goblin_attacks(play)
        said = await play.presses(play.alice, "Take the wound")

        assert said.text.startswith("**Goblin** attacks Nettle Quickwater, blunt · ")
        assert "**tier 20, heavy wound**\n" in said.text
        assert "\n**Nettle Quickwater** is hit by Goblin" in said.text
        assert await play.waits(60) == []
        assert await wounds(play, NETTLE) == (0, 0, 1, 0)

    async def test_a_stranger_cannot_defend_for_a_character(self, play: Play) -> None:
        await goblin_attacks(play)
        said = await play.presses(play.stranger, "Take the wound")

        assert said.is_private
        assert await wounds(play, NETTLE) == (0, 0, 0, 0)

    async def test_other_actions_do_not_stop_the_defense_timeout(self, play: Play) -> None:
        await goblin_attacks(play)
        await play.types(play.gwen, "/maid-gm wound", target=NETTLE, track="blunt", tier="10", count=1)
        await play.types(play.bob, "/maid check", first="Str", second="Dex")

        assert len(await play.waits(60)) == 1

    async def test_a_target_unconscious_by_then_takes_the_wound(self, play: Play) -> None:
        await goblin_attacks(play, track="rending", tier="15")
        await play.types(play.gwen, "/maid-gm wound", target=NETTLE, track="blunt", tier="25", count=1)

        (done,) = await play.waits(60)

        assert done.result.message.headline == "is hit by Goblin (time ran out)"
        assert done.result.message.notes[0] == "Nettle Quickwater can't defend."
        assert await wounds(play, NETTLE, "rending") == (0, 1, 0, 0)

    async def test_a_defense_allowed_afterwards_has_a_timeout_too(self, play: Play) -> None:
        await goblin_attacks(play, defended=False)
        assert await wounds(play, NETTLE) == (0, 0, 1, 0)
        await play.presses(play.gwen, "Let Nettle Quickwater defend")
        assert await wounds(play, NETTLE) == (0, 0, 0, 0)

        assert len(await play.waits(60)) == 1

    async def test_the_automatic_defense_may_be_switched_off(self, play: Play) -> None:
        await play.set("defense_seconds", "0")
        said = await goblin_attacks(play)

        assert said.labels[1] == "Nettle: Dex + Lck 52%"
        assert await play.waits(4000) == []

    async def test_a_secret_attack_waits_for_the_gm(self, play: Play) -> None:
        said = await goblin_attacks(play, secret=True)

        assert said.is_private
        assert await play.waits(4000) == []


class TestHeadlines:
    """F-SMALL-06, F-SMALL-08, F-SMALL-12: one tier, the right winner, no help for the enemy first."""

    async def test_the_gms_tier_is_shown_once_and_marked_f_small_06(self, play: Play) -> None:
        await play.types(
            play.gwen, "/maid assist", target=NETTLE, first="Str", second="Wll", tier="25", **{"as": BRAM}
        )
        said = await play.types(
            play.gwen,
            "/maid attack",
            "d6:3 d20:12",
            target="Goblin",
            first="Str",
            second="Dex",
            track="blunt",
            tier="10",
            **{"as": NETTLE},
        )

        assert "· **tier 10 \\(set by the GM\\), slight wound**" in said.text
        assert said.text.count("tier") == 1
        assert await wounds(play, "Goblin") == (1, 0, 0, 0)

    async def test_a_gms_tier_that_changes_nothing_is_not_shown_f_small_06(self, play: Play) -> None:
        said = await play.types(
            play.gwen, "/maid check", "d6:6 d20:19", first="Str", second="Dex", tier="25", **{"as": NETTLE}
        )

        assert "checks Str + Dex · **tier 25**" in said.text
        assert said.text.count("tier") == 1

    async def test_an_assisted_tier_shows_the_tier_before_the_assist_f_small_06(self, play: Play) -> None:
        await play.types(
            play.gwen, "/maid assist", target=NETTLE, first="Str", second="Wll", tier="25", **{"as": BRAM}
        )
        said = await play.types(play.alice, "/maid check", "d6:3 d20:12", first="Str", second="Dex")

        assert "checks Str + Dex · **tier 20**" in said.text
        assert "An assist of tier 25 lifts it from tier 15." in said.text

    async def test_a_failed_defense_says_who_is_hit_f_small_08(self, play: Play) -> None:
        await play.types(
            play.gwen,
            "/maid attack",
            target="Goblin",
            first="Str",
            second="Dex",
            track="blunt",
            tier="25",
            defended=True,
            **{"as": NETTLE},
        )
        said = await play.types(
            play.gwen, "/maid defend", first="Str", second="Dex", tier="10", **{"as": "Goblin"}
        )

        assert said.text.startswith("**Goblin** is hit by Nettle Quickwater · **tier 20, heavy wound")
        assert await wounds(play, "Goblin") == (0, 0, 1, 0)

    async def test_a_tie_names_who_ties_and_who_is_out_f_small_08(self, play: Play) -> None:
        await play.types(
            play.gwen, "/maid-gm contest", one=NETTLE, other=BRAM, more="Goblin", first="Str", second="Dex"
        )
        await play.presses(play.alice, NETTLE, "d6:2 d20:13")
        await play.presses(play.bob, BRAM, "d20:9 d8:7")
        said = await play.presses(play.gwen, "Goblin", "d8:4 d12:4")

        (edited,) = said.sent
        called, *_others = edited.text.splitlines()
        assert called.startswith("**Gwen** calls for a contest")
        assert called.endswith(" · **Nettle Quickwater and Bram Ostergard tie, Goblin is out**")
        assert "\n**Goblin** is the last to roll in the contest, Str + Dex" in edited.text

    @pytest.mark.parametrize(
        ("attacker", "target", "offered"),
        [(NETTLE, "Goblin", False), ("Goblin", NETTLE, True), (NETTLE, BRAM, True)],
    )
    async def test_nobody_is_asked_to_treat_an_enemy_f_small_12(
        self, play: Play, attacker: str, target: str, offered: bool
    ) -> None:
        said = await play.types(
            play.gwen,
            "/maid attack",
            target=target,
            first="Str",
            second="Dex",
            track="rending",
            tier="20",
            **{"as": attacker},
        )

        assert (f"Treat {target} (Int + Dex)" in said.labels) == offered
        assert await wounds(play, target, "rending") == (0, 0, 1, 0)


class TestWhatIsRefused:
    """What would count for nothing, or leave somebody with a roll that nobody can make, is refused."""

    @pytest.mark.parametrize(
        ("command", "given"),
        [
            ("contest", {"one": NETTLE, "other": BRAM, "first": "Str"}),
            ("contest", {"one": NETTLE, "other": BRAM, "first": "Str", "second": "Str"}),
            ("call", {"character": NETTLE, "first": "Str", "second": "Str"}),
        ],
    )
    async def test_a_pair_of_equal_attributes_is_refused(
        self, play: Play, command: str, given: dict[str, object]
    ) -> None:
        said = await play.types(play.gwen, f"/maid-gm {command}", **given)

        assert said.text.startswith("A check needs two different attributes.")
        assert await play.document("awaiting/1") is None

    async def test_a_gm_cannot_remove_more_wounds_than_there_are(self, play: Play) -> None:
        await play.types(play.gwen, "/maid-gm wound", target=NETTLE, track="blunt", tier="10", count=2)
        said = await play.types(play.gwen, "/maid-gm mend", target=NETTLE, wound="slight blunt", count=3)

        assert said.text == "Nettle Quickwater has 2 slight blunt wounds, not 3."
        assert await wounds(play, NETTLE) == (2, 0, 0, 0)

    async def test_an_attack_says_that_its_target_cannot_defend(self, play: Play) -> None:
        await play.types(play.gwen, "/maid-gm wound", target=NETTLE, track="blunt", tier="25", count=1)
        said = await goblin_attacks(play, track="rending")

        assert "Nettle Quickwater can't defend." in said.text
        assert await wounds(play, NETTLE, "rending") == (0, 0, 1, 0)

    async def test_the_chance_of_a_requested_check_includes_assists(self, play: Play) -> None:
        await play.types(
            play.gwen, "/maid assist", target=NETTLE, first="Str", second="Wll", tier="25", **{"as": BRAM}
        )
        said = await play.types(
            play.gwen, "/maid-gm call", character=NETTLE, first="Str", second="Dex", needed="20"
        )

        assert said.labels[0] == "Roll Str + Dex · 100%"


async def test_the_third_bonus_says_which_step_is_open_and_leads_there_f_small_15(play: Play) -> None:
    await play.types(play.stranger, "/character create")
    await play.presses(play.stranger, "Next")
    page = await play.presses(play.stranger, "Next")

    assert "**Third bonus**" in page.text
    assert "Nothing to choose here yet. First, Dice: Choose one attribute for the d20." in page.text.replace(
        "\\", ""
    )
    there = await play.presses(play.stranger, "Go to Dice")
    assert "**Dice**" in there.text
    assert "One attribute with a d20" in there.labels


async def test_f_own_05_a_contest_tells_the_dice_of_both(play: Play) -> None:
    await play.types(
        play.gwen,
        "/maid-gm contest",
        one=NETTLE,
        other=BRAM,
        first="Dex",
        second="Lck",
        other_first="Str",
        other_second="Dex",
    )
    hidden = await play.presses(play.alice, f"{NETTLE}: roll", "d20:2 d12:3")
    assert "**8**" not in "".join(one.text for one in hidden.sent if not one.is_private)

    said = await play.presses(play.bob, f"{BRAM}: roll", "d20:12 d8:2")

    assert "Nettle Quickwater: Dex d20 2 + Lck d12 3 + Dex 2 + Lck 1 = 8" in said.text.replace("\\", "")
    assert "Str d20 **12**" in said.text
    assert "Dex d8 **2**" in said.text
    assert "stay hidden" not in said.text
    assert height([said.text]) <= TALLEST_REPLY


async def test_f_own_06_who_cannot_defend_hears_that_a_gm_may_allow_it(play: Play) -> None:
    await goblin_attacks(play, defended=False)

    said = await play.types(play.alice, "/maid defend", first="Dex", second="Lck")

    assert said.is_private
    assert "A GM can let them defend" in said.text
    await play.presses(play.gwen, f"Let {NETTLE} defend")
    assert any(label.startswith(f"{NETTLE} defends") for label in play.labels(play.alice))


async def test_f_own_03_level_ups_that_a_command_granted_are_awarded(play: Play) -> None:
    await play.types(play.gwen, "/session start")
    await play.types(play.gwen, "/maid-gm grant", target=NETTLE, count=3)

    preview = await play.types(play.gwen, "/session end")
    assert f"Level-ups: 3 level-ups to {NETTLE}" in preview.text
    await play.presses(play.gwen, "End the session")

    assert "3 Level-ups" in (await play.types(play.gwen, "/session recap")).text


async def test_a_finished_contest_shows_each_sum_and_the_chance_of_its_tier(play: Play) -> None:
    sides = {"first": "Dex", "second": "Lck", "other_first": "Str", "other_second": "Wll"}
    await play.types(play.gwen, "/maid-gm contest", one=NETTLE, other=BRAM, **sides)
    await play.presses(play.alice, f"{NETTLE}: roll", "d20:5 d12:4")

    done = await play.presses(play.bob, f"{BRAM}: roll", "d20:10 d12:5")

    assert "Str d20 **10** Wll d12 **5** + 2 = **17** · 15: 25%" in done.text


async def test_whoever_leaves_on_their_turn_says_whose_it_is_now(play: Play) -> None:
    await play.types(play.alice, "/encounter start", others=f"{BRAM}, Goblin")
    await play.types(play.gwen, "/encounter next")
    board = (await play.types(play.alice, "/encounter status")).text
    who, name = (play.alice, NETTLE) if board.startswith(f"### {NETTLE} acts") else (play.bob, BRAM)
    if board.startswith("### Goblin"):
        who, name = play.gwen, "Goblin"

    left = await play.types(who, "/encounter leave", character=name)

    assert re.search(r"the fight · \*\*.+ acts\*\*", left.text)


async def test_the_preview_of_a_sessions_end_leaves_out_actions_that_were_taken(play: Play) -> None:
    await play.types(play.gwen, "/session start")
    await play.types(play.alice, "/encounter start", others=f"{BRAM}, Goblin")
    await play.types(play.gwen, "/encounter next")
    for _ in range(3):  # until it is hers
        board = (await play.types(play.alice, "/encounter status")).text
        if board.startswith(f"### {NETTLE} acts"):
            break
        await play.types(play.gwen, "/encounter next")
    await play.types(play.alice, "/maid check", "d20:18 d12:9", first="Dex", second="Lck")
    assert "no action left" in (await play.types(play.alice, "/encounter status")).text

    preview = await play.types(play.gwen, "/session end")

    assert "Ending session 1" in preview.text
    assert "ctions" not in preview.text


async def test_a_recap_says_once_that_somebody_died(play: Play) -> None:
    await play.types(play.gwen, "/session start")
    await play.types(play.gwen, "/maid-gm verdict", target=BRAM, dies=True)

    recap = await play.types(play.gwen, "/session recap")

    assert f"**{BRAM}**: died" in recap.text.splitlines()
