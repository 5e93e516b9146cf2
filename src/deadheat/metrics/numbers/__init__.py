"""What the metrics of numbers share: checks, ranks and whether anything varies."""
