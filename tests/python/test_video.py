"""Video: EvalVid's traces as input and output, and the delivery of frames over UDP and TCP."""

from __future__ import annotations

import pytest

import ackclock as ac

TRACE = """\
# number kind size packets time
1\tH\t29\t1\t0.000
2\tI\t3036\t3\t0.000
3\tP\t659\t1\t0.040
4\tB\t357\t1\t0.080
5\tB\t374\t1\t0.120
"""


def network(folder, **traffic):
    """Return a run of one video over a path with a loss rate of 2 %."""
    net = ac.Network()
    net.link("a", "b", rate="2Mbps", delay="20ms", loss={"kind": "random", "rate": 0.02, "toward": "b"})
    variant = "newreno" if traffic.get("transport") == "tcp" else None
    net.flow("a", "b", name="film", variant=variant, traffic={"kind": "video", **traffic}, stop="25s")
    return net.run("30s", seed=5)


def test_a_trace_is_read_and_written(tmp_path, monkeypatch):
    (tmp_path / "film.txt").write_text(TRACE)
    monkeypatch.chdir(tmp_path)
    run = network(tmp_path, trace="film.txt", repeat="160ms")
    # After loading, the scenario contains the frames themselves.
    assert run.scenario.document()["flow"][0]["traffic"]["frames"].startswith(
        "H29/1@0 I3036/3@0 P659/1@40000"
    )
    run.save(tmp_path / "out", traces=["evalvid"])
    video = [line.split() for line in (tmp_path / "out" / "film-video.txt").read_text().splitlines()]
    assert video[:2] == [["1", "H", "29", "1", "0.000000"], ["2", "I", "3036", "3", "0.000000"]]
    assert video[5] == ["6", "H", "29", "1", "0.160000"]
    sent = [line.split() for line in (tmp_path / "out" / "film-sent.txt").read_text().splitlines()]
    received = [line.split() for line in (tmp_path / "out" / "film-received.txt").read_text().splitlines()]
    assert sent[1][1:] == ["id", "2", "udp", "1040"]
    everything = run.video.to_polars().filter(frames_of="all").to_dicts()[0]
    assert len(sent) == everything["packets"]
    assert len(sent) - len(received) == everything["undelivered_packets"]
    # The mean delay computed from EvalVid's traces equals the one in the table.
    began = {line[2]: float(line[0]) for line in sent}
    delays = [float(line[0]) - began[line[2]] for line in received]
    assert sum(delays) / len(delays) == pytest.approx(everything["packet_delay_mean_s"], abs=2e-6)
    # Reading the written trace gives the same frames.
    again = network(tmp_path, trace="out/film-video.txt")
    assert [row["frames"] for row in again.video.to_polars().to_dicts()] == [
        row["frames"] for row in run.video.to_polars().to_dicts()
    ]


def test_udp_loses_frames_and_tcp_delays_them(tmp_path):
    udp = {row["frames_of"]: row for row in network(tmp_path).video.to_polars().to_dicts()}
    tcp = {row["frames_of"]: row for row in network(tmp_path, transport="tcp").video.to_polars().to_dicts()}
    assert list(udp) == list(tcp) == ["I", "P", "B", "all"]
    assert udp["all"]["frames"] == tcp["all"]["frames"] == 750
    assert udp["all"]["frame_loss_ratio"] > 0.02
    assert udp["all"]["decodable_frames"] < udp["all"]["complete_frames"]
    assert tcp["all"]["decodable_ratio"] == 1
    assert tcp["all"]["frame_delay_max_s"] > 2 * udp["all"]["frame_delay_max_s"]
    assert udp["all"]["psnr_mean_db"] < tcp["all"]["psnr_mean_db"] == pytest.approx(35)
    assert udp["all"]["mos_mean"] < tcp["all"]["mos_mean"] == 4


def test_a_broken_trace_is_named_by_its_line(tmp_path, monkeypatch):
    (tmp_path / "film.txt").write_text(TRACE.replace("659", "x"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ac.ScenarioError, match=r"film.txt, line 4: no x bytes in 1 packets"):
        network(tmp_path, trace="film.txt")
