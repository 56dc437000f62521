"""Short scenes, one or more per ruleset, that stop in the middle of everything that can be stored."""

from __future__ import annotations

from bot.playground.discord import LocalDiscord, read
from tests.e2e.opening import ALICES, BOBS, GAME, open_campaign
from tests.e2e.people import Actor, Party, gather

SEEN_SECONDS = 20.0


async def opened(discord: LocalDiscord, server: str, game: str, **settings: str) -> Party:
    """Open a campaign with changed settings, an ended first session and a running second one."""
    party = gather(discord, server)
    gwen = party.gwen
    await open_campaign(party, server, game)
    for setting, value in settings.items():
        await gwen.types(f"/campaign settings setting:{setting} value:{value}", hears="changes a setting")
    for offered in await gwen.is_offered("/campaign settings", "setting", "_seconds"):
        if offered.endswith(" = 60"):  # what presses itself after a minute waits an hour, as nobody may hurry
            await gwen.types(f"/campaign settings setting:{offered.split()[0]} value:3600", hears="3600")
    await gwen.types("/session start", hears="started")
    await party.alice.types("/roll expression:4d6kh3 label:the weather", hears="the weather")
    await gwen.types("/session end")
    await gwen.presses("End the session", hears="has ended")
    await gwen.types("/session start", hears="started")
    return party


async def left_open(party: Party, asked: str, *members: str) -> None:
    """Leave a countdown with its board, a requested check with one roll made, and game time passed."""
    gwen, alice, bob = party.everybody
    await gwen.types("/gm time amount:10 unit:minutes", hears="10 min")
    await gwen.types("/gm countdown create name:Alarm kind:success difficulty:4", hears="Alarm")
    await shown(alice, "[+ Alarm]")
    await alice.presses("+ Alarm", hears="Alarm")
    await gwen.types(f"/gm ask {asked} who:{', '.join(members)}", hears="Still to roll")
    await alice.presses(f"{members[0]}: roll", hears=members[0])
    await bob.types("/roll expression:2d6 label:an omen", hears="an omen")


async def shown(who: Actor, fragment: str) -> None:
    """Wait until somebody sees a message with this text."""
    await who.member.discord.until(
        lambda: any(fragment in read(message) for message in who.member.sees()), SEEN_SECONDS
    )


async def board_shown(party: Party, *fragments: str) -> None:
    """Wait until the board of the fight says this."""
    wanted = ("[GM …]", *fragments)

    def texts() -> list[str]:
        return [read(message) for message in party.gwen.member.sees()]

    def is_there() -> bool:
        return any(all(one in text for one in wanted) for text in texts())

    try:
        await party.server.discord.until(is_there, SEEN_SECONDS)
    except TimeoutError:
        raise AssertionError(f"{wanted} not in {texts()[-3:]}{party.transcript.end}") from None


def newcomer(party: Party) -> Actor:
    """Add a person who is about to make a character."""
    return Actor(party.server.add_member("Cara"), party.transcript)


async def play_maid(discord: LocalDiscord) -> list[Party]:
    """Play the scene.

    Returns:
        The parties that played.
    """
    party = await opened(discord, "The Manor House", GAME, round_seconds="10", blitz_cap="5")
    gwen, alice, bob = party.everybody
    await alice.types(f"/character create ready:{ALICES}", hears=ALICES)
    await bob.types(f"/character create ready:{BOBS}", hears=BOBS)
    await gwen.types(f"/gm set wounds character:{BOBS} level:Blunt · slight filled:1")
    await gwen.types("/gm npc name:The Butler hidden:True", hears="The Butler")
    await gwen.types(
        f"/maid-gm call character:{ALICES} first:Int second:Dex needed:10", hears="calls for a check"
    )
    await gwen.types(f"/maid-gm contest one:{ALICES} other:{BOBS}", hears="contest")
    await alice.types("/maid oppose first:Dex second:Wll")
    await left_open(party, "check:check what:Str + Dex difficulty:15", ALICES, BOBS)
    while (
        "Who goes" in (await gwen.types(f"/maid initiative starter:{ALICES} others:{BOBS} opposed:True")).text
    ):  # a Joker waits to be placed
        await gwen.types("/gm encounter end")
    attack = f"/maid attack target:{BOBS} first:Dex second:Wll track:blunt as:{ALICES}"
    while "[Let" not in (await gwen.types(attack, hears="attacks")).text:
        await gwen.types("/undo", hears="attacks")  # below tier 10 nobody is wounded
    await gwen.presses("Let ", hears="defend")
    await board_shown(party, "▶ **")
    cara = newcomer(party)
    await cara.types("/character create", hears="1 of 6")
    await cara.chooses("One attribute with a d20", "Int", hears="d12")
    await cara.chooses("One attribute with a d12", "Cha")
    await cara.chooses("Two attributes with a d8", "Dex", "Wll")
    await cara.presses("Next", hears="2 of 6")
    return [party]


