"""Run the command line with `python -m deadheat`."""

from deadheat.cli import main

if __name__ == "__main__":
    main()
