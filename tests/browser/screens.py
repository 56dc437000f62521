"""The scenes of the screenshots, and each game's words for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.e2e.pressing import Wish, faces

# A scene is a name and steps, a line each as in a transcript: "Alice: /roll expression:2d6" types,
# "Alice: [Lucky Break" presses, "Alice: <Menu> one; two" chooses, "Alice: = Field: value" fills a form, by
# how labels begin; "GM: ~ Sable" ends turns until she acts; "good", "bad" or (a foe's) "hits" before that
# has the dice fall so.
# Who does the last step looks at the end, unless another name stands behind the scene's.
SCENES = """
# first message | GM
# help
GM: /help
# campaign
{before}
GM: /campaign create ruleset:{title} name:The Manor
# no character
{after}
Alice: /sheet
# wizard
Bob: /character create
# wizard 1
{wizard}
# discard
Bob: [Discard
# joins
Bob: /character create ready:BOB
Alice: /character create ready:ALICE
# session
GM: /session start
# sheet
Alice: /sheet
# checks
Alice: [Check …
# composer
Alice: <Roll with options> CHECK
# success
Alice: [Back
Alice: [Check …
Alice: good <Roll …> CHECK
# failure
Alice: [Check …
Alice: bad <Roll …> CHECK
# details
Alice: [Details
# roll
Bob: /roll expression:4d6kh3 label:the cellar stairs
# countdown
GM: /gm countdown create name:The patrol comes kind:failure difficulty:4
# desk
GM: /gm desk
# desk ask
GM: [Ask …
# ask form
GM: [Ask (open)
# desk more
GM: [Desk
GM: [More …
# desk countdowns
GM: /gm desk
GM: [Countdowns
# desk foes
GM: [Back
GM: [Foes …
# desk encounters
GM: [Encounters …
# desk secrets
GM: [Desk
GM: [Secrets
# desk settings
GM: /gm desk
GM: [Settings
# desk last acts
GM: /gm desk
GM: [Last acts
# desk sheet
GM: /gm desk
GM: <Open a sheet> ALICE
# fight opens | Alice
GM: /encounter start
Alice: [Join
Bob: [Join
GM: /gm encounter add name:FOE count:2
# board acting | Alice
{order}
# board more
Alice: [More …
# attack
{attack}
# strip
GM: [GM …
# strip who
GM: <Damage, heal or change> FOE 1
# board asking | Alice
{defend}
# defended
{defends}
# desk fight
GM: /gm desk
GM: [Fight
# ends
GM: /session end
# recap | Bob
GM: [End both
# recap again
Bob: /session recap
# odds
{odds}
# log
Bob: /log
# stats
Bob: /stats
# unknown name
Alice: /sheet name:Nobody
# rules
Alice: /rules about:check
# fair
Bob: /fair
"""


@dataclass(frozen=True, slots=True)
class Game:
    """A game's words for the scenes, and its dice when they fall well and badly."""

    title: str
    command: str
    people: tuple[str, str]  # the ready-made characters of Alice and Bob
    foe: str
    check: str  # an entry of the sheet's checks
    good: Wish
    bad: Wish
    wizard: str  # what is chosen in the wizard
    order: str  # how the first round begins
    attack: str
    defend: str  # what a foe does to Alice's character, and then
    defends: str
    odds: str
    before: str = ""  # what comes before its campaign
    after: str = ""  # and what after it
    hits: Wish | None = None  # the dice of a foe that hits

    def scenes(self) -> Iterator[tuple[str, str, list[str]]]:
        """Every scene's name, who looks, and its steps."""
        alice, bob = self.people
        parts = {
            name: getattr(self, name) for name in ("wizard", "order", "attack", "defend", "defends", "odds")
        }
        text = SCENES.format(title=self.title, before=self.before, after=self.after, **parts)
        text = text.replace("ALICE", alice).replace("BOB", bob).replace("FOE", self.foe)
        for scene in text.replace("CHECK", self.check).split("\n# ")[1:]:
            head, *steps = [line for line in scene.splitlines() if line]
            name, _, seen_by = head.partition(" | ")
            yield name, seen_by or (steps[-1].split(":")[0] if steps else "GM"), steps


GAMES = (
    Game(
        "RPJ Core",
        "rpj",
        ("Ilsa Roan", "Gorm Halvard"),
        "Bandit",
        "Athleticism",
        faces((6, range(5, 7)), (6, range(4, 6))),
        faces((6, range(1, 2)), (6, range(2, 3))),
        """
Bob: <Method> Take a standard array
Bob: <Which array>
Bob: <Primary category>
Bob: [Roll for Luck
# wizard 2
Bob: [Next
# wizard 3
Bob: [Spend the rest
Bob: [Next
# wizard 4
Bob: <Which class>
Bob: [Spend the rest
# wizard 5
Bob: [Next
# wizard 6
Bob: [Next
# wizard 7
Bob: [Next
# wizard 8
Bob: [Next
# name
Bob: [Enter a name
""",
        "GM: /rpj-gm-fight field regions:2\n"
        "GM: /gm encounter order characters:ALICE, BOB, FOE 1, FOE 2\nGM: /encounter next",
        "Alice: [Attack",
        "GM: ~ FOE 1\nGM: [Desk\nGM: [Fight\nGM: [Close in and attack",
        "Alice: [ALICE",
        "Bob: /odds rpj level:4 target:11",
        after="GM: /campaign settings setting:module value:fantasy",
    ),
    Game(
        "Project Swim Class",
        "swim",
        ("Sable Thornwick", "Maris Fen"),
        "Orc",
        "Basic Melee",
        faces(*[(6, range(5, 7))] * 3),
        faces(*[(6, range(1, 2))] * 3),
        """
Bob: <Kind> None
Bob: [Next
# wizard 2
Bob: <Skills everyone> Basic Melee; Climb
Bob: [Next
# wizard 3
Bob: [Next
# name
Bob: [Enter a name
""",
        "Alice: [Roll for initiative\nGM: ~ ALICE",
        "Alice: [Attack",
        "GM: ~ FOE 1\nGM: [Desk\nGM: [Fight\nGM: <Attack: Basic Melee> ALICE",
        "Alice: [ALICE",
        "Bob: /odds swim dice:3",
    ),
    Game(
        "Post-magic-maid",
        "maid",
        ("Nettle Quickwater", "Bram Ostergard"),
        "Dust Thief",
        "Dex + Lck",
        faces((20, range(15, 20)), (12, range(9, 12))),
        faces((20, range(1, 3)), (12, range(1, 3))),
        """
Bob: <One attribute with a d20> Int
Bob: <One attribute with a d12> Cha
Bob: <Two attributes> Dex; Wll
Bob: [Next
# wizard 2
Bob: <Two attributes> Int; Cha
Bob: [Next
# wizard 3
Bob: <One attribute> Int
Bob: [Next
# wizard 4
Bob: <Kind of bonus> Single
# wizard 5
Bob: [Name the ability
""",
        "Alice: [Draw cards\nGM: ~ ALICE",
        "Alice: [Attack",
        "GM: ~ FOE 1\nGM: [Desk\nGM: [Fight\nGM: hits <Attack blunt> ALICE\nGM: [Let ALICE",
        "Alice: [Nettle",
        "Bob: /odds maid first:d20 second:d12 needed:15",
        hits=faces((6, range(5, 7)), (10, range(9, 11))),
    ),
    Game(
        "Compare Roll",
        "compare",
        ("Juno Marsh", "Otto Brandt"),
        "Street Brawler",
        "Precision",
        faces((12, range(2, 3)), (12, range(3, 4)), (6, range(5, 6)), (6, range(4, 5))),
        faces((12, range(12, 13)), (12, range(11, 12)), (6, range(1, 2)), (6, range(1, 2))),
        """
Bob: <How do you make
Bob: [Next
# wizard 2
Bob: [Spend the rest
Bob: [Next
# wizard 3
Bob: [Next
# wizard 4
Bob: [Spend the rest
Bob: [Next
# wizard 5
Bob: [Next
# wizard 6
Bob: [Next
# wizard 7
Bob: [Next
# name
Bob: [Next
Bob: [Enter a name
""",
        "GM: [Start round 1",
        "Alice: [Juno: Attack",
        "GM: ~ FOE 2\nGM: [Desk\nGM: [Fight\nGM: <FOE 2 attacks> ALICE",
        "Alice: [Juno",
        "Bob: /odds compare skill:2",
    ),
    Game(
        "Sword & Swarm",
        "swarm",
        ("Corvin Asher", "Odalys Thorne"),
        "Road Bandit",
        "Test Coronet",
        faces((6, range(1, 2))),
        faces((6, range(6, 7))),
        """
Bob: <Mallet> 4
Bob: <Key> 7 (2)
Bob: <Runes> 5
Bob: <Coronet> 3
Bob: [Next
# wizard 2
Bob: <Star> 4
Bob: [Next
# name
Bob: [Enter a name
""",
        "GM: /gm encounter order characters:ALICE, BOB, FOE 1, FOE 2\nBob: [Start round 1",
        "Alice: [Attack",
        "GM: ~ FOE 1\nGM: [Desk\nGM: [Fight",
        "GM: [Refresh",
        "Bob: /odds swarm test:proficiency attribute:4",
    ),
    Game(
        "Ash Road",
        "ash",
        ("Juno Marsh", "Cole"),
        "Raider",
        "Take the wheel",
        faces((100, range(1, 20))),
        faces((100, range(90, 99))),
        """
Bob: [Roll
Bob: [Next
# wizard 2
Bob: [Next
# wizard 3
Bob: [Next
# name
Bob: [Enter a name
""",
        "GM: [Start\nGM: ~ ALICE",
        "Alice: [Shoot",
        "GM: ~ FOE 1\nGM: [Desk\nGM: [Fight",
        "GM: [Refresh",
        "Bob: /odds dice expression:1d100",
        "GM: /game import example:Ash Road",
    ),
)
