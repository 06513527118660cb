"""Workers of a Dask cluster, which may be lost, restart, and join while a sweep runs."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, Executor, Future
from typing import TYPE_CHECKING, Any

from ackclock.errors import UserError
from ackclock.executors.build import difference, here
from ackclock.executors.pool import WorkerPool, cores, refusal, without_main
from ackclock.executors.task import Item, Result, Task, packed_task, perform

if TYPE_CHECKING:
    from distributed import Client

INSTALL = "pip install 'ackclock[dask]'"
"""Command that installs Dask, for error messages."""

WAIT_S = 10.0
"""Maximum time for a scheduler to answer and to get its first worker, seconds."""

LOOPBACK = "127.0.0.1"
"""Address on which a cluster of ``dask:local`` listens; other machines cannot reach it."""

FROZEN_S = 60
"""Time without heartbeat after which a worker of ``dask:local`` counts as lost, seconds; Dask's default is 300 s."""

LOOK_S = 2.0
"""Minimum time between two queries of the number of workers, seconds."""


class Cluster(WorkerPool):
    """Pool of a Dask scheduler's workers; the scheduler itself repeats the work of lost workers."""

    def __init__(self, client: Client, executor: Executor | None = None, *, owned: bool = False) -> None:
        """Use a client, and its executor if one exists already; with `owned` the pool closes the client."""
        super().__init__(client.get_executor() if executor is None else executor, 0)
        self._client, self._owned = client, owned
        self._looked = -LOOK_S

    def check(self) -> None:
        """Wait for the first worker; raise `UserError` if any worker runs another version or build."""
        try:
            self._client.wait_for_workers(1, timeout=WAIT_S)
        except TimeoutError:
            address = self._client.scheduler.address
            raise UserError(
                f"the Dask scheduler at {address} has no workers\n  begin one: dask worker {address}"
            ) from None
        wrong = self._wrong(list(self._client.nthreads()))
        if wrong:
            raise UserError(refusal(wrong))

    def workers(self) -> int:
        """Return the current number of threads of all workers."""
        if time.monotonic() - self._looked > LOOK_S:
            known = self._client.nthreads()
            self._workers, self._looked = max(sum(known.values()), 1), time.monotonic()
        return self._workers

    def submit(self, task: Task[Item, Result], items: Sequence[Item]) -> Future[Any]:
        """Submit a batch to a worker; Dask must not merge equal batches."""
        executor: Any = self._executor
        submitted: Future[Any] = executor.submit(perform, here(), packed_task(task, items), pure=False)
        return submitted

    def renew(self, why: BaseException) -> None:
        """Raise `UserError` if the scheduler gave up after losing several workers; raise anything else as it is."""
        from distributed import KilledWorker

        if isinstance(why, KilledWorker):
            raise UserError(
                f"several workers ended, one after the other, while they carried out the same runs ({why})\n"
                "  look at the workers' logs; too little memory is the usual cause"
            ) from why
        if isinstance(why, CancelledError | OSError):
            raise UserError(
                "the Dask scheduler was lost, or it cancelled the runs\n"
                "  finished runs are kept: with a new scheduler the same command runs what is missing"
            ) from why
        raise why

    def close(self) -> None:
        """Close the client and a local cluster, if this pool owns them."""
        if self._owned:
            self._executor.shutdown(wait=False)
            cluster = self._client.cluster
            self._client.close()
            if cluster is not None:
                cluster.close()

    def _wrong(self, names: list[str]) -> list[tuple[str, str]]:
        """Return the workers that run another build of ackclock, each with the difference."""
        told = self._client.run(here, workers=names, on_error="return")
        found = []
        for name, build in told.items():
            why = (
                difference(here(), build)
                if isinstance(build, dict)
                else f"it has no ackclock of this kind ({build})"
            )
            if why is not None:
                found.append((name, why))
        return sorted(found)


def connected(where: str, workers: int) -> Cluster:
    """Return the pool of the scheduler at an address, or of a new cluster on this machine (``local``)."""
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError as why:
        raise UserError(f"--executor dask:{where} needs Dask, which is not installed\n  {INSTALL}") from why
    _silence()
    if where == "local":
        with without_main(), dask.config.set({"distributed.scheduler.worker-ttl": f"{FROZEN_S}s"}):
            made = LocalCluster(
                n_workers=workers or cores(),
                threads_per_worker=1,
                host=LOOPBACK,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
        return Cluster(Client(made), owned=True)
    try:
        return Cluster(Client(where, timeout=WAIT_S), owned=True)
    except (OSError, ValueError) as why:
        raise UserError(
            f"--executor dask:{where}: no scheduler answers there\n"
            "  wanted: the address that `dask scheduler` shows, for example dask:tcp://10.0.0.5:8786"
        ) from why


def _silence() -> None:
    """Silence Dask's logs about lost connections, since the final error reports the loss once."""
    logging.getLogger("distributed")
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


def of_client(executor: Executor) -> Cluster | None:
    """Return the pool of the cluster behind ``client.get_executor()``; None for any other executor."""
    if type(executor).__module__ != "distributed.cfexecutor":
        return None
    return Cluster(executor._client, executor)  # type: ignore[attr-defined]
