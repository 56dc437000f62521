"""A message that is too tall for a phone leaves advice out first, and never dice, damage or who is down."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.rules import compare_roll, post_magic_maid, rpj, swim_class, sword_and_swarm
from bot.rules.kernel import Ruleset
from bot.ui.input.discord_format import COLOURS
from bot.ui.text.reply import Accent
from bot.ui.text.roll_text import TALLEST_REPLY, height
from tests.cogs.compare_roll import JUNO, OTTO, fails, table_of_compare_roll
from tests.cogs.played import Play, Said, get_up, sit_down

MARIT, OSKAR = "Marit Vance", "Oskar Brandt"
SABLE, ONDRA = "Sable Thornwick", "Ondra Kestrel"
NETTLE, BRAM = "Nettle Quickwater", "Bram Ostergard"


@pytest.fixture
async def rpjs(tmp_path: Path) -> AsyncIterator[Play]:
    play = await sit_down(tmp_path, rpj.RULESET, MARIT, OSKAR)
    await play.npc("Vex")
    yield play
    await get_up(play)


@pytest.fixture
async def compares(tmp_path: Path) -> AsyncIterator[Play]:
    async with table_of_compare_roll(tmp_path) as play:
        yield play


@pytest.fixture
async def maid(tmp_path: Path) -> AsyncIterator[Play]:
    play = await sit_down(tmp_path, post_magic_maid.RULESET, NETTLE, BRAM)
    yield play
    await get_up(play)


@pytest.fixture
async def swim(tmp_path: Path) -> AsyncIterator[Play]:
    play = await sit_down(tmp_path, swim_class.RULESET, SABLE, ONDRA)
    yield play
    await get_up(play)


def assert_fits(text: str) -> None:
    """The text fits a phone."""
    assert height([text]) <= TALLEST_REPLY, text


class TestRpj:
    """F-RPJ-17: dice are the last thing that is cut."""

    async def group_check(self, play: Play) -> str:
        members = f"{MARIT}, {OSKAR}, Vex"
        given = {"members": members, "leader": MARIT, "skill": "Concealment", "difficulty": "14+"}
        await play.types(play.gwen, "/rpj-gm group", **given)
        await play.presses(play.alice, f"{MARIT} (leads): roll", "d6:2 d6:3")
        await play.presses(play.bob, f"{OSKAR}: roll", "d6:1 d6:2")
        said = await play.presses(play.gwen, "Vex: roll", "d6:4 d6:1")
        return said.text

    async def test_a_group_check_shows_each_members_dice_and_the_target_once(self, rpjs: Play) -> None:
        text = await self.group_check(rpjs)

        assert all(f"{dice} **" in text for dice in ("⚁ ⚂", "⚀ ⚁", "⚃ ⚀")), text
        assert text.count("14+") == 1, text
        assert text.count("%") == 3, text
        assert_fits(text)

    async def test_a_closed_group_check_posts_no_second_message(self, rpjs: Play) -> None:
        """F-RPJ-22."""
        await self.group_check(rpjs)
        before = len([one for one in rpjs.messages if one.reader is None])

        await rpjs.presses(rpjs.gwen, "Close")

        assert len([one for one in rpjs.messages if one.reader is None]) == before

    async def test_a_round_of_a_mass_battle_shows_its_dice(self, rpjs: Play) -> None:
        await rpjs.set("mass_combat", "yes")
        sides = {"own": "Heroes", "own_people": 40, "enemy": "Rebels", "enemy_people": 60}
        await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass start", **sides)

        said = await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass round", "d6:1 d6:2 d6:6 d6:5")

        assert "⚀ ⚁" in said.text
        assert "⚅ ⚄" in said.text
        assert_fits(said.text)

    async def test_the_last_base_save_shows_its_dice_and_what_is_lost(self, rpjs: Play) -> None:
        for _ in range(9):
            await rpjs.types(rpjs.gwen, "/rpj-gm health harm", targets=OSKAR, damage=9)
            said = await rpjs.presses(rpjs.bob, f"{OSKAR}: save", "d6:1 d6:2")
            assert "⚀ ⚁" in said.text
            if "bleeding out" in said.text:
                break

        assert "No base save left\\: bleeding out." in said.text
        assert "State in action → bleeding out" in said.text
        assert_fits(said.text)
        assert "bleeding out" in (await rpjs.types(rpjs.bob, "/sheet")).text
        assert f"**{OSKAR}** · Bleeding out" in (await rpjs.types(rpjs.gwen, "/gm desk")).text

    async def test_whoever_bleeds_in_a_fight_is_asked_once_a_round(self, rpjs: Play) -> None:
        await rpjs.types(rpjs.alice, "/encounter start", others=f"{OSKAR}, Vex")
        for _ in range(2):
            await rpjs.types(rpjs.gwen, "/encounter next")
        await rpjs.types(rpjs.gwen, "/rpj-gm health harm", targets=MARIT, damage=9, times=3)
        for _ in range(3):
            await rpjs.presses(rpjs.alice, f"{MARIT}: save", "d6:1 d6:2")
        for _ in range(4):
            turned = await rpjs.types(rpjs.gwen, "/encounter next")
            if "bleeding" in turned.text:
                break

        asked = [one for one in turned.labels if "bleeding out" in one]
        assert asked == [f"{MARIT}: Roll against bleeding out: 9+ · 28%"]
        assert "a roll is due" not in turned.text

    async def test_dice_of_an_earlier_save_keep_the_name_of_who_rolled_them(self, rpjs: Play) -> None:
        await rpjs.types(rpjs.gwen, "/rpj-gm health harm", targets=f"{MARIT}, {OSKAR}", damage=3)
        await rpjs.presses(rpjs.alice, f"{MARIT}: save", "d6:1 d6:2")

        said = await rpjs.presses(rpjs.bob, f"{OSKAR}: save", "d6:4 d6:4")

        marits, oskars = said.text.splitlines()[1:3]
        assert marits.startswith(f"**{MARIT}** ⚀ ⚁ **3** against 10+ · 17% · Base 3 of 3")
        assert oskars.startswith(f"**{OSKAR}** rolls a save against 3 damage")
        assert "⚃ ⚃ **8**" in oskars
        assert_fits(said.text)

    async def test_an_aftermath_of_two_losers_shows_every_die(self, rpjs: Play) -> None:
        await rpjs.set("mass_combat", "yes")
        sides = {"own": "Heroes", "own_people": 60, "enemy": "Rebels", "enemy_people": 60}
        await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass start", **sides)
        for _ in range(2):  # each side loses four markers a round, and holds
            fought = await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass round", "d6:6 d6:5 " * 2 + "d6:6 " * 4)
            assert fought.text.count("⚅ ⚄") == 2
            assert_fits(fought.text)
        for side in ("Heroes", "Rebels"):
            await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass retreat", side=side)
        await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass round")

        said = await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass aftermath")

        heroes, rebels = [line for line in said.text.splitlines() if "recovery against 9+" in line]
        assert [len(re.findall("[⚀-⚅]{2}", line)) for line in (heroes, rebels)] == [8, 8]
        assert said.text.count("8 markers lost") == 2
        assert_fits(said.text)
        details = (await rpjs.presses(rpjs.gwen, "Details")).text
        assert details.count("critical success: 3%") == 1  # F-RPJ-22: one block of chances for all of them
        assert details.count("recovery\\:") + details.count("recovery:") == 16

    async def test_a_closed_round_of_a_battle_says_what_it_cost_and_not_what_was_before(
        self, rpjs: Play
    ) -> None:
        """F-RPJ-22."""
        await rpjs.set("mass_combat", "yes")
        sides = {"own": "Heroes", "own_people": 60, "enemy": "Rebels", "enemy_people": 60}
        await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass start", **sides)
        await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass round", "d6:6 d6:5 d6:1 d6:2")
        await rpjs.sees_the_undone()

        start = rpjs.messages[0].text
        assert "Round 1\\: Heroes 10 → 10; Rebels 10 → 6" in start
        assert "10 of 10" not in start

    async def fight(self, play: Play, **mooks: int) -> None:
        """A fight of both within a region, with mooks beside Oskar, before its first round."""
        await play.types(play.gwen, "/encounter start")
        await play.types(play.alice, "/encounter join")
        await play.types(play.bob, "/encounter join")
        await play.presses(play.gwen, "Start within 30 yards")
        for name, count in mooks.items():
            await play.types(play.gwen, "/rpj-gm-fight mooks", name=name, count=count, beside=OSKAR)
        await play.types(play.gwen, "/encounter next")
        await play.types(play.gwen, "/encounter next")

    async def test_three_saves_at_once_show_each_die_and_what_was_lost_once(self, rpjs: Play) -> None:
        await self.fight(rpjs, Guard=3)
        for _ in range(2):
            await rpjs.types(rpjs.gwen, "/encounter next")
        hits = "d6:6 d6:5 d6:6 d6:4 d6:5 d6:5"
        struck = await rpjs.types(rpjs.gwen, "/rpj-gm-fight mook-attack", hits, who="Guard", target=OSKAR)
        assert "3 of 3 hit" in struck.text

        said = await rpjs.presses(rpjs.bob, f"{OSKAR}: roll all 3 saves", "d6:4 d6:3 d6:1 d6:2 d6:6 d6:5")

        saves = ("4 + 3 = 7", "1 + 2 = 3", "6 + 5 = 11")
        assert all(f"{OSKAR}, save: {one} against" in said.alt for one in saves), said.alt
        assert [said.alt.count(f"; {word};") for word in ("lost", "saved")] == [2, 1]
        assert all(f"Guard {one}, attack: " in said.alt for one in ("1", "2", "3"))
        assert (said.text + said.alt).count("3 of 3 (7+) →") == 1
        assert "Lucky Break" not in said.text
        assert_fits(said.text)
        details = (await rpjs.presses(rpjs.bob, "Details")).text
        assert details.count("critical success") == 2  # F-RPJ-22: of the attacks, and of the saves

    async def test_a_legendary_foes_failed_save_in_a_fight_is_told(self, rpjs: Play) -> None:
        """F-RPJ-20."""
        await rpjs.set("cinematic_combat", "yes")
        await rpjs.types(rpjs.gwen, "/rpj-gm health scale", target="Vex", unlimited=True)
        await rpjs.types(rpjs.gwen, "/encounter start")
        await rpjs.types(rpjs.gwen, "/gm encounter add", name="Vex")
        await rpjs.types(rpjs.alice, "/encounter join")
        await rpjs.presses(rpjs.gwen, "Start within 30 yards")
        # Marit goes first, and stands beside Vex.
        await rpjs.types(rpjs.gwen, "/encounter next", "d6:1 d6:1 d6:6 d6:6")
        await rpjs.types(rpjs.gwen, "/encounter next")
        await rpjs.types(rpjs.gwen, "/rpj-fight place", who=MARIT, beside="Vex")

        said = await rpjs.types(rpjs.alice, "/rpj-fight attack", "d6:6 d6:5 d6:1 d6:2", target="Vex")

        assert "holds" not in said.text
        assert "Vex fails the save; a legendary foe loses none." in said.text
        assert "Vex, save: 1 + 2 = 3" in said.alt
        assert_fits(said.text)

    async def test_details_of_an_opposed_check_tell_its_roll_once(self, rpjs: Play) -> None:
        """F-RPJ-22."""
        play = rpjs
        await play.types(play.alice, "/rpj-together opposed", skill="Concealment", target=OSKAR)
        await play.chooses(play.bob, f"{OSKAR}: agree", "Concealment")
        await play.presses(play.gwen, "Agree")
        await play.presses(play.alice, f"{MARIT}: roll", "d6:1 d6:2")
        card = await play.presses(play.alice, f"{MARIT}: Lucky Break", "d6:6")
        assert "wants to check" not in card.text
        assert "talk it through" not in card.text
        assert_fits(card.text)

        details = (await play.presses(play.alice, "Details")).text

        assert details.count("🍀") == 1
        assert details.count("success, 7 degrees") == 1
        assert details.count("Lucky Breaks 3 → 2") == 1
        assert f"{OSKAR} opposes with Concealment 1." in details

    async def test_f_own_12_a_rolled_assisted_check_no_longer_asks_for_help(self, rpjs: Play) -> None:
        help_ = {"skill": "Athleticism", "helper": OSKAR, "difficulty": "12+"}
        await rpjs.types(rpjs.alice, "/rpj-together assisted", **help_)
        await rpjs.presses(rpjs.bob, f"{OSKAR}: help, easy", "d6:6 d6:6")

        said = await rpjs.presses(rpjs.alice, f"{MARIT}: roll", "d6:3 d6:3")

        assert said.text.startswith(f"**{MARIT}** checks Athleticism with help, against 11+ · **success")
        assert "asks for help" not in said.text
        assert_fits(said.text)

    async def test_f_own_01_mooks_without_a_name_are_asked_for(self, rpjs: Play) -> None:
        await self.fight(rpjs, Guard=3)
        for _ in range(2):
            await rpjs.types(rpjs.gwen, "/encounter next")

        said = await rpjs.types(rpjs.gwen, "/rpj-gm-fight mook-attack", target=OSKAR)

        assert said.is_private
        assert "Name somebody in this fight. Fighting\\: Marit Vance, Oskar Brandt, Guard 1" in said.text

    async def test_f_own_02_nobody_is_said_to_be_missing_once_they_have_joined(self, rpjs: Play) -> None:
        await rpjs.types(rpjs.gwen, "/encounter start")

        said = await rpjs.presses(rpjs.alice, "Join")

        assert "joins the fight" in said.text
        assert "Nobody" not in said.text


class TestCompareRoll:
    async def test_the_message_of_a_settled_attack_shows_its_damage_and_target(self, compares: Play) -> None:
        """F-SMALL-19."""
        play = compares
        await play.types(
            play.alice, "/compare attack", "d12:1 d12:10 d6:6 d6:4", targets="Ogre", weapon="Unarmed"
        )
        said = await play.presses(play.alice, "Roll damage", "d4:3")

        assert "attacks Ogre with Unarmed" in said.text
        assert "Juno Marsh, damage: 3" in said.alt
        assert "1 damage \\(half\\)" in said.text
        assert "Ogre: Condition unhurt → scratched" in said.alt
        assert "A counterattack is possible." in said.text
        assert_fits(said.text)

    async def test_an_earlier_rolls_consequence_names_its_roll(self, compares: Play) -> None:
        """F-SMALL-18."""
        play = compares
        await play.types(play.gwen, "/compare-gm fate", target=JUNO, stress=3)
        failed = "d12:12 d12:12 d6:2 d6:4"
        await play.types(play.alice, "/compare attack", failed, targets="Ogre", weapon="Unarmed")

        said = await play.types(play.alice, "/compare attack", failed, targets="Ogre", weapon="Unarmed")

        (line,) = [line for line in said.text.splitlines() if "Stress over 3" in line]
        assert line.startswith("Before that, Juno Marsh attacks Ogre with Unarmed\\: Failure.")
        assert_fits(said.text)

    async def test_a_check_left_to_time_out_keeps_its_dice(self, compares: Play) -> None:
        """F-SMALL-19."""
        await fails(compares)
        await compares.waits(60)

        text = compares.messages[-1].text
        assert "⚁ ⚃" in text
        assert "Stress 0 → 1" in text
        assert_fits(text)

    async def test_a_grenade_shows_its_dice_and_each_targets_damage(self, compares: Play) -> None:
        """F-SMALL-19."""
        play = compares
        foes = ("Ogre", "Wolf", "Bear")
        for foe in foes[1:]:
            await play.npc(foe)
            await play.types(play.gwen, "/compare-gm foe", target=foe, hp=30, weapon="Unarmed")
        await play.types(play.gwen, "/compare-gm give", target=OTTO, thing="Grenade")
        said = await play.types(
            play.bob, "/compare attack", "d12:1 d12:1 d6:6 d6:5", targets=", ".join(foes), weapon="Grenade"
        )

        assert "6 + 5" in said.alt
        assert all(f"{foe}\\: " in said.text and "damage" in said.text for foe in foes), said.text
        assert_fits(said.text)

    async def test_a_short_rest_shows_its_dice_and_their_chance(self, compares: Play) -> None:
        """F-SMALL-19."""
        play = compares
        await play.types(play.gwen, "/compare-gm fate", target=OTTO, hp=5)
        said = await play.types(play.bob, "/compare rest", "d6:6", hours=1, now=True)

        assert "⚅" in said.text
        assert "%" in said.text


class TestPostMagicMaid:
    async def test_a_jokers_consequence_is_shown(self, maid: Play) -> None:
        """F-SMALL-20."""
        play = maid
        # Nettle draws the ace of clubs and a king, Bram a two and a three: she goes first.
        start = {"starter": NETTLE, "others": BRAM, "opposed": True}
        order = await play.types(play.gwen, "/maid initiative", "d54:1 d53:12", **start)
        who, other = (play.alice, BRAM) if f"{NETTLE} goes first" in order.text else (play.bob, NETTLE)

        said = await play.types(who, "/maid blitz", "d54:53")

        assert "Joker" in said.text
        assert f"The next check this round is an automatic 25 for {other}." in said.text
        assert_fits(said.text)


class TestSwimClass:
    async def test_a_dying_character_is_shown_before_a_harmless_1(self, swim: Play) -> None:
        """F-SWIM-32."""
        play = swim
        await play.types(play.gwen, "/swim-gm harm", target=ONDRA, damage=1)
        await play.types(play.alice, "/swim attack", "d6:6 d6:6 d6:6", skill="Basic Melee", targets=ONDRA)
        said = await play.presses(play.bob, f"{ONDRA}: Physical Defense", "d6:1")

        assert "and dying\\: roll to stabilize" in said.text
        assert "got through; 1 unused" in said.alt
        assert_fits(said.text)

    async def test_f_own_07_a_settled_fight_leaves_nothing_to_press_and_says_who_is_down(
        self, swim: Play
    ) -> None:
        play = swim
        await play.npc("Orc")
        await play.types(play.alice, "/encounter start", others=ONDRA)
        await play.types(play.gwen, "/gm encounter add", name="Orc")
        await play.types(play.gwen, "/encounter next", "d6:6 d6:5 d6:1")
        hits = "d6:6 d6:6 d6:6"
        await play.types(play.alice, "/swim attack", hits, skill="Basic Melee", targets=ONDRA)
        await play.types(play.gwen, "/encounter next")
        await play.types(play.bob, "/swim attack", "d6:6", skill="Basic Melee", targets="Orc")
        asked = await play.types(play.gwen, "/gm encounter end")
        assert "can't end the fight yet" in asked.text
        answered = await play.presses(play.gwen, "Orc: don't oppose")
        assert answered.text.splitlines()[0].endswith(
            "2 things are open"
        )  # the answer's verdict is its own line's

        said = await play.presses(play.gwen, "Settle", "d6:1")

        assert "can't end" not in said.text
        assert "can oppose" not in said.text
        assert f"{ONDRA} is down and dying" in said.text
        assert said.labels == ["Details", "Undo"]
        assert_fits(said.text)
        undone = await play.presses(play.gwen, "Undo")
        assert "can't end the fight yet" in undone.text
        assert "Round 1" in (await play.types(play.alice, "/encounter status")).text

    async def test_f_own_09_who_learns_is_said_in_words(self, swim: Play) -> None:
        await swim.types(swim.gwen, "/swim-gm state", target=ONDRA, state="learns")
        said = await swim.types(swim.gwen, "/swim-gm state", target=ONDRA, state="learns", on=False)

        assert f"rules\\: {ONDRA} no longer learns from rolls" in said.text


GREEN, RED = COLOURS[Accent.SUCCESS], COLOURS[Accent.FAILURE]
FOE = "Ogre"


def edge(said: Said) -> object:
    """The colour of the last message for everybody."""
    body = [one.body for one in said.sent if not one.is_private][-1]
    embeds = [embed["color"] for embed in body.get("embeds") or []]
    return [*embeds, *(one["accent_color"] for one in body.get("components") or [] if one["type"] == 17)][0]


@asynccontextmanager
async def playing(folder: Path, game: Ruleset, alices: str, bobs: str) -> AsyncIterator[Play]:
    """Alice and Bob play a ready-made hero each; the GM has a foe."""
    play = await sit_down(folder, game, alices, bobs)
    await play.npc(FOE)
    yield play
    await get_up(play)


def test_f_all_38_only_a_running_fight_is_violet() -> None:
    violet = COLOURS[Accent.FIGHT]
    assert [accent for accent in Accent if COLOURS[accent] == violet] == [Accent.FIGHT]
    assert COLOURS[Accent.BOARD] == COLOURS[Accent.NEWS]


async def test_f_all_38_compare_roll(tmp_path: Path) -> None:
    juno = "Juno Marsh"
    async with playing(tmp_path, compare_roll.RULESET, juno, "Otto Brandt") as play:
        await play.types(play.gwen, "/compare-gm foe", target=FOE, hp=30, weapon="Baseball Bat")
        fall = "d12:1 d12:1 d6:6 d6:6 d6:1"
        hit = await play.types(play.alice, "/compare attack", fall, targets=FOE, weapon="Unarmed")
        assert edge(hit) == GREEN
        await play.types(play.gwen, "/compare attack", "d6:4", targets=juno, **{"as": FOE})
        wound = await play.chooses(play.alice, f"{juno} defends", "Dodging", "d12:12 d12:11 d6:1 d6:2")
        assert edge(wound) == RED


async def test_f_all_38_post_magic_maid(tmp_path: Path) -> None:
    nettle = "Nettle Quickwater"
    async with playing(tmp_path, post_magic_maid.RULESET, nettle, "Bram Ostergard") as play:
        how = {"first": "Str", "second": "Dex", "track": "blunt", "defended": True}
        attack = await play.types(play.gwen, "/maid attack", target=nettle, tier="20", **how, **{"as": FOE})
        assert edge(attack) == RED
        assert edge(await play.presses(play.alice, "Take the wound")) == RED
        hit = await play.types(play.alice, "/maid attack", target=FOE, **how)
        assert edge(hit) == GREEN
        assert edge(await play.presses(play.gwen, "Take the wound")) == GREEN


async def test_f_all_38_swim_class(tmp_path: Path) -> None:
    sable = "Sable Thornwick"
    async with playing(tmp_path, swim_class.RULESET, sable, "Ondra Kestrel") as play:
        await play.types(play.gwen, "/swim-gm rank", target=FOE, skill="Basic Melee", rank=3)
        fall, how = "d6:6 d6:2 d6:6", {"skill": "Basic Melee"}
        attacked = await play.types(play.gwen, "/swim attack", fall, targets=sable, **how, **{"as": FOE})
        assert "Sable: Basic Melee · 60 s" in attacked.labels  # one line of a phone; its worth stands above
        assert f"{sable} can oppose\\: ≈ 1.0 hits." in attacked.text
        assert edge(await play.presses(play.alice, "Sable: don't oppose")) == RED
        attack = await play.types(play.bob, "/swim attack", fall, targets=FOE, **how)
        # A foe's defense is no button for everybody.
        assert f"{FOE} can oppose." in attack.text
        assert [one for one in attack.labels if FOE in one] == []
        assert attack.labels[-1] == "GM …"
        assert edge(await play.presses(play.gwen, f"{FOE}: don't oppose")) == GREEN


async def test_f_all_38_sword_and_swarm(tmp_path: Path) -> None:
    odalys = "Odalys Thorne"
    async with playing(tmp_path, sword_and_swarm.RULESET, odalys, "Corvin Asher") as play:
        won = await play.types(play.alice, "/swarm versus", "d6:6", attribute="Shield", target=FOE)
        assert edge(won) == GREEN
        how = {"attribute": "Mallet", "target": odalys, "as": FOE}
        assert edge(await play.types(play.gwen, "/swarm versus", "d6:6", **how)) == RED
        assert edge(await play.types(play.gwen, "/swarm versus", "d6:1", **how)) == GREEN


async def test_f_all_38_rpj(tmp_path: Path) -> None:
    marit = "Marit Vance"
    async with playing(tmp_path, rpj.RULESET, marit, "Oskar Brandt") as play:
        await play.types(play.gwen, "/rpj-gm health harm", targets=marit, damage=3)
        assert edge(await play.presses(play.alice, f"{marit}: save", "d6:1 d6:1")) == RED
        await play.types(play.gwen, "/rpj-gm health harm", targets=FOE, damage=3)
        lost = await play.presses(play.gwen, f"{FOE}: save", "d6:1 d6:1")
        assert edge(lost) == GREEN
        fall = "d6:6 d6:6 d6:1 d6:1"
        await play.types(play.gwen, "/encounter start", fall, others=f"{marit}, {FOE}", at_once=True)
        await play.types(play.gwen, "/encounter next")
        await play.types(play.gwen, "/rpj-fight place", who=marit, beside=FOE)
        hit = await play.types(play.alice, "/rpj-fight attack", "d6:6 d6:5", target=FOE)
        assert edge(hit) == GREEN
        await play.types(play.gwen, "/rpj-gm-fight side", who=FOE, side="players")
        check = {"skill": "Concealment", "difficulty": "7+", "as": FOE}
        assert edge(await play.types(play.gwen, "/rpj check", "d6:6 d6:5", **check)) == GREEN


class TestWaitingForTheGm:
    """A question that only a GM answers says so, as its buttons stand behind *GM …*."""

    WAITS = "Waiting for the GM."

    async def test_a_proposal_waits_until_the_gm_has_answered(self, rpjs: Play) -> None:
        how = {"skill": "Concealment", "difficulty": "10+", "how": "hide in a barrel"}
        asked = await rpjs.types(rpjs.alice, "/rpj propose", **how)
        told = await rpjs.presses(rpjs.gwen, "It fits")
        flashback = await rpjs.types(rpjs.bob, "/rpj-together flashback", words="I hid a rope here")
        await rpjs.presses(rpjs.gwen, "Deny …")
        denied = await rpjs.writes(rpjs.gwen, reason="No")

        assert [one.text.count(self.WAITS) for one in (asked, told, flashback, denied)] == [1, 0, 1, 0]

    async def test_a_strained_skill_waits_and_offers_nothing_to_repeat(self, swim: Play) -> None:
        asked = await swim.types(swim.alice, "/swim roll", skill="Brawn", target=3, strain=True)
        rolled = await swim.presses(swim.alice, "Roll without straining")

        assert asked.text.endswith(self.WAITS)
        assert "Again" not in asked.labels
        assert self.WAITS not in rolled.text
