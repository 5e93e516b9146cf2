"""What the metrics of spans share: reading spans and counting those that agree."""
