"""Prepared encounters: written or saved out of a fight, changed, started with one press, deleted."""

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.errors import UserError
from bot.table.base.access import ForGmOnly
from bot.table.base.table import Table
from bot.table.campaigns import bestiary, campaign_settings, campaigns, prepared_encounters
from bot.table.campaigns.prepared_encounters import EncounterDraft, PreparedEncounter
from bot.table.characters import characters
from bot.table.encounters import encounters, prepared_fights
from bot.table.encounters import prepared_fights as reinforcements
from bot.table.encounters.encounters import NoEncounter
from bot.table.gm import desk
from bot.table.gm import gm as gms
from bot.table.journal import journal
from bot.table.play import play
from tests.table.conftest import Person
from tests.table.counting import everything, state, values

AMBUSH = EncounterDraft(
    name="Ambush",
    foes="Orc x2\nSpider hidden\n",
    countdowns="Alarm 4\nCanary 3 hidden",
    text="The torches go out.\nSomething breathes.",
)


async def campaign_of(table: Table, gm: Person, ada: Person, key: str) -> Table:
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), key, "The Yard")
    creation = game.games[key].creation
    ready = creation.ready_made or creation.offered(game.games[key].settings())
    await characters.take_ready_made(game, ada.asks(), next(iter(ready)), "Ash")
    return game


@pytest.fixture
async def pool(table: Table, gm: Person, ada: Person) -> Table:
    return await campaign_of(table, gm, ada, "swim_class")


async def the(table: Table, gm: Person) -> PreparedEncounter:
    (found,) = await prepared_encounters.listing(table, gm.asks())
    return found


async def test_an_encounter_starts_with_one_press(pool: Table, gm: Person, ada: Person) -> None:
    await prepared_encounters.write(pool, gm.asks(), AMBUSH)
    request = gm.asks()

    done = await prepared_fights.start(pool, request, "ambush")
    again = await prepared_fights.start(pool, request, "ambush")

    assert [one.entry for one in again] == [one.entry for one in done]
    assert [one.message.is_public for one in done] == [True, True, True, False]
    text = done[1].message
    assert (text.headline, text.notes[:2]) == (
        "sets the scene",
        ("The torches go out.", "Something breathes."),
    )
    assert not [note for note in text.notes if "Canary" in note]
    seen = (await encounters.fight_here(pool, ada.asks())).view
    assert [one.name for one in seen.lines] == ["Orc 1", "Orc 2"]
    known = (await encounters.fight_here(pool, gm.asks())).view
    assert [one.name for one in known.hidden] == ["Spider"]
    assert known.lines[0].secrets == ("Physical 3/3",)


async def test_a_long_name_of_a_started_countdown_leaves_room_for_its_number(pool: Table, gm: Person) -> None:
    lines = "\n".join(f"{'Alarm ' * 10} {steps}" for steps in (4, 5))
    await prepared_encounters.write(pool, gm.asks(), EncounterDraft("Gate", countdowns=lines))

    await prepared_fights.start(pool, gm.asks(), "Gate")

    cut = "Alarm Alarm Alarm Alarm Alarm Alarm Alarm Alarm Alarm Ala"
    assert await values(pool, gm) == {cut: "0/4", f"{cut} 2": "0/5"}


async def test_a_whole_start_is_undone_and_redone_at_once(pool: Table, gm: Person, ada: Person) -> None:
    await prepared_encounters.write(pool, gm.asks(), AMBUSH)
    before = state(pool)
    first, *_ = await prepared_fights.start(pool, gm.asks(), "Ambush")

    undone = await journal.undo(pool, gm.asks(), first.entry)

    assert isinstance(undone, journal.Undone)
    assert state(pool) == before
    assert (await desk.desk(pool, gm.asks())).countdowns == ()
    with pytest.raises(NoEncounter):
        await encounters.fight_here(pool, gm.asks())
    assert "Spider" not in repr(undone.result)
    with pytest.raises(UserError, match="already been undone"):
        await journal.undo(pool, gm.asks(), first.entry)

    again = await journal.undo(pool, gm.asks(), undone.result.entry)

    assert isinstance(again, journal.Undone)
    view = (await encounters.fight_here(pool, gm.asks())).view
    assert ([one.name for one in view.lines], [one.name for one in view.hidden]) == (
        ["Orc 1", "Orc 2"],
        ["Spider"],
    )
    await journal.undo(pool, gm.asks(), again.result.entry)
    assert state(pool) == before


