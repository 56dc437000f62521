"""The GM's commands: where they stand, and modules as a GM is shown them."""

from collections.abc import Iterator

import discord
import pytest
from discord import app_commands
from msgspec.structs import replace

from bot.playground.discord.commands import command_characters
from bot.rules import rulesets
from bot.rules.kernel import Choice, Column
from bot.rules.shared.countdowns import Visibility
from bot.store.records import CampaignId
from bot.store.transaction import Reader
from bot.table.base.results import ChangeLine, EntryId, Message, Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.campaigns.modules import EntryForm, ListLine, ListsPage, ModuleFile, ModuleView
from bot.table.gm import gm as gms
from bot.table.gm import gm_secrets
from bot.table.play import play
from bot.ui.commands.options import GAME, PROCEDURE
from bot.ui.input.presses import press_id
from bot.ui.text.reply import Field, MenuField, Picture
from cogs.gm.desk import ACTS, PAGES
from cogs.gm.module import entry_form_of, lists_reply, module_file_reply, module_reply
from tests.cogs.desk import Desk, Sent
from tests.readme import Top, leaves, top_commands
from tests.table.conftest import CHANNEL, HOME, Interactions, Person
from tests.table.counting import a_plan, begin, everything
from tests.ui.shown import shown

MOST_CHARACTERS = 6400  # of Discord's 8,000, to leave room
MOST_SHARED = 18
ADMINISTRATORS = ("campaign", "game")  # need Manage Server or a GM; a server hides each as a whole
PLAIN = ModuleView(title="Salt*marsh*", summary=("24 skills",), hints=(), problems=())


def is_gms(top: Top) -> bool:
    """Whether a command is the GM's by its name."""
    return "gm" in top.name.split("-")


async def players() -> list[Top]:
    """Every command that is not the GM's."""
    return [top for top in await top_commands() if not is_gms(top)]


def procedures(top: Top) -> Iterator[tuple[str, bool]]:
    """Each line that does a procedure of a game, and whether only a GM may do that."""
    for leaf in leaves(top):
        if PROCEDURE in leaf.extras:
            procedure = rulesets()[leaf.extras[GAME]].procedures[leaf.extras[PROCEDURE]]
            yield leaf.qualified_name, procedure.gm_only


class TestPlayersCommands:
    async def test_nothing_in_a_players_command_is_only_for_gms(self) -> None:
        wrong = [name for top in await players() for name, gm_only in procedures(top) if gm_only]
        marked = [
            leaf.qualified_name
            for top in await players()
            if top.name not in ADMINISTRATORS
            for leaf in leaves(top)
            if "(GM" in leaf.description
        ]

        assert (wrong, marked) == ([], [])


class TestGmCommands:
    async def test_each_game_has_a_gm_command_that_says_so(self) -> None:
        found = {top.name: top.description for top in await top_commands() if is_gms(top)}

        assert set(found) == {"gm", "rpj-gm-fight", *(f"{game.command}-gm" for game in rulesets().values())}
        assert [name for name, about in found.items() if not about.startswith("GM only: ")] == []

    async def test_discord_hides_none_of_them_from_gms_who_are_no_administrators(self) -> None:
        hidden = [top.name for top in await top_commands() if top.default_permissions is not None]

        assert hidden == []


class TestGmAsk:
    async def test_hidden_says_what_players_still_see(self) -> None:
        """F-REL-18: the dice and the total are public, whatever is hidden."""
        asks = [
            leaf for top in await top_commands() for leaf in leaves(top) if leaf.qualified_name == "gm ask"
        ]
        (about,) = [one.description for leaf in asks for one in leaf.parameters if one.name == "hidden"]

        assert about == "Hide the difficulty and the outcome (not the dice and totals) from players"


class TestSizes:
    async def test_every_command_stays_well_below_discords_8000_characters(self) -> None:
        tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
        sizes = {top.name: command_characters(top.to_dict(tree)) for top in await top_commands()}

        assert {name: size for name, size in sizes.items() if size > MOST_CHARACTERS} == {}

    async def test_at_most_18_commands_are_shared_by_all_games(self) -> None:
        games = {game.command for game in rulesets().values()}
        shared = [top.name for top in await top_commands() if top.name.split("-")[0] not in games]

        assert len(shared) <= MOST_SHARED


