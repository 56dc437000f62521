"""What is so in every shootout, whatever is chosen and however the dice fall."""

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.rules.rpj.combat.played.shootout import SCALED, cover, fight, shootout
from tests.rules.rpj.combat.played.test_any_fight import assert_whole, press_something
from tests.rules.rpj.table import GameTable

STEPS = 40


def _is_kept(table: GameTable) -> None:
    """What is so of ammunition, cover and overwatch at every moment."""
    for name in ("Laeniel", "Ug", "Ogre"):
        for had in table.named(name).sheet.ammunition.values():
            assert 0 <= had.loaded <= 4
    kept = fight(table)
    groups = [group for placed in kept.covers for group in placed.groups]
    for one in kept.present:
        assert one.group not in groups or kept.covers_of(one)
        assert not one.under_fire.is_cowering or kept.covers_of(one)
        assert not one.under_fire.is_reoriented or kept.covers_of(one)
        assert all(placed.region == one.region for placed in kept.covers_of(one))


@settings(
    max_examples=12,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # making such a fight shorter takes minutes
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_a_shootout_stays_consistent_whatever_is_pressed(data: st.DataObject) -> None:
    table = shootout(settings=SCALED, laeniel={"belongings": ("rocket_launcher", "pistol")})
    table.do("GM", "fight.mooks", name="Drone", count=3, region="2", range=3, damage_scale="giga")
    table.do("GM", "fight.mooks", name="Suit", count=2, region="2", range=2, side="players", scale="mega")
    table.do("GM", "fire.cover", what="car", region="2")
    cover(table, "Ogre", "wall")
    cover(table, "Ug", "bush")
    for _ in range(STEPS):
        press_something(table, data)
        assert_whole(table)
        _is_kept(table)
