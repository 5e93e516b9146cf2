"""What the metrics of texts share: words, n-grams, edits and the work on many texts."""
