"""Estimates from claims: does a model fit, and what is the shortest time physics allows.

Nothing here ran. An estimate is a bound with its assumptions named, never a prediction.
"""

from kb.estimate.derived import Derived, derived_of
from kb.estimate.device import EstimateError, device_claim
from kb.estimate.fit import Demand, Fit, fit
from kb.estimate.roofline import Floor, Load, roofline

__all__ = [
    "Demand",
    "Derived",
    "EstimateError",
    "Fit",
    "Floor",
    "Load",
    "derived_of",
    "device_claim",
    "fit",
    "roofline",
]
