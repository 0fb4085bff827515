"""Did an AI assistant tell personal data to someone who should not have it?"""

__version__ = "0.1.0"
