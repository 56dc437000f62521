"""RPJ Core: fights with an open turn, defense, save, Lucky Break or shot, and a mass battle."""

from __future__ import annotations

from bot.playground.discord import LocalDiscord
from tests.e2e.people import Party
from tests.releases.scenes.opening import board_shown, left_open, newcomer, opened

GAME = "RPJ Core"
ILSA, GORM = "Ilsa Roan", "Gorm Halvard"
GOBLINS, MOST_SHOTS = 6, 60


async def play(discord: LocalDiscord) -> list[Party]:
    """Play all the scenes.

    Returns:
        The parties that played.
    """
    return [
        await a_turn(discord),
        await a_defense(discord),
        await a_save(discord),
        await a_lucky_break(discord),
        await a_shot(discord),
        await a_battle(discord),
    ]


async def fantasy(discord: LocalDiscord, name: str, **settings: str) -> Party:
    """Open a fantasy campaign with Ilsa and Gorm."""
    party = await opened(discord, name, GAME, module="fantasy", **settings)
    await party.alice.types(f"/character create ready:{ILSA}", hears=ILSA)
    await party.bob.types(f"/character create ready:{GORM}", hears=GORM)
    await party.gwen.types(f"/gm award resource:Lucky Breaks amount:2 characters:{ILSA}, {GORM}")
    return party


async def in_a_fight(party: Party, mooks: str) -> None:
    """Start a fight in the order Ilsa, Gorm, the GM's mooks; it is Ilsa's turn."""
    await party.alice.types("/encounter start", hears="starts a fight")
    await party.bob.types("/encounter join", hears="joins the fight")
    await party.gwen.types(f"/rpj-gm-fight mooks {mooks}", hears="adds")
    await party.gwen.types(
        f"/gm encounter order characters:{ILSA}, {GORM}", hears="sets the initiative order"
    )
    await party.gwen.types("/encounter next", hears=f"It is {ILSA}'s turn.")


async def a_turn(discord: LocalDiscord) -> Party:
    """Leave Ilsa's turn open, and a failed check, a proposal, a save and an unfinished character."""
    party = await fantasy(discord, "The Old Pass", conditions="yes", structured_magic="yes", money="yes")
    gwen, alice, bob = party.everybody
    await gwen.types(f"/rpj-gm condition make target:{GORM} name:Gloom checks:-2", hears="checks")
    await gwen.types(f"/rpj-gm condition add target:{GORM} name:Poisoned surely:True", hears="Poisoned")
    await gwen.types(f"/gm award resource:Coin amount:12 characters:{ILSA}", hears="12")
    await gwen.types(
        f"/rpj-gm trait target:{GORM} name:Night Eyes kind:gift value:1 of:Perception", hears="Night Eyes"
    )
    await left_open(party, "check:skill check what:Athleticism difficulty:9", ILSA, GORM)
    for _ in ("retry", "cost", "countdown"):
        await alice.types("/rpj check skill:Concealment difficulty:30", hears="failure")
    for _ in ("another skill", "fits", "imperfect", "poor"):
        await bob.types("/rpj propose skill:Archery how:cut the rope difficulty:10+", hears="Archery")
    await bob.types("/rpj-together flashback words:hid a rope", hears="proposes a flashback")
    await in_a_fight(party, "name:Goblin count:6 attack:2 defense:9 damage:0 region:2")
    await board_shown(party, f"▶ **{ILSA}**", "[Attack …")
    cara = newcomer(party)
    await cara.types("/character create", hears="**Attributes**")
    await cara.chooses("Method", "Roll two dice seven times", hears="Roll the levels")
    await cara.presses("Roll seven pairs", hears="rolls seven pairs")
    return party


async def a_defense(discord: LocalDiscord) -> Party:
    """Have Ilsa attack Gorm, who must choose a defense."""
    party = await fantasy(discord, "The Ford")
    await party.bob.types("/rpj-fight defense defense:ask")
    await in_a_fight(party, "name:Golem count:3 defense:18 region:2")
    await party.bob.types("/rpj-fight defense defense:ask", hears="chooses each defense")
    await party.alice.types(f"/rpj-fight attack target:{GORM} weapon:unarmed", hears="in 3600 s")
    await board_shown(party, f"[{GORM}: dodge")
    return party


