"""Project Swim Class outside fights: rolls, help, crafting, dying, rest and the sheet."""

from __future__ import annotations

import contextlib

from bot.playground.discord import read
from tests.e2e.fighting import EPHEMERAL, board_says
from tests.e2e.opening import open_campaign
from tests.e2e.people import Actor, Party, is_whole
from tests.e2e.table import Table

SABLE, MARIS, OGRE = "Sable Thornwick", "Maris Fen", "Ogre"
ALWAYS = 60  # a rank at which some die reaches 4, whatever falls


async def open_table(party: Party) -> None:
    """Open a campaign with a hero for each player, and an ogre."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="Project Swim Class")
    await alice.types(f"/character create ready:{SABLE}", hears=SABLE)
    await bob.types(f"/character create ready:{MARIS}", hears=MARIS)
    await gwen.types(f"/gm npc name:{OGRE}")


async def grow(gwen: Actor, who: str, **ranks: int) -> None:
    """Have the GM set ranks, such as basic_melee=6 for Basic Melee."""
    for skill, rank in ranks.items():
        title = skill.replace("_", " ").title()
        said = await gwen.types(f"/swim-gm rank target:{who} skill:{title} rank:{rank}")
        assert f"→ {rank}" in said.text or "it is so already" in said.text


async def keep_three(gwen: Actor, alice: Actor, line: str) -> None:
    """Build up three dice, again if two 1s broke it, and pass turns until Sable acts."""
    is_kept = False
    for _round in range(20):
        built = await alice.types(line, hears=f"**{SABLE}** builds up")
        is_kept = "**3 dice banked**" in built.text
        await gwen.types("/encounter next", hears=f"**{OGRE} acts**")
        await gwen.types("/encounter next", hears=f"**{SABLE} acts**")
        if is_kept:
            break
    assert is_kept


async def comes(house: Table, who: Actor, *fragments: str) -> str:
    """Wait for a message with all of these, and return the newest text with the first."""

    def text() -> str:
        return next((read(one) for one in reversed(who.member.sees()) if fragments[0] in read(one)), "")

    with contextlib.suppress(TimeoutError):  # reported below
        await house.discord.until(lambda: all(one in text() for one in fragments))
    assert [one for one in fragments if one not in text()] == [], f"{text()}{who.transcript.end}"
    return text()


class TestOutOfReach:
    async def test_f_swim_07_a_jump_out_of_reach_is_announced_before_the_roll(
        self, house: Table, party: Party
    ) -> None:
        _gwen, alice, _bob = party.everybody
        zed = Actor(party.server.add_member("Zed"), party.transcript)
        await open_table(party)
        await alice.types(
            "/swim jump gap:10",
            hears=[
                f"**{SABLE}** would jump 10 ft\\: out of reach",
                "These dice can make at most 1 progress, and you need 5. Nothing was rolled.",
                "[Push ×5 · 33%]",
                "[Push ×6 · 17%]",
                "[Roll anyway]",
            ],
        )
        assert "Push ×2" not in read(await alice.sees("would jump"))
        await house.restart()
        await zed.presses("Push ×5", hears=f"That button is for {SABLE}.")
        await alice.presses("Push ×5")
        text = await comes(house, alice, "jumps 10 ft \\(pushed ×5\\)", "against 5+ a die")
        assert "Roll anyway" not in text
        public = [read(one) for one in alice.member.sees() if not one["flags"] & EPHEMERAL]
        assert "out of reach" not in "".join(public), "it takes that place"
        assert is_whole(house.database)

    async def test_f_swim_07_a_push_can_lift_a_load_out_of_reach(self, house: Table, party: Party) -> None:
        gwen, alice, bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, brawn=3)
        await grow(gwen, MARIS, brawn=3)
        await alice.types("/swim lift pounds:100", hears=["out of reach", "[Push ×2 · 93%]"])
        await alice.presses("Push ×2")
        await comes(house, alice, "lifts 100 lb \\(pushed ×2\\)", "Can lift ", "chance was 93%")
        await bob.types("/swim lift pounds:100", hears="[Roll anyway]")
        await bob.presses("Roll anyway")
        await comes(house, bob, "lifts 100 lb · **fails, 3 progress of 4", "Out of reach\\: these dice")

    async def test_f_swim_30_fractions_of_progress_are_not_rounded_away(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, brawn=3)
        focused = "/swim roll skill:Brawn difficulty:3 focus:1"
        await alice.types(
            f"{focused} windup:2 progress:3",
            hears="These dice can make at most 2½ progress, and you need 3. Nothing was rolled.",
        )
        await alice.presses("Roll anyway")
        await comes(house, alice, "Out of reach\\: these dice can make at most 2½ progress, and you need 3.")
        await alice.types(f"{focused} dice:1 progress:1", hears="at most ½ progress, and you need 1.")

    async def test_f_swim_31_details_of_a_roll_leave_out_the_question_before_it(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, brawn=3)
        await alice.types(
            "/swim roll skill:Brawn difficulty:3 push:2 modifier:-2 progress:1",
            hears="No die can reach 6. Nothing was rolled.",
        )
        await alice.presses("Roll anyway")
        await comes(house, alice, f"**{SABLE}** rolls Brawn 3", "against 6+ a die")
        details = await alice.presses("Details", hears=["against 6+ a die", "Out of reach"])
        assert "Nothing was rolled" not in details.text
        assert "would roll" not in details.text
        for asked in ("/swim jump gap:10", "/swim lift pounds:100"):
            await alice.types(asked, hears="out of reach")
            await alice.presses("Roll anyway")
            await comes(house, alice, f"**{SABLE}** {asked[6:10]}s 10")
            assert "Nothing was rolled" not in (await alice.presses("Details", hears="Out of reach")).text

    async def test_f_swim_33_a_load_out_of_reach_is_asked_about_before_the_move(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await gwen.types(f"/swim-gm give target:{SABLE} item:Quarterstaff quantity:60", hears=SABLE)
        await alice.types(
            "/swim move", hears=["would move with ", "out of reach", "Nothing was rolled.", "[Roll anyway]"]
        )
        await alice.presses("Roll anyway")
        await comes(house, alice, f"**{SABLE}** tries to move under a heavy load · **stuck**")
        await alice.presses("Details", hears="Out of reach")

    async def test_f_swim_07_a_push_moves_the_named_countdown(self, house: Table, party: Party) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, brawn=ALWAYS)
        await gwen.types(
            "/gm countdown create name:Boulder kind:success difficulty:4",
            hears="starts a countdown\\: Boulder",
        )
        asked = await alice.types("/swim lift pounds:2010 countdown:Boulder", hears="[Push ×2 · > 99%]")
        assert "Boulder" not in asked.text
        await alice.presses("Push ×2")
        await comes(house, alice, "lifts 2010 lb", "Boulder 0 → 1 of 4")

    async def test_f_swim_07_the_announcement_costs_no_action_in_a_fight(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, finesse=100)
        await alice.types("/encounter start", hears="starts a fight")
        await gwen.types(f"/gm encounter add name:{OGRE}", hears=OGRE)
        await gwen.types("/encounter next", hears=f"**{SABLE} acts**")
        await alice.types("/swim jump gap:10", hears="out of reach")
        await board_says(house, party, f"▶ **{SABLE}**", f"[Attack {OGRE}")
        await alice.types("/encounter status", hears=[f"▶ **{SABLE}**", "1 action"])
        await alice.presses("Roll anyway")
        await board_says(house, party, f"▶ **{SABLE}**", "[End turn]", lacks="[Attack")
        await alice.types("/encounter status", hears=[f"▶ **{SABLE}**", "no action"])

    async def test_f_swim_07_a_roll_the_gm_asks_for_is_made_without_an_announcement(
        self, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await gwen.types(
            f"/gm ask check:roll what:Spot difficulty:7 who:{SABLE}", hears=f"[{SABLE}: roll · 0%]"
        )
        await alice.presses(f"{SABLE}: roll", hears=[f"**{SABLE}** · **0 progress**", "against 7+ a die"])


class TestRolls:
    async def test_f_swim_17_the_option_once_chooses_between_one_roll_and_many(self, party: Party) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, climb=3, spot=3, craft=3, tracking=3)
        roll = "/swim roll difficulty:4 skill:"
        await alice.types(f"{roll}Climb progress:3", hears="chance was 12%")
        await alice.types(f"{roll}Spot progress:3 once:True", hears="chance was 12%")
        await alice.types(f"{roll}Craft progress:3 once:False", hears="nothing: 12% · moves on: 75% · ")
        await alice.types(f"{roll}Tracking once:True", hears="chance was 88%")

    async def test_f_swim_25_the_reply_says_why_a_specialization_does_not_count(self, party: Party) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, basic_melee=6)
        await alice.types("/swim skills specialize skill:Basic Melee tag:axe", hears="\\(axe\\) 4")
        why = "Rolled with Basic Melee 6, which scores more than Basic Melee \\(axe\\) 4."
        await alice.types(
            f"/swim attack skill:Basic Melee: axe targets:{OGRE}", hears=["\\(Basic Melee 6\\)", why]
        )
        rolled = await alice.types(
            "/swim roll skill:Basic Melee: axe difficulty:4", hears=f"**{SABLE}** rolls Basic Melee 6"
        )
        if why not in rolled.text:  # one roll in 64 is an epic success, which has more to say
            await alice.presses("Details", hears=why)
        exact = await alice.types(
            "/swim roll skill:Basic Melee: axe difficulty:4 exactly:True",
            hears="rolls Basic Melee \\(axe\\) ",
        )
        assert "scores more" not in exact.text

    async def test_f_swim_14_every_die_of_a_build_up_is_shown(self, house: Table, party: Party) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, finesse=100, climb=3)
        await alice.types("/encounter start", hears="starts a fight")
        await gwen.types(f"/gm encounter add name:{OGRE}", hears=OGRE)
        await gwen.types("/encounter next", hears=f"**{SABLE} acts**")
        await keep_three(gwen, alice, "/swim-fight buildup skill:Climb")
        released = await alice.types(
            "/swim roll skill:Climb difficulty:4",
            hears="\\[ \\]\\: banked in earlier rounds.",
        )
        dice = next(line for line in released.text.splitlines() if "against 4+ a die" in line)
        assert (dice.count("\\["), len([die for die in dice if die in "⚀⚁⚂⚃⚄⚅"])) == (3, 5)
        assert is_whole(house.database)

    async def test_f_swim_14_an_attack_shows_every_die_of_its_build_up(self, party: Party) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, finesse=100, basic_melee=3)
        await alice.types("/encounter start", hears="starts a fight")
        await gwen.types(f"/gm encounter add name:{OGRE}", hears=OGRE)
        await gwen.types("/encounter next", hears=f"**{SABLE} acts**")
        await keep_three(gwen, alice, "/swim-fight buildup skill:Basic Melee attack:True")
        flown = await alice.types(
            f"/swim attack skill:Basic Melee targets:{OGRE}",
            hears="\\[ \\]\\: banked in earlier rounds.",
        )
        assert flown.text.count("\\[") == 4, "three dice, and what the brackets mean"


class TestCrafting:
    async def test_f_swim_15_the_next_roll_is_a_button_and_f_swim_20_the_cost_is_shown_once(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, craft=ALWAYS)
        begun = await alice.types(
            "/swim-gear craft item:Medium Shield",
            hears=["Purse 74 GP 9 SP → 64 GP 9 SP", "[Work on Medium Shield (Craft)]"],
        )
        assert (begun.text.count("GP"), begun.text.count("SP")) == (2, 2)
        await house.restart()
        await alice.presses("Work on Medium Shield")
        text = await comes(house, alice, f"**{SABLE}** crafts Medium Shield", "Medium Shield is finished.")
        assert "Work on" not in text

    async def test_f_swim_20_damage_is_shown_once(self, party: Party) -> None:
        gwen, _alice, _bob = party.everybody
        await open_table(party)
        harmed = await gwen.types(
            f"/swim-gm harm target:{SABLE} points:1",
            hears=["Composure 1/1 → 0/1", "takes 1 damage\\: Composure soaks it."],
        )
        assert "Scratches" not in harmed.text
        hurt = await gwen.types(f"/swim-gm harm target:{SABLE} points:1", hears="Physical 1/1 → 0/1")
        assert "wounds" not in hurt.text
        assert hurt.text.count("→") == 1


class TestHelp:
    async def test_f_swim_18_worthless_help_is_refused_and_other_help_lasts_one_roll(
        self, party: Party
    ) -> None:
        gwen, alice, bob = party.everybody
        await open_table(party)
        await bob.types(f"/swim aid target:{SABLE} skill:Throw", hears="Throw 1 gives no dice.")
        await grow(gwen, MARIS, throw=3)
        await bob.types(
            f"/swim aid target:{SABLE} skill:Throw roll:Spot",
            hears=f"Up to 2 dice for {SABLE}'s next Spot roll.",
        )
        climbed = await alice.types("/swim roll skill:Climb difficulty:4", hears="rolls Climb 1")
        assert MARIS not in climbed.text
        await alice.types("/swim roll skill:Spot difficulty:4", hears=f"{MARIS} helps \\(＋\\).")
        again = await alice.types("/swim roll skill:Spot difficulty:4", hears="rolls Spot")
        assert MARIS not in again.text, "it is used up"

    async def test_f_swim_18_a_helped_player_can_refuse_and_a_strain_says_who_helps(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, bob = party.everybody
        await open_table(party)
        await grow(gwen, MARIS, spot=2)
        await grow(gwen, SABLE, spot=2)
        await bob.types(f"/swim aid target:{SABLE} skill:Spot", hears="Up to 1 die for")
        await alice.types(
            "/swim roll skill:Spot difficulty:4 strain:True",
            hears=[f"{MARIS} would help with this roll.", "Refuse it on your sheet."],
        )
        await bob.presses(f"{SABLE} refuses the help", hears=f"That button is for {SABLE}.")
        await alice.presses(f"{SABLE} refuses the help")
        await comes(house, alice, f"**{SABLE}** refuses the help of {MARIS}")
        await alice.types("/swim refuse", hears=f"No one is helping {SABLE} right now.")
        await bob.types(f"/swim aid target:{SABLE} skill:Spot", hears="Up to 1 die for")
        await alice.types("/sheet")
        await alice.presses("Check …")
        await alice.presses("Next page", hears="Page 2 of 2")
        await alice.chooses("Roll …", "Refuse the help you were promised", hears=f"the help of {MARIS}")
        await alice.types("/swim roll skill:Spot difficulty:4 strain:True", hears="wants to strain Spot")


class TestDying:
    async def test_f_swim_26_a_dying_character_rolls_once_a_minute_outside_a_fight(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        early = f"{SABLE} has already tried to stabilize this minute."
        await gwen.types(f"/swim-gm harm target:{SABLE} points:9", hears="roll to stabilize against 7")
        await alice.types("/swim stabilize", hears=["**still dying**", "[GM …]"])
        await house.restart()
        await alice.presses(f"Stabilize {SABLE}", hears=early)
        await alice.presses("GM …", hears="Only a GM can do that")
        await gwen.presses("Pass a minute")
        await alice.presses(f"Stabilize {SABLE}")
        await comes(house, alice, f"**{SABLE}** tries to stabilize", "**still dying**")
        await alice.types("/swim stabilize", hears=early)

    async def test_f_swim_26_a_dying_character_rolls_once_a_turn_in_a_fight(self, party: Party) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, finesse=100)
        await alice.types("/encounter start", hears="starts a fight")
        await gwen.types(f"/gm encounter add name:{OGRE}", hears=OGRE)
        await gwen.types(f"/swim-gm harm target:{SABLE} points:9", hears="roll to stabilize against 7")
        await gwen.types("/encounter next", hears=f"**{SABLE} acts**")
        await alice.types("/swim stabilize", hears="**still dying**")
        await alice.types("/swim stabilize", hears=f"{SABLE} has already tried to stabilize this turn.")
        await gwen.types("/encounter next", hears=f"**{OGRE} acts**")
        await alice.types("/swim stabilize", hears=f"It is {OGRE}'s turn.")
        await gwen.types("/encounter next", hears=f"**{SABLE} acts**")
        await alice.types("/swim stabilize", hears="**still dying**")

    async def test_a_dying_characters_player_gets_a_button_for_the_roll(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, bob = party.everybody
        await open_table(party)
        await gwen.types(f"/swim-gm harm target:{SABLE} points:3", hears=f"[Stabilize {SABLE} (physical)]")
        await house.restart()
        await bob.presses(f"Stabilize {SABLE}", hears=f"That button is for {SABLE}.")
        await alice.presses(f"Stabilize {SABLE}")
        await comes(house, alice, f"**{SABLE}** tries to stabilize \\(difficulty 1\\)", "**stable**")

    async def test_a_gms_healing_is_shown_with_its_amount(self, party: Party) -> None:
        gwen, _alice, bob = party.everybody
        await open_table(party)
        await grow(gwen, MARIS, life=3)
        await gwen.types(f"/swim-gm harm target:{SABLE} points:2", hears="Physical 1/1 → 0/1")
        await bob.types(
            f"/swim-magic cast spell:heal targets:{SABLE} distance:4",
            hears=f"would cast Healing on {SABLE} at 4 squares\\: out of reach",
        )
        await gwen.types(
            "/swim-gm clock hours:1 minutes:30", hears="advances the clock by 1 hour and 30 minutes"
        )
        await gwen.types(f"/swim-gm mend target:{SABLE} points:9", hears=f"heals 1 physical wound of {SABLE}")


class TestRest:
    async def test_f_swim_04_a_shared_night_passes_once_and_f_swim_11_its_report_is_short(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, bob = party.everybody
        await open_table(party)
        await grow(gwen, SABLE, physical_defense=ALWAYS)
        await gwen.types(f"/swim-gm harm target:{SABLE} points:4", hears="Physical 60/60 → 57/60")
        await gwen.types(
            "/gm countdown create name:Dawn kind:success difficulty:12 every:1 unit:hours", hears="Dawn"
        )
        await alice.types("/swim rest hours:8", hears="[Rest too]")
        await bob.presses("Rest too", hears=f"Resting\\: {SABLE}, {MARIS}")
        await alice.presses("Rest now")
        text = await comes(house, alice, f"rests for 8 hours with {MARIS}", "Physical 57/60 → 60/60")
        assert "0 → 8" in text or "8/12" in text
        assert ("chance was" in text, text.count("\n") < 12) == (False, True)


class TestSheet:
    async def test_f_swim_27_a_sheet_names_hidden_watchers_only_to_the_gm(self, party: Party) -> None:
        gwen, alice, _bob = party.everybody
        await open_table(party)
        await gwen.types("/gm npc name:Lurker hidden:True")
        await grow(gwen, SABLE, stealth=ALWAYS)
        for watcher in (OGRE, "Lurker"):
            await gwen.types(f"/swim stealth observers:{watcher} as:{SABLE}", hears=f"hides from {watcher}")
            await gwen.presses(f"{watcher}: don't oppose", hears=f"**unnoticed by {watcher}**")
        await alice.types("/character sheet")
        assert f"Hidden from {OGRE}, someone unknown" in await _sheet(alice)
        await gwen.types(f"/character sheet name:{SABLE}")
        assert f"Hidden from {OGRE}, Lurker" in await _sheet(gwen)


async def _sheet(who: Actor) -> str:
    answer = await who.presses("Magic")
    return answer.text
