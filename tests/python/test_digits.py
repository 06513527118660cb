"""Analysis of the digits of published numbers: three papers, random digits, contradictions, and wrong input."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from ackclock.cli.main import main
from ackclock.errors import UserError
from ackclock.readings import digits
from ackclock.readings.published import parse
from ackclock.readings.whole import fits

HERIYANTO = """\
quantity,value,unit,flow.*.tcp.variant
throughput,1.82447,Mb/s,westwood+
throughput,1.82426,Mb/s,newreno
loss,0.0391527,%,westwood+
delay,160.899,ms,westwood+
jitter,2.310563,ms,newreno
duration,60,s,
packet size,1024,B,
link rate,5,Mb/s,
"""

MAULANA = """\
quantity,value,unit,flow.*.tcp.variant
throughput,1033.34,kb/s,newreno
packets,4594,,newreno
delay,4864.21,ms,newreno
rtt,< 0.6,s,newreno
throughput,912.624,kb/s,vegas
packets,4161,,vegas
delay,4768.66,ms,vegas
rtt,< 0.2,s,vegas
duration,6,s,
duration,60,s,
packet size,1500,B,
window,20,packets,
flows,2,,
"""

ABADIN = """\
quantity,value,unit,flow,flow.*.tcp.variant
throughput,34325.75,bytes/s,sum,tahoe
throughput,35159.09,bytes/s,sum,reno
throughput,35469.69,bytes/s,sum,newreno
throughput,35462.12,bytes/s,sum,sack
throughput,36969.69,bytes/s,sum,vegas
"""


def told(text: str, kind: str) -> list[dict[str, object]]:
    return [dict(one.values) for one in digits(parse(text)) if one.kind == kind]


def test_heriyanto_has_segments_of_536_bytes_over_60_s() -> None:
    (whole,) = told(HERIYANTO, "whole packets")
    assert (whole["size"], whole["duration_s"], whole["packets"]) == (536, 60.0, [25529, 25526])
    assert told(HERIYANTO, "small ratio")[0]["lost"] == 10
    assert told(HERIYANTO, "counts agree") == [{"packets": 25529, "lost": 10, "rest": 2}]
    assert told(HERIYANTO, "serialisation")[0]["near_bps"] == 2e6


def test_maulana_counts_54_75_s_and_a_header_of_40_bytes_in_one_row() -> None:
    interval, start = told(MAULANA, "interval")
    assert interval["interval_s"] == pytest.approx(54.75, abs=0.02)
    assert interval["sizes"] == [1540, 1500]
    assert start["start_s"] == pytest.approx(5.25, abs=0.02)
    said = [one.text for one in digits(parse(MAULANA)) if one.kind == "contradiction"]
    assert any("6 s is shorter" in one for one in said)
    assert sum("cannot exceed the round trip" in one for one in said) == 2
    assert sum("allow 40 packets" in one for one in said) == 2


def test_abadin_has_packets_of_1000_bytes_over_132_s_though_neither_is_stated() -> None:
    (whole,) = told(ABADIN, "whole packets")
    assert (whole["size"], whole["duration_s"]) == (1000, 132.0)
    assert whole["packets"] == [4531, 4641, 4682, 4681, 4880]


def test_random_digits_fit_as_often_as_is_said() -> None:
    """The expected number of fits by chance is the mean number of fits of random rates."""
    draw = random.Random(5)
    found, expected = 0, 0.0
    for _ in range(1500):
        rates = [(draw.uniform(1e6, 2e6), 5.0) for _ in range(2)]
        some, said = fits(rates, [512, 536, 1000, 1460], [23.0, 60.0])
        found += len(some)
        expected += said
    assert expected > 100
    assert abs(found - expected) < 4 * expected**0.5


def test_numbers_with_few_digits_tell_nothing() -> None:
    found = digits(parse("quantity,value,unit\nthroughput,1.8,Mb/s\nloss,5,%\nduration,60,s\n"))
    assert [one.kind for one in found] == ["whole packets"]
    assert "too few digits" in found[0].text


def test_numbers_that_agree_are_not_called_contradictions() -> None:
    text = (
        "quantity,value,unit\nthroughput,1.2,Mb/s\npackets,6000,\ndrops,60,\nloss,0.990,%\ndelay,20,ms\nrtt,50,ms\n"
        "duration,60,s\npacket size,1500,B\nlink rate,2,Mb/s\nwindow,20,packets\n"
    )
    assert not told(text, "contradiction")
    assert not told("quantity,value,unit\nloss,0,%\nutilisation,100,%\nfairness,1.00,\n", "contradiction")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("throughput,3,Mb/s", "exceeds the stated link rate"),
        ("loss,120,%", "not between 0 and 1"),
        ("loss,-2,%", "not between 0 and 1"),
        ("fairness,1.2,", "not between 0 and 1"),
    ],
)
def test_an_impossible_number_is_a_contradiction(row: str, said: str) -> None:
    found = digits(parse(f"quantity,value,unit\n{row}\nlink rate,2,Mb/s\n"))
    assert [one.kind for one in found if said in one.text] == ["contradiction"]


def test_a_loss_must_be_that_of_its_counts() -> None:
    rows = "quantity,value,unit\npackets,6000,\ndrops,60,\nloss,{},%\n"
    assert told(rows.format("1.00"), "contradiction") == []
    assert len(told(rows.format("2.00"), "contradiction")) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("value,unit\n1,s\n", "no column quantity"),
        ("quantity,value,unit\nthroughputt,1,Mb/s\n", "did you mean throughput?"),
        ("quantity,value,unit\nthroughput,1,Mbs\n", "did you mean Mbps?"),
        ("quantity,value,unit\nthroughput,1,\n", "a unit is missing"),
        ("quantity,value,unit\nthroughput,about 2,Mb/s\n", "is no number"),
        ("quantity,value,unit\nthroughput,2Mb/s,Mb/s\n", "put the unit into the column unit"),
        ("quantity,value,unit\npackets,25 529,\n", "without separators of thousands"),
        ("quantity,value,unit,colour\nthroughput,1,Mb/s,x\n", "neither one of these nor a path"),
        ("quantity,value,unit,runs\nthroughput,1,Mb/s,0\n", "not a whole number of at least 1"),
        ("quantity,value,unit\n", "has no numbers"),
        ("quantity,value\nloss,1,2\n", "3 cells under 2 columns"),
        ("quantity,value,value\nloss,1,2\n", "is there twice"),
    ],
)
def test_wrong_input_is_explained(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said.replace("?", r"\?")):
        parse(text)


def test_the_digits_of_a_value_are_its_precision() -> None:
    numbers = parse(
        "quantity,value,unit\nthroughput,1.82447,Mb/s\npackets,4594,\nrtt,< 0.6,s\nloss,5e-3,\n"
    ).numbers
    assert [one.half for one in numbers] == pytest.approx([5e-6, 0.5, 0.05, 5e-4])
    assert numbers[0].base == pytest.approx(1824470)
    assert [one.bound for one in numbers] == ["", "", "<", ""]


def test_the_verb_prints_sentences_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "published.csv"
    file.write_text(HERIYANTO)
    assert main(["digits", str(file)]) == 0
    assert "25529 and 25526" in " ".join(capsys.readouterr().out.split())
    assert main(["digits", str(file), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["findings"][0]["values"]["size"] == 536
    assert main(["digits", str(tmp_path / "missing.csv")]) == 2
