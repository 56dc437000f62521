"""One action, one message (F-ALL-08): what is pressed under a result is shown in its message."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.rules import post_magic_maid, rpj, swim_class
from bot.rules.kernel import Ruleset
from tests.cogs.desk import Under
from tests.cogs.played import Play, get_up, sit_down
from tests.table.conftest import HOME

MARIT, OSKAR = "Marit Vance", "Oskar Brandt"
SABLE, ONDRA = "Sable Thornwick", "Ondra Kestrel"
NETTLE, BRAM = "Nettle Quickwater", "Bram Ostergard"
CONCEALMENT = {"skill": "Concealment", "difficulty": "14+"}


@asynccontextmanager
async def playing(folder: Path, game: Ruleset, alices: str, bobs: str) -> AsyncIterator[Play]:
    play = await sit_down(folder, game, alices, bobs)
    yield play
    await get_up(play)


@pytest.fixture
async def rpjs(tmp_path: Path) -> AsyncIterator[Play]:
    async with playing(tmp_path, rpj.RULESET, MARIT, OSKAR) as play:
        yield play


@pytest.fixture
async def swim(tmp_path: Path) -> AsyncIterator[Play]:
    async with playing(tmp_path, swim_class.RULESET, SABLE, ONDRA) as play:
        yield play


@pytest.fixture
async def maid(tmp_path: Path) -> AsyncIterator[Play]:
    async with playing(tmp_path, post_magic_maid.RULESET, NETTLE, BRAM) as play:
        await play.set("defence", "always")
        yield play


async def fails(play: Play) -> str:
    """Have Marit fail a check that a Lucky Break can turn; what its message says."""
    said = await play.types(play.alice, "/rpj check", "d6:2 d6:3", **CONCEALMENT)
    assert "**failure by 2**" in said.text
    return said.text


async def last_entry(play: Play) -> int:
    """The number of what was journalled last."""
    campaign = (await play.campaign()).id
    (entry,) = await play.table.store.read(lambda reader: reader.entries(HOME, campaign, limit=1))
    return entry.id


async def test_f_swim_13_ready_made_heroes_carry_what_their_skills_need(swim: Play) -> None:
    said = await swim.types(
        swim.bob, "/swim attack", "d6:6 d6:5 d6:1", skill="Basic Ranged", targets=SABLE, distance=1
    )

    assert f"**{ONDRA}** attacks {SABLE}" in said.text
    assert "Common Bow" in said.text


class TestRpj:
    async def test_a_granted_undo_restores_the_message_that_a_lucky_break_changed(self, rpjs: Play) -> None:
        """F-RPJ-05."""
        as_rolled = await fails(rpjs)
        buttons = list(rpjs.messages[-1].controls)
        await rpjs.presses(rpjs.alice, "Lucky Break", "d6:6")
        check = rpjs.messages[-1]
        assert "~~failure by 2~~ **success" in check.text

        await rpjs.presses(rpjs.alice, "Undo")
        await rpjs.presses(rpjs.gwen, "Undo it")
        await rpjs.sees_the_undone()

        assert check.text == as_rolled
        assert list(check.controls) == buttons
        turned = await rpjs.presses(rpjs.alice, "Lucky Break", "d6:6")
        assert "Lucky Breaks 3 → 2" in turned.text
        assert [one.how for one in turned.sent] == ["edit"]

    async def test_a_typed_undo_restores_the_message_too(self, rpjs: Play) -> None:
        """F-RPJ-05."""
        as_rolled = await fails(rpjs)
        await rpjs.presses(rpjs.alice, "Lucky Break", "d6:6")
        check = rpjs.messages[-1]
        await rpjs.types(rpjs.gwen, "/gm undo", entry=str(await last_entry(rpjs)))
        await rpjs.sees_the_undone()

        assert check.text == as_rolled

    async def test_results_that_a_lucky_break_leaves_unchanged_are_still_shown(self, rpjs: Play) -> None:
        hit = await rpjs.types(rpjs.alice, "/rpj save", "d6:2 d6:3", damage="2")
        lost = next(line for line in hit.text.split("\n") if "→" in line)

        still = await rpjs.presses(rpjs.alice, "Lucky Break", "d6:1")

        assert [line for line in still.text.split("\n") if "→" in line] == [f"{lost} · Lucky Breaks 3 → 2"]

    async def test_results_that_a_lucky_break_changes_are_shown_in_their_new_form(self, rpjs: Play) -> None:
        hit = await rpjs.types(rpjs.alice, "/rpj save", "d6:2 d6:3", damage="2")
        (before, after) = next(line for line in hit.text.split("\n") if "→" in line).split(" → ")
        name, _, saves = before.partition(" ")

        saved = await rpjs.presses(rpjs.alice, "Lucky Break", "d6:6")

        (line,) = [line for line in saved.text.split("\n") if "→" in line]
        assert "Lucky Breaks 3 → 2" in line
        assert f"{name} {after} → {saves}" in line
        assert line.count("→") == 2

    async def test_the_dice_stay_where_the_gm_offers_a_retry_or_names_a_price(self, rpjs: Play) -> None:
        """F-RPJ-04."""
        await fails(rpjs)
        offered = await rpjs.presses(rpjs.gwen, "Retry")
        await fails(rpjs)
        cost = await rpjs.presses(rpjs.gwen, "At a cost")

        for said in (offered, cost):
            assert [one.how for one in said.sent] == ["repost"]  # it was pressed behind "GM …"
            assert "⚁ ⚂ 5 + Concealment 6 + class skill 1 = **12** against 14+" in said.text
        assert "~~failure by 2~~ **success at a cost**" in cost.text

    async def test_a_gms_buttons_are_for_gms_and_a_press_there_updates_the_message(self, rpjs: Play) -> None:
        """Look 5: everything of the GM's is behind one button."""
        await fails(rpjs)
        card = rpjs.messages[-1]
        assert list(card.controls)[-1] == "GM …"
        assert not any("(GM)" in label for label in card.controls)
        for who in (rpjs.alice, rpjs.stranger):
            refused = await rpjs.presses(who, "GM …")
            assert refused.is_private
            assert "Only a GM can do that" in refused.text

        page = await rpjs.presses(rpjs.gwen, "GM …")
        assert page.is_private
        retry = next(id_ for label, id_ in page.sent[-1].controls.items() if label.startswith("Retry"))
        said = await rpjs.presses(rpjs.gwen, "Retry")
        assert said.sent[-1].message == card.id
        again = await rpjs.desk.press(rpjs.gwen, retry, under=Under(9000, is_private=True))
        assert "already been done" in again[-1].text

    async def test_a_lucky_break_in_a_group_check_has_no_message_of_its_own(self, rpjs: Play) -> None:
        await rpjs.types(rpjs.gwen, "/gm ask", check="skill check", what="Concealment", difficulty="14+")
        before = len(rpjs.messages)
        await rpjs.presses(rpjs.alice, f"{MARIT}: roll", "d6:2 d6:3")
        said = await rpjs.presses(rpjs.alice, f"{MARIT}: Lucky Break", "d6:6")

        assert [one.how for one in said.sent] == ["edit"]
        assert len(rpjs.messages) == before
        assert "~~failure by 2~~ **success" in said.text
        assert "Lucky Breaks 3 → 2" in said.text
        assert not any("Countdown" in label for label in rpjs.labels(rpjs.alice))

    async def test_the_card_of_a_requested_check_tells_its_end_and_nothing_is_told_twice(
        self, rpjs: Play
    ) -> None:
        await rpjs.types(rpjs.gwen, "/gm ask", check="skill check", what="Concealment", difficulty="11+")
        await rpjs.types(rpjs.gwen, "/gm desk")
        await rpjs.presses(rpjs.alice, f"{MARIT}: roll", "d6:1 d6:2")
        before = len(rpjs.messages)

        last = await rpjs.presses(rpjs.bob, f"{OSKAR}: roll", "d6:5 d6:6")

        assert [one.how for one in last.sent] == ["edit"]
        assert len(rpjs.messages) == before
        assert "**1 of 2 succeed**" in last.text
        assert all(f"**{name}** · **" in last.text for name in (MARIT, OSKAR))

    async def test_a_note_makes_way_for_the_dice_of_an_answer(self, rpjs: Play) -> None:
        await rpjs.set("mass_combat", "yes")
        sides = {"own": "Heroes", "own_people": 40, "enemy": "Rebels", "enemy_people": 60}
        await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass start", **sides)
        await rpjs.types(rpjs.gwen, "/rpj-gm-fight mass works", attacker="Heroes", size=1)

        said = await rpjs.chooses(rpjs.alice, "Command Heroes with", "Command", "d6:1 d6:2")

        assert f"**{MARIT}** · **failure by 6** · ⚀ ⚁ **4** against 10+" in said.text
        assert "A Lucky Break can't turn this roll." not in said.text
        assert "Details" in said.labels

    async def test_a_save_is_shown_under_its_damage(self, rpjs: Play) -> None:
        damage = await rpjs.types(rpjs.gwen, "/rpj-gm health harm", targets=OSKAR, damage=3)
        saved = await rpjs.presses(rpjs.bob, f"{OSKAR}: save", "d6:1 d6:2")

        assert [one.how for one in saved.sent] == ["edit"]
        assert saved.text.startswith(damage.text)
        assert f"\n**{OSKAR}** rolls a save" in saved.text

    async def test_a_lucky_break_goes_with_its_session_and_comes_back_with_it(self, rpjs: Play) -> None:
        await rpjs.types(rpjs.gwen, "/session start")
        checked = await rpjs.types(rpjs.alice, "/rpj check", "d6:1 d6:3", skill="Concealment")
        await rpjs.types(rpjs.gwen, "/session end")

        def offered() -> list[str]:
            return [label for label in rpjs.labels(rpjs.alice) if label.startswith("Lucky Break")]

        assert offered() == [one for one in checked.labels if one.startswith("Lucky Break")] != []
        await rpjs.presses(rpjs.gwen, "End the session")
        await rpjs.sees_the_undone()
        assert offered() == []
        await rpjs.presses(rpjs.gwen, "Undo the reset")
        await rpjs.sees_the_undone()
        assert len(offered()) == 1

    async def test_a_lucky_break_goes_once_another_is_used_on_a_later_roll(self, rpjs: Play) -> None:
        first = await rpjs.types(rpjs.alice, "/rpj check", "d6:1 d6:3", skill="Concealment")
        again = await rpjs.types(rpjs.alice, "/rpj check", "d6:2 d6:3", **CONCEALMENT)
        assert {first.labels[0][:11], again.labels[0][:11]} == {"Lucky Break"}
        await rpjs.presses(rpjs.alice, "Lucky Break", "d6:6")
        await rpjs.sees_the_undone()

        left = [one for message in rpjs.messages for one in message.controls if one.startswith("Lucky")]
        assert left == []

    async def test_an_attack_is_offered_again_once_it_is_rolled(self, rpjs: Play) -> None:
        await rpjs.types(rpjs.alice, "/encounter start", others=OSKAR)
        for fall in ("d6:6 d6:6 d6:1 d6:1", ""):
            await rpjs.types(rpjs.gwen, "/encounter next", fall)
        await rpjs.types(rpjs.bob, "/rpj-fight defense", defense="ask")

        asked = await rpjs.types(rpjs.alice, "/rpj-fight attack", target=OSKAR)
        rolled = await rpjs.presses(rpjs.bob, f"{OSKAR}: dodge", "d6:1 d6:2")

        assert "Again" not in asked.labels
        assert "dodges · **hit**" in rolled.text
        assert "Again" in rolled.labels


