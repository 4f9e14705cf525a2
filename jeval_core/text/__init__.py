"""Tokenizers and the frozen character table behind them."""
