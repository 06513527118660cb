"""Runs many environments in parallel on threads of this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import gymnasium
from gymnasium.vector import SyncVectorEnv
from gymnasium.vector.utils import iterate


class _Ahead(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Wrapper that can start an environment's next step on another thread."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self._begun: Future[Any] | None = None
        self._over = False

    def begin(self, pool: ThreadPoolExecutor, action: Any) -> None:
        # An episode that is over will be reset instead.
        if not self._over:
            self._begun = pool.submit(self.env.step, action)

    def step(self, action: Any) -> Any:
        begun, self._begun = self._begun, None
        result = begun.result() if begun is not None else self.env.step(action)
        self._over = result[2] or result[3]
        return result

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self._over = False
        return self.env.reset(seed=seed, options=options)


class ThreadVectorEnv(SyncVectorEnv):
    """Vector of environments, stepped in parallel on threads of this process, since simulations release the GIL.

    Results equal those of ``gymnasium.vector.SyncVectorEnv``, regardless of the number of threads.
    """

    def __init__(
        self,
        env_fns: Sequence[Callable[[], gymnasium.Env[Any, Any]]],
        *,
        threads: int = 0,
        **more: Any,
    ) -> None:
        """Make the environments; 0 `threads` means one per core, and `more` are arguments of ``SyncVectorEnv``."""
        super().__init__([lambda make=make: _Ahead(make()) for make in env_fns], **more)
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1, "ackclock-gym")

    def step(self, actions: Any) -> Any:
        """Step all environments in parallel."""
        for env, action in zip(self.envs, iterate(self.action_space, actions), strict=True):
            assert isinstance(env, _Ahead)
            env.begin(self._pool, action)
        return super().step(actions)

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads."""
        self._pool.shutdown()
        super().close_extras(**kwargs)
