"""Outlook: the coming round and those after it, from what is known now. May look into: signals and all below."""

from models.outlook.build import HORIZON, Outlook, build_outlook
from models.outlook.later import signals_ahead

__all__ = ["HORIZON", "Outlook", "build_outlook", "signals_ahead"]
