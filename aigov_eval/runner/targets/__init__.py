"""What can be asked: scripted, mock, http, openai, anthropic, and a Python callable; one module each."""