async def test_a_start_that_people_built_on_is_undone_only_with_that(
    pool: Table, gm: Person, ada: Person
) -> None:
    await prepared_encounters.write(pool, gm.asks(), AMBUSH)
    first, *_ = await prepared_fights.start(pool, gm.asks(), "Ambush")
    await play.perform(pool, ada.asks(), keys.JOIN, {"character": "Ash"})

    asked = await journal.undo(pool, gm.asks(), first.entry)

    assert isinstance(asked, journal.UndoBlocked)
    assert [one.message.who for one in asked.in_the_way] == ["Ash"]
    await journal.undo(pool, gm.asks(), first.entry, together=True)
    with pytest.raises(NoEncounter):
        await encounters.fight_here(pool, gm.asks())


async def test_it_joins_the_fight_that_runs(pool: Table, gm: Person, ada: Person) -> None:
    await play.perform(pool, gm.asks(), keys.START, {"others": ("Ash",)})
    await prepared_encounters.write(pool, gm.asks(), EncounterDraft("More", foes="Orc"))

    await prepared_fights.start(pool, gm.asks(), "More")
    await prepared_fights.start(pool, gm.asks(), "More")

    seen = (await encounters.fight_here(pool, ada.asks())).view
    assert [one.name for one in seen.lines] == ["Ash", "Orc", "Orc 1"]


@pytest.mark.parametrize("key", sorted(rulesets()))
async def test_a_fight_is_saved_as_it_stands(table: Table, gm: Person, ada: Person, key: str) -> None:
    """Wounds and who hides come back; players' characters stay out of it."""
    game = await campaign_of(table, gm, ada, key)
    await play.perform(game, gm.asks(), keys.START, {"others": ("Ash",)})
    page = await bestiary.page(game, gm.asks())
    await bestiary.make(game, gm.asks(), "Raider", "strong", page.things[:1])
    await reinforcements.add(game, gm.asks(), "Raider")
    await reinforcements.add(game, gm.asks(), "Sniper", is_hidden=True)

    await prepared_fights.save_fight(game, gm.asks(), "Gate")
    await play.perform(game, gm.asks(), keys.END, {"unsettled": "waive"})
    done = await prepared_fights.start(game, gm.asks(), "Gate")

    view = (await encounters.fight_here(game, gm.asks())).view
    assert [one.name for one in view.lines] == ["Raider 1"]
    assert [one.name for one in view.hidden] == ["Sniper 1"]
    assert not done[-1].message.is_public


async def test_foes_start_hurt_as_they_were_saved(pool: Table, gm: Person) -> None:
    await play.perform(pool, gm.asks(), keys.START, {})
    await reinforcements.add(pool, gm.asks(), "Orc")
    await gms.set_resource(pool, gm.asks(), "Physical wounds", 2, "Orc")
    await prepared_fights.save_fight(pool, gm.asks(), "Gate")
    kept = await the(pool, gm)
    changed = EncounterDraft("The gate", foes=kept.foe_lines.replace("Orc", "Orc x2"), text="A creak.")
    await prepared_encounters.write(pool, gm.asks(), changed, was="Gate")

    await prepared_fights.start(pool, gm.asks(), "The gate")

    view = (await encounters.fight_here(pool, gm.asks())).view
    assert [(one.name, one.secrets) for one in view.lines] == [
        ("Orc", ("Physical 1/3",)),
        ("Orc 1", ("Physical 1/3",)),
        ("Orc 2", ("Physical 1/3",)),
    ]