SABLE, MARIS = "Sable Thornwick", "Maris Fen"


async def play_swim(discord: LocalDiscord) -> list[Party]:
    """Play the scene.

    Returns:
        The parties that played.
    """
    party = await opened(discord, "The Harbour", "Project Swim Class", sp_per_gp="20", rank_cap="30")
    gwen, alice, bob = party.everybody
    await alice.types(f"/character create ready:{SABLE}", hears=SABLE)
    await bob.types(f"/character create ready:{MARIS}", hears=MARIS)
    await gwen.types("/swim-gm skill name:Hacking synergies:Finesse: 2", hears="adds the skill Hacking")
    await gwen.types("/gm npc name:Grishnak", hears="Grishnak")
    await gwen.types("/swim-gm preset target:Grishnak preset:Orc", hears="Orc")
    await gwen.types("/gm npc name:Shade hidden:True", hears="Shade")
    await alice.types("/swim task open name:The wall skill:Climb progress:9", hears="0/9")
    await bob.presses("Work on The wall", hears="works on The wall")
    await alice.types("/swim-gear craft item:Quarterstaff", hears="Quarterstaff")
    await left_open(party, "check:roll what:Stealth difficulty:2", SABLE, MARIS)
    await alice.types("/swim roll skill:Brawn difficulty:6 strain:True", hears="wants to strain Brawn")
    await bob.types(f"/swim stealth observers:{SABLE}", hears=MARIS)
    await gwen.types(f"/encounter start others:{SABLE}, {MARIS}, Grishnak", hears="starts a fight")
    await gwen.types("/encounter next", hears="s a fight")
    await a_round(party)
    await board_shown(party, "▶ **", "[GM …]")
    await cara_begins(party)
    return [party]


async def a_round(party: Party) -> None:
    """Have one prepare an action, one build up and one attack, which the foe may oppose."""
    gwen = party.gwen
    names = (SABLE, MARIS, "Grishnak")
    deeds = (
        "/swim-fight reserve skill:Basic Melee kind:action trigger:somebody runs",
        "/swim-fight buildup skill:Basic Melee",
        "/swim attack skill:Basic Melee targets:{foe}",
    )
    for deed in deeds:
        order = (await gwen.types("/encounter status")).text
        on = next(name for name in names if f"▶ **{name}" in order or f"{name} acts" in order)
        foe = next(name for name in (MARIS, SABLE) if name != on)
        await gwen.types(f"{deed.format(foe=foe)} as:{on}", hears=on)
        if deed != deeds[-1]:
            await gwen.types("/encounter next", hears="turn")


async def cara_begins(party: Party) -> None:
    """Leave a new player on the second page of the wizard."""
    cara = newcomer(party)
    await cara.types("/character create", hears="**Kind**")
    await cara.chooses("Kind", "None in particular")
    await cara.presses("Next", hears="**Two skills**")
    await cara.chooses("Skills everyone has", "Basic Melee", "Climb")


