"""`python -m aigov_eval` is the command line."""

from aigov_eval.cli.main import main

if __name__ == "__main__":
    main()
