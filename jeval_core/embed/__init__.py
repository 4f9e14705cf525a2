"""Encoders: texts to vectors of length 1, so that a dot product is a cosine."""
