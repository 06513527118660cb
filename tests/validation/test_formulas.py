import pytest

from ackclock import theory as formulas


def test_mathis_constant_is_the_papers() -> None:
    # Mathis et al. 1997 print 1.31; Ott, Kemperman and Mathis 1996 give 1.3098.
    assert formulas.mathis_constant_random() == pytest.approx(1.3098, abs=5e-5)


def test_recovery_costs_mathis_a_share_of_order_one_over_the_window() -> None:
    plain = formulas.mathis(0.01, 0.1, constant=1.31)
    # A cycle of 1/p = 100 segments has 1 / (1.31 * 0.1) = 7.63 round trips of growth, and one round trip of recovery.
    assert plain == pytest.approx(131.0)
    assert formulas.mathis_with_recovery(0.01, 0.1, constant=1.31) == pytest.approx(
        100 / (1 / 0.131 + 1) / 0.1
    )


def test_pftk_tends_to_mathis_with_regular_losses() -> None:
    p = 1e-8
    assert formulas.pftk(p, 0.1, 0.2) == pytest.approx(formulas.mathis(p, 0.1, constant=1.5**0.5), rel=2e-3)


def test_pftk_by_hand() -> None:
    # With p = 0.1 and b = 1, E[W] = 1 + sqrt(24 + 1) = 6 and Q = min(1, 0.271 (1 + 0.729 * 0.271) / 0.468559). The rate
    # is (9 + 6 + Q / 0.9) / (0.1 * 4 + Q f * 0.2 / 0.9).
    backoff = 1 + 0.1 + 0.02 + 0.004 + 0.0008 + 0.00016 + 0.000032
    lost = 0.271 * (1 + 0.729 * 0.271) / (1 - 0.9**6)
    expected = (9 + 6 + lost / 0.9) / (0.1 * 4 + lost * backoff * 0.2 / 0.9)
    assert formulas.pftk(0.1, 0.1, 0.2) == pytest.approx(expected, rel=1e-12)


def test_md1_at_half_load_waits_half_a_service_time() -> None:
    assert formulas.md1_wait(0.5, 8e-5) == pytest.approx(4e-5)
