"""The environment's name in Gymnasium."""

ID = "ackclock/CongestionControl-v0"
"""The environment's name in Gymnasium."""


def register() -> None:
    """Make the environment known to Gymnasium, if that is installed; importing this package does it."""
    try:
        from gymnasium.envs.registration import register as known
        from gymnasium.envs.registration import registry
    except ModuleNotFoundError:
        return
    if ID not in registry:
        known(id=ID, entry_point="ackclock.gym.environment:CongestionControlEnv")