class TestSwimClass:
    async def test_the_attacks_message_gets_the_result_of_the_defence(self, swim: Play) -> None:
        attacked = await swim.types(
            swim.alice, "/swim attack", "d6:6 d6:2 d6:6", skill="Basic Melee", targets=ONDRA
        )
        assert f"{ONDRA} can oppose\\: ≈ 2.5 hits." in attacked.text
        defended = await swim.presses(swim.bob, f"{ONDRA}: Physical Defense", "d6:5")

        assert [one.how for one in defended.sent] == ["edit"]
        assert defended.text.startswith(f"**{SABLE}** attacks {ONDRA}")
        assert (
            f" · ~~3 dice to stop~~ **2 hits**\n**{ONDRA}** defends with Physical Defense\n" in defended.text
        )
        assert defended.text.count(SABLE) == 1
        assert "may oppose" not in defended.text
        assert defended.labels == ["Details", "Undo", "Again"]
        assert len(swim.messages) == 1

    async def test_an_undo_of_the_defence_lets_it_be_opposed_again(self, swim: Play) -> None:
        attacked = await swim.types(
            swim.alice, "/swim attack", "d6:6 d6:2 d6:6", skill="Basic Melee", targets=ONDRA
        )
        await swim.presses(swim.bob, f"{ONDRA}: don't oppose")
        undone = await swim.presses(swim.gwen, "Undo")

        assert undone.text == attacked.text
        assert undone.labels == attacked.labels


