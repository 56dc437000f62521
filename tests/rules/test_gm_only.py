"""What only a GM may do, in each ruleset: none of it becomes everybody's by mistake."""

import pytest

from bot.rules import rulesets

GAMES = rulesets()

ONLY_FOR_GMS = {
    "compare_roll": """
        add_difficulty add_item add_skill add_weapon approve award encounter.add encounter.end
        encounter.order encounter.reveal fate foe give long_rest look put_out rest.call rest.cancel
        set_stat
    """,
    "post_magic_maid": """
        activation allow_defence approve call clock contest encounter.add encounter.end
        encounter.order encounter.reveal grant magic mend rest.call rest.cancel verdict wound
    """,
    "rpj": """
        add_spell agree_wealth allow_detail allow_flashback ambush approve_opposed block_skill
        break_off change_class charge complicate complication condition.add condition.hold
        condition.make condition.remove cost critical crush deny_detail deny_flashback duel
        encounter.add encounter.end encounter.order encounter.reveal end_layer fight.doom fight.field
        fight.go_on fight.legend fight.legend_finish fight.legend_on fight.mode fight.mook_attack
        fight.mook_move fight.mooks fight.remove fight.reveal fight.side fight.spot fight.surprise
        fire.cover fire.resupply fire.uncover fit give_trait group group_close harm heal income
        instead invert lose_break market mass.aftermath mass.end mass.kills mass.let_command
        mass.let_contribute mass.retreat mass.round mass.side mass.start mass.surrender mass.works
        mishap month npc passive recipe.allow recipe.cost repair rest rest.call rest.cancel
        restore_break retry scale stand teach
    """,
    "swim_class": """
        add_skill add_synergy clock encounter.add encounter.end encounter.order encounter.reveal fall
        give harm mend preset rest.call rest.cancel resume round_passes set_rank set_state set_trait
        terrain waive
    """,
    "sword_and_swarm": """
        add_equipment add_obstacle add_proficiency attributes call encounter.add encounter.end
        encounter.order encounter.reveal give load ranks remove star take
    """,
}


@pytest.mark.parametrize("game", ONLY_FOR_GMS)
def test_only_a_gm_may_run_these_procedures(game: str) -> None:
    procedures = GAMES[game].procedures
    open_to_all = [key for key in ONLY_FOR_GMS[game].split() if not procedures[key].gm_only]

    assert open_to_all == []


def test_every_ruleset_is_covered() -> None:
    assert set(ONLY_FOR_GMS) == set(GAMES)