CANARY = "Zyzzyx"


FAR, FAR_CATEGORY = 60, 61  # where another campaign is played


FIELDS = {
    "amount": "1",
    "check1": "Brawn check",
    "dice": "1d6",
    "hours": "1",
    "name": "Orc",
    "text": "x",
    "title": "x",
    "value": "yes",
    "what": "Brawn check|",
}


SECRETS = ("list", "home", "open", "look", "all", "known", "some", "quiet", "back", "note", "handout", "roll")


WHATS = {  # of each kind, what its first argument can be; the desk it leads comes second
    "desk": (*PAGES, *ACTS),
    "asks": ("open", "home", "form", "ask", "seek", "best", "again", "hard", "sight"),
    "foe": ("home", "pick", "show", "add", "new", "copy", "made", "save", "drop"),
    "prep": ("home", "pick", "new", "change", "written", "keep", "kept", "drop", "start"),
    "secrets": (*SECRETS, "edit", "remove", "undo"),
    "strip": ("pick", "hit"),
}


OF_CAMPAIGN = {  # likewise, where the first argument is the campaign
    "setting": ("to", "pick", "reset", "write", "wrote", "undo"),
    "list": ("home", "list", "open", "entry", "add", "change", "put", "remove", "undo"),
}


SINGLE = (
    "admit:1:3:1",
    "askfor:1:1",
    "award:1:1:x:open",
    "award:1:1:x:form",
    "award:1:1:x:give:luck:1",
    "award:1:1:x:sent",
    "counts:1:1",
    "countkeep:1:1",
    "fightgm:1:1",
    "kin:1:1:1",
    "meet:1:change:0:0",
    "meet:1:plan",
    "meet:1:plan:0:0:0",
    "meet:1:off:1",
    "purge:1:yes",
    "session:1:all:1:open:0",
    "session:1:end:1",
    "session:1:end:1:0",
    "session:1:both:1",
    "session:1:both:1:0",
    "session:1:keep:1",
    "session:1:keep:1:0",
    "session:1:story:1:0",
    "stats:1:all",
    "stats:1:who",
    "undogm:1:1:1",
    "waiting:1:3",
)


FOR_ALL = {  # what players press too; each refuses by what it does, and tests of its own say so
    "count",
    "countskill",
    "details",
    "do",
    "door",
    "draft",
    "fair",
    "fight",
    "fightrest",
    "given",
    "hand",
    "help",
    "hero",
    "instead",
    "join",
    "log",
    "own",  # for every GM of the server
    "ownentry",
    "owngame",
    "part",
    "parts",
    "privacy",
    "row",
    "sheet",
    "undo",
    "undoall",
    "undosure",
    "who",
}


REFUSALS = (
    "Only a GM",
    "Only someone who manages the server",
    "There is no such",
    "This button is from an older version of the bot.",
    "Choose one thing to ask for.",
    "That channel is gone.",
    "No such character is waiting to join.",
    "You can't undo creating a campaign.",
    "isn't a time zone",
    "Toy Game doesn't have that.",
)


def ids(home: int, entry: int) -> Iterator[str]:
    """The ids of what is for GMs, of a desk that leads a channel, about what the first campaign has."""
    for kind, whats in WHATS.items():
        for what in whats:
            for about in ((entry, entry, 1), ("home", entry), ("roll", entry), ("npc", 3), (1, "up")):
                yield press_id(kind, what, home, *about)
    for kind, whats in OF_CAMPAIGN.items():
        for what in whats:
            yield press_id(kind, 1, what, 0, entry, entry)
    yield from SINGLE


@pytest.fixture
def people(interactions: Interactions, ada: Person) -> dict[str, Person]:
    """Everybody who may not: by what they are."""
    other = Person(6, "Otto", interactions)
    return {
        "a player": ada,
        "a stranger": Person(5, "Sam", interactions),
        "a former GM": Person(7, "Fay", interactions),
        "another GM": other,
        "from afar": replace(other, places=(FAR, FAR_CATEGORY)),
    }


