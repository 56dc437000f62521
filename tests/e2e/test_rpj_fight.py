"""An RPJ Core fight of four players, three NPCs and twelve mooks: five rounds and a restart."""

from __future__ import annotations

import re

from bot.playground.discord import button_labels, read
from bot.playground.discord.payloads import Payload
from tests.e2e.fighting import board_says, boards, choose_on, look_behind, press_on
from tests.e2e.opening import open_campaign, switch_briefly
from tests.e2e.people import Actor, Party, everything_of, gather, is_whole
from tests.e2e.table import Room, Table
from tests.e2e.test_asking import sees
from tests.e2e.test_rpj_making import HOSTILE, open_fantasy

FIRST = "**First:**"  # how what a board waits for begins

ROUNDS = 5
MOST_PRESSES = 600
PLAYERS = ("Ilsa", "Gorm", "Thessaly", "Brand")
NAMES = ("Orc Captain", "Orc Archer", "Orc Shaman")


class Fighting:
    """A fight played through the buttons and menus of its board.

    Args:
        table: The table.
        party: The GM and two players.
        players: Every player, by the character's name.
    """

    def __init__(self, table: Table, party: Party, players: dict[str, Actor]) -> None:
        self._table = table
        self._party = party
        self._players = players
        self.presses = 0

    async def board(self) -> Payload:
        """Wait until the board shows the fight as it is now, and return it."""
        status = (await self._party.gwen.types("/encounter status")).text
        public = status.split("**Hidden from players**")[0].splitlines()
        lines = [line for line in public if line.strip() and not line.endswith(".png")]
        # A board of many says less than that about those who are not on, and its picture shows the ground.
        wanted = [line.split(" · ")[0] for line in lines if "-# " not in line]

        def stands() -> bool:
            shown = [read(one) for one in boards(self._table, self._party)]
            found = [line for text in shown for line in text.splitlines() if line.startswith("-# ")]
            notes = {line.split(" · <@")[0] for line in found}
            more = {line for line in notes if line.endswith("behind More …")}
            needed = [line for line in wanted if "**" in line or not more]
            asked = [line for text in shown for line in text.splitlines() if line.startswith(FIRST)]
            if asked != [line for line in lines if line.startswith(FIRST)]:
                return False
            return len(shown) == 1 and all(line in shown[0] for line in needed) and notes - more <= set(lines)

        try:
            await self._table.discord.until(stands)
        except TimeoutError:
            shown = [read(one) for one in boards(self._table, self._party)]
            raise AssertionError(f"{status}\n is not on\n{shown}{self._party.transcript.end}") from None
        (found,) = boards(self._table, self._party)
        return found

    def actor_of(self, label: str) -> Actor:
        """Return who presses a button that begins with a name: its player, else the GM."""
        name = label.split(":")[0]
        return self._players.get(name, self._party.gwen)

    async def press(self, board: Payload, label: str, by: Actor) -> None:
        """Press a button of the board."""
        self.presses += 1
        await press_on(board, label, by)

    async def choose(self, board: Payload, prompt: str, by: Actor, *likes: str) -> bool:
        """Choose an entry of one of the board's menus; return False if none is suitable.

        Args:
            board: The board.
            prompt: How the menu's prompt begins.
            by: Who chooses.
            *likes: Texts, one of which the entry must contain; without any, the first entry is chosen.
        """
        chosen = await choose_on(board, prompt, by, *likes)
        self.presses += chosen
        return chosen

    async def asked(self, board: Payload) -> str:
        """Return what is pressed first where the board waits for something."""
        labels = [*button_labels(board), *button_labels(await look_behind(board, self._party.gwen))]
        found = [one for one in labels if ": " in one or "mooks" in one.casefold()]
        found.sort(key=lambda one: "roll all" not in one)
        return next(iter(found), "Continue")

    async def step(self) -> str:
        """Do the next thing the board asks for or offers.

        Returns:
            The text of the board before that.
        """
        board = await self.board()
        text = read(board)
        if "**First:**" in text:
            asked = await self.asked(board)
            await self.press(board, asked, self.actor_of(asked))
            return text
        on = text.splitlines()[0].removeprefix("### ").removesuffix(" acts")
        actor = self._players.get(on, self._party.gwen)
        near = [f"join {name}" for name in self._players]
        menus = (
            ("Mooks attack", ()),
            ("Mooks move", near),
            ("Attack", ()),
            ("Move …", (*near, "join Archer")),
        )
        for prompt, likes in menus:
            if await self.choose(board, prompt, actor, *likes):
                return text
        await self.press(board, "End turn", actor)
        return text


