"""Resampling on arrays: types, exact distributions, draws, exchanges and the jackknife."""