async def test_foes_are_prepared_to_start_as_an_npc_is_now(pool: Table, gm: Person) -> None:
    """Hurt, as often as written; what becomes of the NPC later changes nothing of that."""
    await gms.make_npc(pool, gm.asks(), "Brute")
    await gms.set_resource(pool, gm.asks(), "Physical wounds", 1, "Brute")

    await prepared_encounters.write(pool, gm.asks(), EncounterDraft("Gate", foes="Brute x2 as now hidden"))
    assert (await the(pool, gm)).foe_lines == "Brute x2 hidden"
    await gms.set_resource(pool, gm.asks(), "Physical wounds", 0, "Brute")
    await prepared_fights.start(pool, gm.asks(), "Gate")

    view = (await encounters.fight_here(pool, gm.asks())).view
    hidden = [(one.name, [fact for fact in one.secrets if "Physical" in fact]) for one in view.hidden]
    assert hidden == [("Brute 1", ["Physical 0/1"]), ("Brute 2", ["Physical 0/1"])]


async def test_the_ground_is_saved_with_a_fight(table: Table, gm: Person, ada: Person) -> None:
    game = await campaign_of(table, gm, ada, "rpj")
    await play.perform(game, gm.asks(), keys.START, {"others": ("Ash",)})
    await play.perform(game, gm.asks(), "fight.field", {"regions": 2, "names": "Yard, Tower"})
    await reinforcements.add(game, gm.asks(), "Raider")
    await prepared_fights.save_fight(game, gm.asks(), "Tower")
    await play.perform(game, gm.asks(), keys.END, {"unsettled": "waive"})

    await prepared_fights.start(game, gm.asks(), "Tower")

    ground = (await encounters.fight_here(game, ada.asks())).view.ground
    assert ground is not None
    assert [one.title for one in ground.regions] == ["Yard", "Tower"]


@pytest.mark.parametrize(
    ("draft", "was", "words"),
    [
        (EncounterDraft(" "), "", "1 to 60"),
        (EncounterDraft("Ambush"), "", "already a prepared encounter"),
        (EncounterDraft("Gate", foes="Orc x0"), "", "I can't read"),
        (EncounterDraft("Gate", foes="\n".join(["Orc"] * 21)), "", "up to 20 lines of foes"),
        (EncounterDraft("Gate", countdowns="Alarm"), "", "I can't read"),
        (EncounterDraft("Gate", countdowns="Alarm 1"), "", "I can't read"),
        (EncounterDraft("Gate", foes="Nobody as now"), "", "Nobody"),
        (EncounterDraft("Gate", foes="Ash as now"), "", "a player's character"),
        (EncounterDraft("Gate"), "Nothing", "any more"),
    ],
)
async def test_what_cannot_be_read_is_told(
    pool: Table, gm: Person, draft: EncounterDraft, was: str, words: str
) -> None:
    await prepared_encounters.write(pool, gm.asks(), AMBUSH)
    before = everything(pool)

    with pytest.raises(UserError, match=words):
        await prepared_encounters.write(pool, gm.asks(), draft, was=was)

    assert everything(pool) == before


async def test_what_is_gone_is_not_started_or_deleted(pool: Table, gm: Person) -> None:
    with pytest.raises(UserError, match="any more"):
        await prepared_fights.start(pool, gm.asks(), "Ambush")
    with pytest.raises(UserError, match="any more"):
        await prepared_encounters.delete(pool, gm.asks(), "Ambush")
    with pytest.raises(NoEncounter):
        await prepared_fights.save_fight(pool, gm.asks(), "Gate")
    await play.perform(pool, gm.asks(), keys.START, {"others": ("Ash",)})
    with pytest.raises(UserError, match="None of your NPCs"):
        await prepared_fights.save_fight(pool, gm.asks(), "Gate")


