"""Registers the environment with Gymnasium."""

ID = "ackclock/CongestionControl-v0"
"""The environment's name in Gymnasium."""


def register() -> None:
    """Register the environment if Gymnasium is installed; importing `ackclock.gym` calls this."""
    try:
        from gymnasium.envs.registration import register as known
        from gymnasium.envs.registration import registry
    except ModuleNotFoundError:
        return
    if ID not in registry:
        known(id=ID, entry_point="ackclock.gym.environment:CongestionControlEnv")