async def gathered(table: Table) -> tuple[Party, Fighting]:
    """Start a fight of four ready-made characters, three NPCs and twelve mooks on three regions."""
    party = gather(table.discord)
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await party.gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    others = [Actor(party.server.add_member(name), party.transcript) for name in ("Cleo", "Dan")]
    players = dict(zip(PLAYERS, (party.alice, party.bob, *others), strict=True))
    for (name, player), ready in zip(players.items(), ("Ilsa Roan", "Gorm Halvard") * 2, strict=True):
        await player.types(f"/character create ready:{ready} name:{name}", hears=name)
    await party.gwen.types("/session start", hears="started")
    await party.gwen.types("/encounter start", hears="starts a fight")
    for player in players.values():
        await player.types("/encounter join", hears="joins the fight")
    for name in NAMES:
        await party.gwen.types(f"/gm encounter add name:{name}", hears=name)
    await party.gwen.types(
        "/rpj-gm-fight field regions:3 names:Gate, Yard, Hall",
        hears=["about 90 yards", "Ilsa, Gorm, Thessaly, Brand"],
    )
    await party.gwen.types(
        "/rpj-gm-fight mooks name:Goblin count:6 attack:2 defense:9 damage:0 region:Gate", hears="Goblin ×6"
    )
    await party.gwen.types(
        "/rpj-gm-fight mooks name:Archer count:6 attack:2 defense:8 damage:0 range:2 region:Yard",
        hears="Archer ×6",
    )
    return party, Fighting(table, party, players)


async def test_a_fight_of_four_against_three_and_twelve_mooks_lasts_five_rounds(house: Table) -> None:
    party, fight = await gathered(house)
    gwen = party.gwen
    rolled = await gwen.types("/encounter next", hears="rolls initiative")
    assert "mooks." in rolled.text or "The rest is under Details." in rolled.text  # then the order is there
    begun = await gwen.types("/encounter next", hears="starts round 1")
    assert "turn." in begun.text

    restarted = False
    text = ""
    while fight.presses < MOST_PRESSES:
        text = await fight.step()
        if f"Round {ROUNDS + 1}" in text:
            break
        waits = re.search(r"Round [2-5]", text) and "**First:**" in text
        if not restarted and (waits or f"Round {ROUNDS}" in text):  # the dice may leave nothing to wait for
            restarted = True
            before = (await gwen.types("/encounter status")).text
            await house.restart()
            assert (await gwen.types("/encounter status")).text == before
    assert f"Round {ROUNDS + 1}" in text, party.transcript.end
    assert restarted

    ended = await gwen.types("/gm encounter end")
    if "can't end the fight yet" in ended.text:  # somebody bleeds, as the dice may have it
        ended = await gwen.presses("Settle it and end")
    else:
        assert "Mooks down" in ended.text
    assert "ends the fight in round" in ended.text
    assert is_whole(house.database)


RULES = ("module value:science_fiction", "fire_and_movement value:yes", "damage_scales value:yes")


async def drawn(table: Room) -> Party:
    """Open a fight: Juno, who acts, and Rex with pistols behind a car; two drones two regions away."""
    party = gather(table.discord)
    gwen, alice, bob = party.everybody
    await open_campaign(party, "The Dock", "RPJ Core")
    for setting in RULES:
        await gwen.types(f"/campaign settings setting:{setting}")
    await alice.types("/character create ready:Juno Achterberg name:Juno", hears="Juno")
    await bob.types("/character create ready:Juno Achterberg name:Rex", hears="Rex")
    await gwen.types("/session start", hears="started")
    await alice.types("/encounter start", hears="starts a fight")
    await bob.types("/encounter join", hears="joins the fight")
    await gwen.types("/rpj-gm-fight field regions:3 names:Gate, Yard, Hall", hears="about 90 yards")
    await gwen.types(
        "/rpj-gm-fight mooks name:Drone count:2 attack:0 defense:2 range:2 damage_scale:mega",
        hears="Drone ×2",
    )
    await gwen.types("/rpj-gm-fight fire cover what:car behind:Juno", hears="car +3/1f in Gate")
    await gwen.types("/gm encounter order characters:Juno, Rex", hears="sets the initiative order")
    await gwen.types("/encounter next", hears="It is Juno's turn.")
    return party


