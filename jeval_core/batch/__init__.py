"""Many rows at once: a compiled kernel over text columns, the evaluators' own formulas over its counts.

`frame.evaluate_frame` is the door for data frames, `engine.score_columns` the one for Arrow columns.
"""