async def prepare(table: Table, gm: Person) -> int:
    """Fill a campaign with secrets, and have another one beside it; give the entry of a secret roll."""
    await gms.make_npc(table, gm.asks(), f"{CANARY} orc", is_hidden=True)
    await begin(table, gm, replace(a_plan(f"{CANARY} plot"), visibility=Visibility.GM))
    await gm_secrets.save_handout(table, gm.asks(), f"{CANARY} letter", f"{CANARY} text")
    await campaigns.set_gm(table, gm.asks(), 7, "Fay", is_gm=True)
    await campaigns.set_gm(table, gm.asks(), 7, "Fay", is_gm=False)
    far = replace(gm, places=(FAR, FAR_CATEGORY))
    await campaigns.create(table, far.asks(), "toy", "Elsewhere")
    await campaigns.set_gm(table, far.asks(), 6, "Otto", is_gm=True)
    rolled = await play.roll(table, gm.asks(), "1d6", f"{CANARY} roll", is_secret=True)
    return int(rolled.entry)


async def tried(desk: Desk, who: Person, id_: str) -> list[Sent]:
    """Everything that somebody gets from an id: pressed, chosen from, and sent as a form."""
    pressed = await desk.press(who, id_)
    chosen = await desk.choose(who, f"s:{id_}", "3")
    return [*pressed, *chosen, *await desk.fill(who, id_, **FIELDS)]


def is_refused(sent: Sent) -> bool:
    text = sent.text.replace("\\", "")
    return sent.how == "answer" and sent.is_private and any(one in text for one in REFUSALS)


async def first_campaign(table: Table) -> str:
    """What the first campaign has, as text."""

    def query(reader: Reader) -> str:
        first = CampaignId(1)
        return repr(
            (
                reader.campaign(HOME, first),
                reader.characters(HOME, first),
                reader.countdowns(HOME, first),
                reader.entries(HOME, first, limit=50),
            )
        )

    return await table.store.read(query)


async def test_every_press_is_known_to_be_for_gms_or_for_all(desk: Desk) -> None:
    for_gms = {*WHATS, *OF_CAMPAIGN, *(one.split(":")[0] for one in SINGLE)}

    assert for_gms | FOR_ALL == set(desk.bot.presses._handlers)
    assert not for_gms & FOR_ALL


@pytest.mark.parametrize("who", ["a player", "a stranger", "a former GM", "another GM", "from afar"])
async def test_nobody_else_gets_anything_from_what_is_for_gms(
    desk: Desk, game: Table, gm: Person, people: dict[str, Person], who: str
) -> None:
    entry = await prepare(game, gm)
    before = everything(game)

    for id_ in ids(CHANNEL, entry):
        if who != "from afar" or id_ not in SINGLE:  # those are about the place where they are pressed
            sent = await tried(desk, people[who], id_)
            assert CANARY not in repr(sent), id_
            assert [one for one in sent if not is_refused(one)] == [], id_

    assert everything(game) == before
    assert CANARY in repr(await desk.press(gm, press_id("secrets", "home", CHANNEL, 0)))


async def test_a_gm_of_another_campaign_reaches_nothing_from_their_own_desk(
    desk: Desk, game: Table, gm: Person, people: dict[str, Person]
) -> None:
    entry = await prepare(game, gm)
    before = await first_campaign(game)

    for id_ in ids(0, entry):
        sent = repr(await tried(desk, people["from afar"], id_))
        assert CANARY not in sent, id_
        assert "Something went wrong" not in sent, id_

    assert await first_campaign(game) == before


class TestModules:
    def test_the_summary_shows_a_modules_name_and_contents(self) -> None:
        assert shown(module_reply(PLAIN)) == "private, news\n**Salt\\*marsh\\***\n24 skills"

    def test_the_summary_lists_misfits_and_unusual_entries(self) -> None:
        view = ModuleView(title="Bare", summary=(), hints=("No skills.",), problems=("Ug: no club.",))

        assert shown(module_reply(view, is_read=True)) == (
            "private, news\n"
            "The campaign now uses the module in this file.\n"
            "**Bare**\n"
            "-# These no longer fit the module, but stay as they are\n"
            "- Ug\\: no club.\n"
            "-# Worth a look\n"
            "- No skills."
        )

    def test_a_summary_with_many_lines_is_also_attached_as_a_file(self) -> None:
        view = ModuleView(
            title="Bare", summary=(), hints=(), problems=tuple(f"Ug: no thing {n}." for n in range(40))
        )

        reply = module_reply(view)

        assert reply.text.endswith("- and 28 more, all in problems.txt")
        whole = "\n".join(f"Ug: no thing {n}." for n in range(40))
        assert reply.files == (Picture("problems.txt", whole.encode()),)

    def test_a_summary_with_very_long_lines_is_also_attached_as_a_file(self) -> None:
        view = ModuleView(title="Bare", summary=(), hints=("w" * 1400, "x" * 200), problems=())

        assert "- and 1 more, all in hints.txt" in module_reply(view).text

    def test_an_exported_module_is_sent_as_a_file(self) -> None:
        reply = module_file_reply(ModuleFile("toy-module.toml", "Plain", b'name = "x"\n'))

        assert reply.files == (Picture("toy-module.toml", b'name = "x"\n'),)
        assert reply.is_private


