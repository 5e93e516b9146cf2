"""What the metrics of labels share: their codes, which of them count, and how often."""