async def play_swarm(discord: LocalDiscord) -> list[Party]:
    """Play the scene.

    Returns:
        The parties that played.
    """
    party = await opened(discord, "The Hive", "Sword & Swarm", ping_turns="yes")
    gwen, alice, bob = party.everybody
    first, second = (await alice.is_offered("/character create", "ready"))[:2]
    await alice.types(f"/character create ready:{first} name:Odile", hears="Odile")
    await bob.types(f"/character create ready:{second} name:Gurrun", hears="Gurrun")
    await gwen.types("/gm npc name:Ogre", hears="Ogre")
    await gwen.types("/swarm-gm attributes target:Ogre mallet:7 shield:3", hears="Mallet")
    await gwen.types("/swarm-gm list obstacle name:Wall difficulty:6", hears="adds Wall")
    await gwen.types("/swarm-gm list proficiency name:Riding attribute:Key", hears="adds Riding")
    await gwen.types("/swarm-gm give target:Odile name:Gloves attribute:Key amount:2", hears="Gloves")
    await gwen.types("/swarm-gm star target:Gurrun change:-1", hears="Star")
    await left_open(party, "check:attribute test what:Mallet", "Odile", "Gurrun")
    await gwen.types("/swarm-gm call character:Odile attribute:Coronet", hears="asks Odile to test Coronet")
    await alice.types(
        "/swarm proficiency proficiency:Riding difficulty:20 advantage:True", hears="Roll again"
    )
    await gwen.types("/encounter start others:Odile, Gurrun, Ogre", hears="starts a fight")
    await gwen.types("/gm encounter add name:Wraith hidden:True", hears="hides Wraith")
    await gwen.types("/encounter next", hears="acts")
    await board_shown(party, "▶ **Odile**")
    cara = newcomer(party)
    await cara.types("/character create", hears="1 of 3")
    for attribute, value in (("Mallet", "4"), ("Key", "7 (2)"), ("Runes", "5"), ("Coronet", "3")):
        await cara.chooses(f"{attribute}: ", value)
    await cara.presses("Next", hears="2 of 3")
    return [party]


JUNO = "Juno Marsh"


async def play_compare(discord: LocalDiscord) -> list[Party]:
    """Play the scene.

    Returns:
        The parties that played.
    """
    party = await opened(discord, "The Dome", "Compare Roll", stat_points="30", grid="hex")
    gwen, alice, bob = party.everybody
    ready = await alice.is_offered("/character create", "ready")
    await alice.types(f"/character create ready:{ready[1]} name:Ash", hears="Ash")
    await bob.types(f"/character create ready:{JUNO}", hears=JUNO)
    await gwen.types("/gm npc name:Ogre", hears="Ogre")
    await gwen.types("/compare-gm foe target:Ogre hp:80 rating:0 weapon:Baseball Bat", hears="HP 80/80")
    await gwen.types(f"/compare-gm give target:{JUNO} thing:Pistol", hears="gives Pistol")
    for name in ("Ash", JUNO):
        await gwen.types(f"/compare-gm fate target:{name} high:5 stress:2", hears="High")
    await left_open(party, "check:Luck check difficulty:Normal", "Ash", JUNO)
    await alice.types("/compare luck difficulty:Hard", hears="Ash")
    await gwen.types(f"/encounter start others:Ash, {JUNO}, Ogre at_once:True", hears="Fighting")
    await gwen.types(
        f"/compare attack as:{JUNO} targets:Ogre distance:5 outcome:Cost weapon:Unarmed", hears="counter"
    )
    await board_shown(party, "Round 1")
    cara = newcomer(party)
    await cara.types("/character create", hears="**Who**")
    await cara.chooses("How do you make your stats?", "Rolled")
    await cara.presses("Next", hears="**Skills 1**")
    await cara.chooses("Acrobatics", "Stealth", "Dodging", hears=" left")
    return [party, await an_attack(discord)]


async def an_attack(discord: LocalDiscord) -> Party:
    """Have the ogre attack Juno, who may defend, while Ash is dying."""
    party = await opened(discord, "The Crater", "Compare Roll")
    gwen, alice, bob = party.everybody
    ready = await alice.is_offered("/character create", "ready")
    await alice.types(f"/character create ready:{ready[1]} name:Ash", hears="Ash")
    await bob.types(f"/character create ready:{JUNO}", hears=JUNO)
    await gwen.types("/gm npc name:Ogre", hears="Ogre")
    await gwen.types("/compare-gm foe target:Ogre hp:80 rating:0 weapon:Baseball Bat", hears="HP 80/80")
    await gwen.types("/compare-gm fate target:Ash hp:0", hears="Death's Door, or a Blaze of Glory?")
    await gwen.types(f"/encounter start others:{JUNO}, Ogre at_once:True", hears="Fighting")
    await gwen.types("/encounter next", hears="the opponents' turn")
    await gwen.types(f"/compare attack as:Ogre targets:{JUNO}", hears=f"[{JUNO} defends")
    await board_shown(party, "The opponents' turn")
    return party


RPJ = "RPJ Core"
ILSA, GORM = "Ilsa Roan", "Gorm Halvard"
GOBLINS, MOST_SHOTS = 6, 60


async def play_rpj(discord: LocalDiscord) -> list[Party]:
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
    party = await opened(discord, name, RPJ, module="fantasy", **settings)
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
        discord, "The Dock", RPJ, module="science_fiction", fire_and_movement="yes", damage_scales="yes"
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
