"""An application that writes to TCP over time sends the same packets in ackclock and ns-2."""

import pytest

from validation import ns2, writes

pytestmark = pytest.mark.skipif(not ns2.available(), reason="ns-2 is not installed")


@pytest.mark.parametrize(
    "case",
    [
        writes.case(drops=(30, 90, 91, 200)),
        writes.case(write=2500),
        writes.case(cbr_kbps=1500.0, queue=8, decrease=0.1),
        writes.case(cbr_kbps=950.0, drops=tuple(range(37, 2000, 97)), decrease=0.9),
    ],
    ids=["below the rate", "padded writes", "queue overflows, k = 0.1", "losses, k = 0.9"],
)
def test_every_packet_is_ns2s(case: ns2.Dumbbell) -> None:
    events, difference = writes.compare(case)
    assert events > 4000
    assert difference is None, difference.report()