async def test_a_shootout_is_played_through_a_restart(house: Table) -> None:
    party = await drawn(house)
    gwen, alice, bob = party.everybody
    await board_says(house, party, "Juno acts")
    sights = await alice.types("/rpj-fire targets", hears=["Drone 1 at 2", "you need 2+"])
    assert sights.ephemeral
    await alice.types("/rpj-fire hint", hears=["In cover", "Suppress Drone ×2 · Pistol"])

    await alice.types(
        "/rpj-fire suppress target:Drone weapon:Pistol",
        hears=["suppresses the group of Drone 1", "Drone 2", "loaded 1/3"],
    )
    await board_says(house, party, "Juno acts")
    await alice.chooses("Fire …", "Reload Pistol: loaded 1 → 3 (1 action)", hears="reloads")
    await house.restart()
    await alice.types("/encounter status", hears=["car +3", "loaded 3/3"])

    await gwen.types("/encounter next", hears="It is Rex's turn.")
    refused = await alice.types("/rpj-fire reload")
    assert refused.ephemeral
    await bob.types("/rpj-fire overwatch region:Yard", hears="watches Yard")
    await gwen.types("/encounter next", hears="mooks' turn")
    moved = await gwen.types("/rpj-gm-fight mook-move who:Drone 1 region:Yard", hears="moves Drone")
    if "Juno: skip" in moved.text:  # a double one suppresses nobody
        await alice.presses("Juno: skip", hears="skips the free attack")
    await bob.presses("Rex: shoot", hears="on overwatch")
    await gwen.types("/gm encounter end", hears=["Juno's Pistol", "Lots → Some"])
    await alice.types("/rpj-fire ammo", hears="loaded 3/3 · Some")
    assert is_whole(house.database)


async def test_fire_and_movement_commands_are_refused_when_the_pack_is_off(room: Room) -> None:
    party = gather(room.discord)
    await open_campaign(party, "The Dock", "RPJ Core")
    await party.alice.types("/character create ready:Marit Vance", hears="Marit Vance")
    await switch_briefly(party, "fire_and_movement", "rpj-fire ammo")
    refused = await party.alice.types(
        "/rpj-fire ammo", hears=["doesn't use Fire and Movement", "The GM can switch it on"]
    )
    assert refused.ephemeral