async def test_a_deleted_encounter_comes_back_by_undo(pool: Table, gm: Person) -> None:
    await prepared_encounters.write(pool, gm.asks(), AMBUSH)
    done = await prepared_encounters.delete(pool, gm.asks(), "Ambush")
    assert await prepared_encounters.listing(pool, gm.asks()) == ()

    await journal.undo(pool, gm.asks(), done.entry)

    assert (await the(pool, gm)).countdown_lines == "Alarm 4\nCanary 3 hidden"


async def test_a_foe_starts_the_fight_it_is_brought_into_unless_it_hides(
    pool: Table, gm: Person, ada: Person
) -> None:
    request = gm.asks()

    with pytest.raises(UserError, match="no fight in this channel"):
        await prepared_fights.bring_in(pool, gm.asks(), "Orc", count=1, is_hidden=True)
    with pytest.raises(ForGmOnly):
        await prepared_fights.bring_in(pool, ada.asks(), "Orc", count=1, is_hidden=False)
    done = await prepared_fights.bring_in(pool, request, "Orc", count=2, is_hidden=False)
    again = await prepared_fights.bring_in(pool, request, "Orc", count=2, is_hidden=False)
    more = await prepared_fights.bring_in(pool, gm.asks(), "Orc", count=1, is_hidden=True)

    assert [one.entry for one in again] == [one.entry for one in done]
    assert [one.message.headline for one in (*done, *more)] == [
        "starts a fight",
        "adds Orc 1, Orc 2 to the fight",
        "hides Orc 3 in the fight",
    ]
    await journal.undo(pool, gm.asks(), more[0].entry)
    await journal.undo(pool, gm.asks(), done[0].entry)
    with pytest.raises(NoEncounter):
        await encounters.fight_here(pool, gm.asks())


async def test_an_encounter_whose_name_reads_like_anothers_is_refused(
    pool: Table, gm: Person, ada: Person
) -> None:
    """F-REL-13: written, renamed, and saved out of a fight."""
    await prepared_encounters.write(pool, gm.asks(), AMBUSH)
    await prepared_encounters.write(pool, gm.asks(), replace(AMBUSH, name="Siege"))
    like = replace(AMBUSH, name="\u0410mbush")

    with pytest.raises(UserError, match="reads like Ambush, though"):
        await prepared_encounters.write(pool, gm.asks(), like)
    with pytest.raises(UserError, match="reads like Ambush, though"):
        await prepared_encounters.write(pool, gm.asks(), like, was="Siege")
    await prepared_fights.start(pool, gm.asks(), "Siege")
    with pytest.raises(UserError, match="reads like Ambush, though"):
        await prepared_fights.save_fight(pool, gm.asks(), like.name)

    await prepared_encounters.write(pool, gm.asks(), like, was="Ambush")
    names = [one.name for one in await prepared_encounters.listing(pool, gm.asks())]
    assert sorted(names) == ["Siege", like.name]


@pytest.fixture
async def fight(table: Table, gm: Person, ada: Person) -> Table:
    """Project Swim Class: Alice plays Ash against an Ogre, who has a Physical Defense of 4."""
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), "swim_class", "The Pool")
    ready = game.games["swim_class"].creation.ready_made
    await characters.take_ready_made(game, ada.asks(), next(iter(ready)), "Ash")
    await play.perform(game, gm.asks(), keys.START, {"others": ("Ash",)})
    await prepared_fights.add(game, gm.asks(), "Ogre")
    await play.perform(
        game, gm.asks(), "set_rank", {"target": "Ogre", "skill": "Physical Defense", "rank": 4}
    )
    return game


async def hurt(table: Table, gm: Person, value: int) -> tuple[str, ...]:
    """Set the Ogre's wounds in public; return what everybody is told of it."""
    done = await gms.set_resource(table, gm.asks(), "Physical wounds", value, "Ogre")
    return tuple(f"{one.what} {one.before} → {one.after}" for one in done.message.changes)


