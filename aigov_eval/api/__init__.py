"""What the command line, the integrations and Python programs share: something given, judged as asked."""