async def test_an_evening_of_magic_is_played(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, _bob = party.everybody
    alices, _bobs = await open_fantasy(party, "structured_magic", "wild_magic")
    await gwen.types(f"/gm award resource:Character points amount:60 characters:{alices}", hears="60")
    for skill in ("Fire Magic", "Primitive Magic"):
        await alice.types(f"/rpj improve skill skill:{skill} level:3", hears=f"learns {skill} 3")
    await gwen.types("/gm npc name:Ogre", hears="**Ogre** joins the campaign")

    await spells(party)
    await making(house, party, alices)
    await house.restart()
    await fighting(party, alices)
    await straining(party, alices)

    assert is_whole(house.database)


async def test_an_interrupted_hour_of_concentration_does_not_count(room: Room) -> None:
    party = gather(room.discord)
    gwen, alice, _bob = party.everybody
    alices, _bobs = await open_fantasy(party, "structured_magic", "conditions")
    await gwen.types(f"/gm award resource:Character points amount:60 characters:{alices}", hears="60")
    await alice.types("/rpj improve skill skill:Primitive Magic level:3", hears="learns Primitive Magic 3")
    await alice.types("/rpj-magic concentrate", hears="Each full hour restores slots")
    await gwen.types(f"/rpj-gm condition add target:{alices} name:On Fire")
    await sees(gwen, "On Fire")

    passed = await gwen.types("/gm time amount:2 unit:hours", hears=f"{alices} is dead.")

    assert "has concentrated for an hour" not in passed.text
    assert "concentration" not in (await gwen.types("/gm time")).text
    assert is_whole(room.database)


async def spells(party: Party) -> None:
    """Spend a slot and get it back after an hour; a GM's own spell is known at once."""
    gwen, alice, bob = party.everybody
    await bob.types("/rpj-magic slots", hears="looks at their spells")
    await alice.types(
        f"/rpj-gm magic spell name:Hail level:1 attack:True about:{HOSTILE}",
        hears="Only a GM can do that",
    )
    await gwen.types(
        f"/rpj-gm magic spell name:Hail level:2 attack:True damage:2 range:3 about:{HOSTILE}",
        hears="adds Hail \\(level 2 spell, Primitive Magic\\)",
    )
    assert await alice.is_offered("/rpj-magic cast", "spell", "hai") == ["Hail"]
    await alice.types(
        "/rpj-magic cast spell:Hail target:Ogre",
        hears=[
            "casts Hail at Ogre · **",
            "Primitive Magic",
            "2nd-level spell slot",
            "\\@everyone \\*\\*x\\*\\*",
        ],
    )
    await alice.types("/rpj-magic cast spell:Cave-In target:Ogre", hears="You don't know Cave-In.")
    await alice.types("/rpj-magic concentrate", hears="Each full hour restores slots")
    await gwen.types("/gm time amount:1 unit:hours", hears="slots of level 2 are ready again")
    await alice.types("/rpj check skill:Athleticism", hears="concentration timer")


async def making(table: Table, party: Party, alices: str) -> None:
    """Build and save an ability: menus change its cost; a stranger's or repeated press does nothing."""
    gwen, alice, bob = party.everybody
    await alice.types("/rpj-magic ability make target:Ogre", hears=["builds an ability", "cost 0"])
    await bob.chooses("Range", "Within sight · +2", hears=f"That button is for {alices}.")
    await alice.chooses("Range", "Within sight · +2", hears="cost 2")
    await alice.presses("Save it …")
    await alice.writes(f"Ember {HOSTILE}")
    await alice.types("/rpj-magic ability list", hears="Ember \\@everyone \\*\\*x\\*\\* · cost 2")
    used = await alice.presses("Use it · cost 2")
    await sees(gwen, f"**{alices}** uses", "Stamina 7 → 5 of 7")
    before = everything_of(table.database, party.server.id)
    await table.discord.deliver_again(used)
    assert everything_of(table.database, party.server.id) == before


async def straining(party: Party, alices: str) -> None:
    """Without stamina, a strain roll comes before anything else."""
    gwen, alice, bob = party.everybody
    await alice.types("/rpj-magic ability list", hears=["Stamina 5 of 7", "Ember"])
    await alice.types(
        "/rpj-magic ability use ability:Fireball target:Ogre",
        hears=["Stamina 5 → −2 of 7", "[Strain: roll 8+"],
    )
    await alice.types(
        "/rpj-magic ability use ability:Warm hands", hears="You must roll against strain first."
    )
    await bob.presses("Strain: roll", hears=f"That button is for {alices}.")
    await alice.presses("Strain: roll")
    await sees(gwen, f"**{alices}** rolls against strain")


async def fighting(party: Party, alices: str) -> None:
    """Cast in a fight: magic takes actions, and the menu shows the cost."""
    gwen, alice, _bob = party.everybody
    await gwen.types(f"/encounter start others:{alices}, Ogre", hears="Fighting")
    await gwen.types("/encounter next", hears="rolls initiative")
    await gwen.types(f"/gm encounter order characters:{alices}, Ogre", hears="The order")
    await gwen.types("/encounter next", hears=f"It is {alices}'s turn.")
    await gwen.types("/rpj-gm-fight mooks name:Goblin region:2 count:2", hears="Goblin ×2")
    await alice.types("/rpj-magic cast spell:Pelt at:Ogre", hears="can't be used at distance")
    await alice.types("/rpj-magic cast spell:Pelt at:Goblin", hears=["casts Pelt at Goblin", "1st-level"])
    await gwen.types("/encounter status", hears="2 actions")
    await gwen.types("/gm encounter end", hears="ends the fight")