async def seen(table: Table, who: Person) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What somebody sees of the Ogre on the board."""
    view = (await encounters.fight_here(table, who.asks())).view
    ogre = next(one for one in view.lines if one.name == "Ogre")
    return ogre.facts, ogre.secrets


async def test_players_read_words_and_the_gm_numbers(fight: Table, gm: Person, ada: Person) -> None:
    """F-SWIM-23"""
    assert await seen(fight, ada) == ((), ())

    assert await hurt(fight, gm, 2) == ("Condition unhurt → hurt",)
    assert await seen(fight, ada) == (("hurt",), ())
    assert await seen(fight, gm) == (("hurt",), ("Physical 2/4",))

    assert await hurt(fight, gm, 4) == ("Condition hurt → down",)
    assert await seen(fight, ada) == (("down",), ())


async def test_a_campaign_can_show_numbers(fight: Table, gm: Person, ada: Person) -> None:
    await campaign_settings.change_setting(fight, gm.asks(), "foe_health", "numbers")

    assert await hurt(fight, gm, 1) == ("Physical 4/4 → 3/4",)
    assert await seen(fight, ada) == (("Physical 3/4",), ())
    assert await seen(fight, gm) == (("Physical 3/4",), ())


async def test_a_campaign_can_show_nothing(fight: Table, gm: Person, ada: Person) -> None:
    await campaign_settings.change_setting(fight, gm.asks(), "foe_health", "nothing")

    assert await hurt(fight, gm, 1) == ()
    assert await seen(fight, ada) == ((), ())
    assert await seen(fight, gm) == ((), ("Physical 3/4",))


async def test_only_a_gm_changes_what_players_see(fight: Table, ada: Person) -> None:
    with pytest.raises(UserError):
        await campaign_settings.change_setting(fight, ada.asks(), "foe_health", "numbers")


async def test_undo_of_a_wound_shows_the_foe_as_before(fight: Table, gm: Person, ada: Person) -> None:
    done = await gms.set_resource(fight, gm.asks(), "Physical wounds", 3, "Ogre")
    await journal.undo(fight, gm.asks(), done.entry)

    assert await seen(fight, ada) == ((), ())


async def test_a_foes_sheet_shows_players_no_numbers(fight: Table, gm: Person, ada: Person) -> None:
    await hurt(fight, gm, 1)

    own = await characters.sheet(fight, gm.asks(), "Ogre")
    others = await characters.sheet(fight, ada.asks(), "Ogre")

    assert len(own.sections) > 1
    assert [one.lines for one in others.sections] == [("scratched",)]
    assert others.glance.words == "Scratched"
    await hurt(fight, gm, 0)
    assert [one.lines for one in (await characters.sheet(fight, ada.asks(), "Ogre")).sections] == [
        ("The GM keeps its numbers.",)
    ]


@pytest.mark.parametrize("game", ["compare_roll", "post_magic_maid", "rpj", "sword_and_swarm"])
async def test_no_game_tells_players_the_numbers_of_a_foe(
    table: Table, gm: Person, ada: Person, game: str
) -> None:
    """F-SWIM-23"""
    played = replace(table, games=rulesets())
    await campaigns.create(played, gm.asks(), game, "The Yard")
    ready = played.games[game].creation
    offered = ready.ready_made or ready.offered(played.games[game].settings())
    await characters.take_ready_made(played, ada.asks(), next(iter(offered)), "Ash")
    await play.perform(played, gm.asks(), keys.START, {"others": ("Ash",)})
    await prepared_fights.add(played, gm.asks(), "Ogre")

    facts, secrets = await seen(played, ada)
    known, numbers = await seen(played, gm)

    assert not secrets
    assert facts == known
    assert not any(character.isdigit() for fact in facts for character in fact if "Region" not in fact)
    assert bool(numbers) == (game != "post_magic_maid")  # nobody is wounded yet


@pytest.mark.parametrize("count", [0, -1, 21, 2**53])
async def test_more_foes_than_fit_are_refused_before_any_is_made(
    fight: Table, gm: Person, count: int
) -> None:
    with pytest.raises(UserError, match="You can add 1 to 20 NPCs at once"):  # F-REL-13
        await prepared_fights.add(fight, gm.asks(), "Orc", count=count)