class TestPostMagicMaid:
    async def test_buttons_of_a_turn_stand_on_its_newest_message_and_go_with_it(self, maid: Play) -> None:
        async def offered() -> list[list[str]]:
            await maid.sees_the_undone()
            kinds = ("Join", "Draw", "Who goes", "Several", "Blitz", "End turn")
            return [
                [one for one in kinds for full in message.controls if full.startswith(one)]
                for message in maid.messages
            ]

        await maid.types(maid.alice, "/encounter start", others=BRAM)
        assert await offered() == [["Join", "Draw"]]
        await maid.types(maid.gwen, "/encounter next")
        assert (await offered())[0] == ["Join"]
        for _ in range(2):
            await maid.types(maid.gwen, "/encounter next")
        assert (await offered())[-2:] == [[], ["Several", "Blitz", "End turn"]]
        await maid.types(maid.gwen, "/gm encounter end")
        assert [one for message in await offered() for one in message] == []

        await maid.types(maid.gwen, "/undo")
        assert (await offered())[-3] == ["Several", "Blitz", "End turn"]

    async def test_the_end_of_a_turn_can_be_pressed_where_an_older_message_is_still_seen(
        self, maid: Play
    ) -> None:
        await maid.types(maid.alice, "/encounter start", others=BRAM)
        for _ in range(2):
            turn = await maid.types(maid.gwen, "/encounter next")
        (older,) = (one.controls["End turn"] for one in turn.sent if "End turn" in one.controls)
        rolled = await maid.types(maid.alice, "/maid check", "d20:18 d12:9", first="Dex", second="Lck")
        assert "End turn" in rolled.labels
        await maid.sees_the_undone()
        assert [one for one in maid.messages if "End turn" in one.controls] == maid.messages[-1:]

        ended = await maid.desk.press(maid.alice, older)
        late = await maid.desk.press(maid.alice, older)

        assert [one.text for one in ended if f"ends the turn · **{BRAM} acts**" in one.text]
        assert [one.text for one in late if one.text.startswith("That has already been done.")]

    @pytest.mark.parametrize(("label", "fall"), [("Take the wound", ""), ("Bram: ", "")])
    async def test_a_defense_is_shown_under_the_attack(self, maid: Play, label: str, fall: str) -> None:
        attacked = await maid.types(
            maid.alice, "/maid attack", "d20:18 d12:9", target=BRAM, first="Dex", second="Lck", track="blunt"
        )
        assert f"{BRAM} can defend." in attacked.text
        met = await maid.presses(maid.bob, label, fall)

        assert [one.how for one in met.sent] == ["edit"]
        assert met.text.startswith(f"**{NETTLE}** attacks {BRAM}")
        assert "may defend" not in met.text
        assert len(maid.messages) == 1