async def a_save(discord: LocalDiscord) -> Party:
    """Have goblins hit Ilsa, who must roll a save."""
    party = await fantasy(discord, "The Mill")
    gwen, alice, _bob = party.everybody
    await in_a_fight(party, f"name:Goblin count:{GOBLINS} attack:20 defense:9 damage:2 region:1")
    await gwen.types("/encounter next")
    await gwen.types("/encounter next", hears="turn")
    for number in range(1, GOBLINS + 1):  # one may miss, and a hit by a double six leaves nothing to roll
        await gwen.types(f"/rpj-gm-fight mook-move who:Goblin {number} beside:{ILSA}", hears="moves Goblin")
        struck = await gwen.types(f"/rpj-gm-fight mook-attack who:Goblin {number} target:{ILSA}", hears=ILSA)
        if f"[{ILSA}: dodge" in struck.text:  # some releases ask, others take the better defense
            struck = await alice.presses(f"{ILSA}: dodge", hears="dodges")
        if f"[{ILSA}: save" in struck.text:
            await board_shown(party, f"[{ILSA}: save")
            return party
    raise AssertionError(f"no save was asked for{party.transcript.end}")


async def a_lucky_break(discord: LocalDiscord) -> Party:
    """Have Ilsa miss a shot that a Lucky Break could rescue."""
    party = await fantasy(discord, "The Tower")
    gwen, alice, _bob = party.everybody
    await in_a_fight(party, "name:Golem count:9 defense:18 region:2")
    for shots in range(MOST_SHOTS):
        shot = await alice.types("/rpj-fight attack target:Golem weapon:Bow", hears="shoots at Golem")
        if "[Lucky Break" in shot.text:
            await board_shown(party, f"▶ **{ILSA}**", "[End turn]")
            return party
        if shots % 3 == 2:
            for _ in range(3):
                await gwen.types("/encounter next", hears="ends the turn")
    raise AssertionError(f"no Lucky Break was offered{party.transcript.end}")


async def a_shot(discord: LocalDiscord) -> Party:
    """Have Rex watch the yard and a drone enter it."""
    party = await opened(
        discord, "The Dock", GAME, module="science_fiction", fire_and_movement="yes", damage_scales="yes"
    )
    gwen, alice, bob = party.everybody
    await alice.types("/character create ready:Juno Achterberg name:Juno", hears="Juno")
    await bob.types("/character create ready:Juno Achterberg name:Rex", hears="Rex")
    await alice.types("/encounter start", hears="starts a fight")
    await bob.types("/encounter join", hears="joins the fight")
    await gwen.types("/rpj-gm-fight field regions:3 names:Gate, Yard, Hall", hears="about 90 yards")
    await gwen.types(
        "/rpj-gm-fight mooks name:Drone count:2 attack:0 defense:2 range:2 damage_scale:mega", hears="Drone"
    )
    await gwen.types("/rpj-gm-fight fire cover what:car behind:Juno", hears="car")
    await gwen.types("/gm encounter order characters:Juno, Rex", hears="sets the initiative order")
    await gwen.types("/encounter next", hears="It is Juno's turn.")
    await alice.types("/rpj-fire suppress target:Drone weapon:Pistol", hears="suppresses")
    await gwen.types("/encounter next", hears="It is Rex's turn.")
    await bob.types("/rpj-fire overwatch region:Yard", hears="watches Yard")
    await gwen.types("/encounter next", hears="mooks' turn")
    moved = await gwen.types("/rpj-gm-fight mook-move who:Drone 1 region:Yard", hears="moves Drone")
    if "Juno: skip" in moved.text:  # a double one suppresses nobody
        await alice.presses("Juno: skip", hears="skips the free attack")
    await board_shown(party, "[Rex: shoot")
    return party


async def a_battle(discord: LocalDiscord) -> Party:
    """Start a mass battle with one command given and one contribution still to be made."""
    party = await fantasy(discord, "The Field", mass_combat="yes")
    await party.gwen.types(
        "/rpj-gm-fight mass start own:Heroes own_people:40 enemy:Rebels enemy_people:60",
        hears="starts a mass battle",
    )
    await party.bob.types("/rpj-mass contribute", hears="fights for Heroes")
    await party.alice.chooses("Command Heroes with", "Command")
    return party
