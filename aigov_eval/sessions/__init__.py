"""
Agent sessions: from an agent's own store to evaluation records, and on to the judges.

    store or export -> Session -> record -> transcript, checks, Vertex rows
                  (reader)   (record)

A reader knows one agent's files and gives `Session` values; everything after it knows no agent.
"""
