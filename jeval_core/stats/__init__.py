"""Numbers about many rows, each with an interval or with the reason why there is none."""

from jeval_core.stats.aggregates import Summary, by_group, summarise
from jeval_core.stats.auc import Auc, auc
from jeval_core.stats.bins import Histogram, bin_rows, histogram
from jeval_core.stats.correlation import Correlation, agreements, correlate
from jeval_core.stats.gold import GoldAgreement, gold_agreement
from jeval_core.stats.intervals import Interval, bootstrap_mean, mean_interval, rate_interval
from jeval_core.stats.judged import (
    ChoiceAgreement,
    LevelAgreement,
    ReliabilityBin,
    YesNoAgreement,
    choice_agreement,
    guessed_scale,
    level_agreement,
    levels,
    pass_probability,
    pass_truth,
    yes_no_agreement,
)
from jeval_core.stats.power import Change, Detectable, detectable_change
from jeval_core.stats.thresholds import Curve, Reading, threshold_at, threshold_curve

__all__ = [
    "Auc",
    "Change",
    "ChoiceAgreement",
    "Correlation",
    "Curve",
    "Detectable",
    "GoldAgreement",
    "Histogram",
    "Interval",
    "LevelAgreement",
    "Reading",
    "ReliabilityBin",
    "Summary",
    "YesNoAgreement",
    "agreements",
    "auc",
    "bin_rows",
    "bootstrap_mean",
    "by_group",
    "choice_agreement",
    "correlate",
    "detectable_change",
    "gold_agreement",
    "guessed_scale",
    "histogram",
    "level_agreement",
    "levels",
    "mean_interval",
    "pass_probability",
    "pass_truth",
    "rate_interval",
    "summarise",
    "threshold_at",
    "threshold_curve",
    "yes_no_agreement",
]
