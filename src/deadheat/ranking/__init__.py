"""Many systems at once, from one set of shared resamples: max-t, rank sets, bands, letters.

Everything starts from `draws.Draws`: the estimates of m systems and what they would have been on
R resamples, the same resamples for all. No function holds (resample, pair) at once.
"""
