"""Numbers about many rows, each with an interval or with the reason why there is none."""

from jeval_core.stats.aggregates import Summary, by_group, summarise
from jeval_core.stats.correlation import Correlation, correlate
from jeval_core.stats.intervals import Interval, bootstrap_mean, mean_interval, rate_interval

__all__ = [
    "Correlation",
    "Interval",
    "Summary",
    "bootstrap_mean",
    "by_group",
    "correlate",
    "mean_interval",
    "rate_interval",
    "summarise",
]