LISTS = ListsPage(
    campaign=7,
    campaign_name="The *Manor*",
    title="Lists",
    lines=(ListLine(mark="skills", name="Skills", about="2 entries"),),
    misfits=1,
)


SKILLS = ListsPage(
    campaign=7,
    campaign_name="The Manor",
    title="Skills",
    noun="skill",
    key="skills",
    lines=(ListLine(mark="a1", name="Sailing", about="DEX"), ListLine(mark="b2", name="Chess")),
    count=27,
    pages=2,
)


SAILING = replace(SKILLS, entry=SKILLS.lines[0], fields=(("Name", "Sailing"), ("What it does", "")))


def test_all_lists_are_in_a_menu_with_their_length_and_what_does_not_fit() -> None:
    assert shown(lists_reply(LISTS)) == (
        "private, board\n"
        "### Lists\n-# The \\*Manor\\*\n"
        "-# 1 thing on characters' sheets isn't in the module now, and stays: /gm module show\n"
        "Add, change or remove what your players choose from.\n"
        "<Open a list … 1..1: Skills (2 entries)>\n"
        "[Settings]"
    )


def test_a_list_offers_its_entries_by_the_page() -> None:
    assert shown(lists_reply(SKILLS)) == (
        "private, board\n"
        "### Skills\n-# The Manor\n"
        "27 in this list · page 1 of 2.\n"
        "<Open one … 1..1: Sailing (DEX) / Chess>\n"
        "[+Add …] [Next page] [Lists]"
    )


def test_an_entry_shows_its_fields_and_what_can_be_done_with_it() -> None:
    assert shown(lists_reply(SAILING)) == (
        "private, board\n"
        "### Skills: Sailing\n-# The Manor\n"
        "**Name:** Sailing\n**What it does:** –\n"
        "[!Change …] [xRemove] [Back]"
    )


def test_an_empty_list_has_no_menu() -> None:
    assert "<" not in shown(lists_reply(replace(SKILLS, lines=(), count=0, pages=1)))


def test_what_was_done_is_told_with_its_undo() -> None:
    line = ChangeLine("The Manor", "Cost", "3", "4")
    told = Message(who="Gwen", headline="changes Sea Legs (Traits)", changes=(line,))

    reply = lists_reply(replace(SKILLS, misfits=2), Result(entry=EntryId(9), message=told))

    assert "Changed Sea Legs \\(Traits\\)\nCost: 3 → **4**  [Undo]" in shown(reply)
    assert "2 things on characters' sheets" in shown(reply)


def test_a_form_has_a_field_or_a_menu_for_each_column() -> None:
    kind = Column(key="kind", title="Kind", choices=(Choice("gift", "Gift"),))
    about = Column(key="about", title="What it does", longest=600, is_required=False)
    asked = EntryForm(noun="trait", columns=((kind, ("gift",)), (about, ())))

    form = entry_form_of(7, "traits", 1, "a1", asked)

    assert (form.id, form.title) == ("list:1:7:put:traits:1:a1", "Change a trait")
    assert form.fields == (
        MenuField(key="kind", label="Kind", choices=kind.choices, chosen=("gift",)),
        Field(key="about", label="What it does", longest=600, is_required=False, is_long=True),
    )
    assert entry_form_of(7, "traits", 1, None, asked).title == "Add a trait"
    item = replace(asked, noun="item")
    assert entry_form_of(7, "gear", 1, None, item).title == "Add an item"
