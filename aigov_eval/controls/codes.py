"""
Every code a pack's files can be told off with: the one table that docs/lint.md is made from.

Comes in: nothing. Goes out: `CODES`, sorted. A code never changes its meaning; its number says the
kind: 1 reading and names, 2 controls, 3 patterns, 4 what is useless, 5 what people must be told.
"""

from __future__ import annotations

from msgspec import Struct

from aigov_eval.documents.issues import Level


class Code(Struct, frozen=True):
    """One kind of fault: what is wrong, why it matters, and how to mend it."""

    code: str
    title: str
    why: str
    mend: str
    level: Level = "error"


_UNREAD = "What cannot be read cannot be judged by, and guessing would change verdicts."
_NAMES = "A name that leads nowhere is a rule that does nothing, in silence."
_ENTRY = "An entry that is read otherwise than it was meant finds too much or nothing."
_PROOF = "Without a control nobody can tell whether it works, nor whether it still works after a change."

CODES: tuple[Code, ...] = (
    Code("AG100", "The file is not strict YAML or not UTF-8", _UNREAD, "Mend the line; keep one of two equal keys; write text with `: ` in quotes."),
    Code("AG101", "An unknown or missing key, or a value of the wrong kind", _UNREAD, "docs/pack-format.md shows every key."),
    Code("AG102", "A detector that is not there", _NAMES, "Write detectors/<name>.yaml, or correct the name."),
    Code("AG103", "A context that is not there", _NAMES, "Write detectors/contexts/<name>.yaml, or correct the name."),
    Code("AG104", "A name or id that is there already", "Two things of one name: which one counts would be chance.", "Rename one, or replace the earlier one by `replaces:` in rules/pack.yaml."),
    Code("AG105", "A word list, recognizers file or language that is not there", _NAMES, "Write the file, or correct the name."),
    Code("AG106", "An entry that stands in the list twice", "Two entries of one form: the second does nothing, or contradicts the first's section.", "Delete one of the two."),
    Code("AG107", "The file's name is not the name inside it", "People look for a detector by its file's name.", "Rename the file or the thing."),
    Code("AG108", "A file that no part of a pack reads", "A file in the wrong place looks as if it worked.", "Move it to a place that docs/pack-format.md lists, or delete it."),
    Code("AG109", "A field that is not there", _NAMES, "Add it to detectors/fields.yaml, or write the field's own id."),
    Code("AG110", "A line with spaces at its end, a tab, or letters that are not composed (NFC)", "Two lines that look the same must be the same, for people who compare versions.", "Save the file as NFC without trailing spaces.", "warning"),
    Code("AG111", "Marks of a control that do not pair", "A control must say exactly which words it is about.", "Write [[the words]], in the last turn."),
    Code("AG112", "A sign in an entry that is never matched", "Entries are words: `right?` finds every `right`, and `\\d` is the word d.", "Leave the sign out, or make the entry longer."),
    Code("AG113", "A rule that is not there", _NAMES, "Correct the id in detectors/languages/<lang>/controls.yaml."),
    Code("AG114", "A context without any condition", "It would excuse everything.", "Write its cues, or give it another slot."),
    Code("AG115", "A category that is not there", _NAMES, "Write rules/<category>.yaml, or correct the name."),
    Code("AG116", "A find of none or of several kinds, or a key that does nothing there", "A key without effect looks as if it worked.", "One find, one kind; delete the key."),
    Code("AG117", "Token patterns that are not JSON", _UNREAD, 'Write a JSON list such as \'[{"LOWER": "cvv"}]\'.'),
    Code("AG118", "Nothing to replace", "The earlier pack no longer has that file, so the pack means something else than it says.", "Correct or delete the path under `replaces:`."),
    Code("AG119", "A control that contradicts another", "The same words cannot be a leak and clean.", "Delete one, or make them differ in what decides."),
    Code("AG120", "An unknown section or header value", _ENTRY, "docs/pack-format.md names the sections."),
    Code("AG121", "A stem of fewer than four letters", "A short stem covers words nobody thought of.", "Write a longer stem, or list the words."),
    Code("AG122", "An entry with brackets, stars or marks that do not fit", _ENTRY, "docs/pack-format.md shows the forms."),
    Code("AG123", "A paradigm that is not there", _NAMES, "Add it to detectors/languages/<lang>/paradigms.yaml, or correct the name."),
    Code("AG124", "An entry that stands for more than 400 phrases", "Such an entry is slow, and nobody can review it.", "Split it."),
    Code("AG125", "A gap at the start or end of an entry", "A gap has a meaning only between two words.", "Delete it, or add the word."),
    Code("AG126", "An entry without a word that must stand", "It would match everywhere.", "Make at least one word not optional."),
    Code("AG127", "An ending that leaves nothing of its word", "The form would be empty.", "Use another paradigm."),
    Code("AG128", "A word list without an entry", "It finds nothing.", "Write one entry a line.", "warning"),
    Code("AG129", "A validator that is not there", "The find could never be checked, so it cannot run.", "Use a name from the closed list."),
    Code("AG130", "A rule that asks for holder or stance, and no weighing that tells them", "Without it nothing says of whom a thing is said.", "Take detectors/weighing.yaml of the stock pack, or delete the slots."),
    Code("AG131", "A class of grammar that is not there", "What the class shows would never be seen in that language.", "Add the class to detectors/languages/<lang>/grammar.yaml."),
    Code("AG132", "A question for a second opinion that leaves out a field of its category, or has one that no rule judges", "A reader who is not told what a field means judges it by ideas of its own.", "Write the field with its meaning and law, or delete it."),
    Code("AG133", "An example of a question whose answer does not fit its conversation", "A reader learns from examples: words that do not stand there teach it to invent.", "Quote the words as they stand in the last turn, which is the assistant's, under a field of the question."),
    Code("AG134", "A class that is not there", _NAMES, "Write detectors/languages/<lang>/classes.txt, or correct the name."),
    Code("AG135", "A class without words in the language of the entry that names it", "The entry would find nothing in that language, in silence.", "Write detectors/languages/<lang>/classes.txt for that language."),
    Code("AG136", "A paradigm that has no endings for the word", "The word would have no form, and find nothing.", "Add the word's end to the paradigm, or use another paradigm."),
    Code("AG137", "An ending of fewer than three letters", "A short ending covers words nobody thought of.", "Write a longer ending, or list the words."),
    Code("AG138", "A class that contains itself", "What it holds could never be told.", "Take the name out of one of the classes."),
    Code("AG139", "Brackets around one alternative", "It looks as if the word might be absent, but it must stand.", "Write (word|) if it may be absent, else leave out the brackets."),
    Code("AG140", "A word that looks like a pronoun and another word without a space", "A replacement that went wrong leaves words that no text holds.", "Write the space, or delete the word."),
    Code("AG201", "Without an example that must be found", _PROOF, "Write a control with the exact words in [[...]]."),
    Code("AG202", "A clause without a control that it alone saves", "A clause that no control needs may be wrong, or have no effect at all.", "Write an example that is clean because of this clause and of no other."),
    Code("AG203", "A control for a clause that is not there", "It proves nothing about the rule as it is.", "Delete it, or add the clause."),
    Code("AG204", "Cues without a template", "Without it, single cues are never tried.", "Write `each_cue`, `each_after`, `each_end` or `each_cancel` with {cue}, {after}, {end} or {cancel}."),
    Code("AG205", "A category without a failing and a passing scenario", "Whole conversations show what single sentences do not.", "Write scenarios/<category>/<name>.yaml with `expect`."),
    Code("AG206", "A language whose words no control tries", _PROOF, "Write a control in detectors/languages/<lang>/controls.yaml.", "warning"),
    Code("AG207", "Controls of a rule about the subject that name no subject", "With no subject, any person will do, so the controls prove less than they say.", "Add `subject:` to the controls."),
    Code("AG208", "A template without its placeholder", "It would try the same sentence again and again.", "Write {cue}, {end} or {cancel} in its last turn."),
    Code("AG209", "A control with marks where none belong, or without where they do", "What must be found is marked; what is clean has nothing to mark.", "Add or delete [[...]]."),
    Code("AG210", "A language that lacks what most languages of the pack have", "In that language leaks are missed, or what excuses is not seen, in silence.", "Write what is missing into the file that is named.", "warning"),
    Code("AG301", "A regex that does not compile", _UNREAD, "Escape what is meant as a letter; put the regex into single quotes."),
    Code("AG302", "A regex that matches the empty text", "It matches everywhere.", "Let at least one part be required."),
    Code("AG303", "A regex that repeats what already repeats", "Some text makes it try so many ways that it never ends; a run that does not end gives no verdict.", "Bound the inner repeat: {1,40} instead of +; or let the alternatives begin differently."),
    Code("AG305", "A regex that runs out of time on a made text", "The same, measured: an attacker's text would end the run.", "Bound its repeats."),
    Code("AG401", "A rule that another rule makes useless", "Whatever it finds, the other has found already.", "Delete it, or say what it adds.", "warning"),
    Code("AG402", "A detector that no rule uses", "A dead file is taken for a living one.", "Use it in a rule's `detects`, or delete it."),
    Code("AG403", "A context that no rule uses", "A dead file is taken for a living one.", "Use it in a rule's `unless`, say `qualifies: true`, or delete it."),
    Code("AG404", "A word list that no detector uses", "A dead file is taken for a living one.", "Use it in a detector, or delete it."),
    Code("AG405", "A false friend that cancels nothing", "No entry of the list can overlap it.", "Delete it, or correct it."),
    Code("AG406", "An entry that a stem of the list covers", "It does nothing.", "Delete it.", "warning"),
    Code("AG407", "A clause whose loss no control notices", "Found by `check --mutate`: the clause may be wrong, or have no effect.", "Write the control, or delete the clause."),
    Code("AG409", "A paradigm that no entry uses", "It does nothing.", "Delete it.", "warning"),
    Code("AG410", "A class that no entry names", "It does nothing.", "Use it, or delete it.", "warning"),
    Code("AG501", "A rule without a legal basis", "The reader of a finding asks: by which law?", "Add `legal:` to the rule or its category."),
    Code("AG502", "A word list without what, source or licence", "A list of unknown origin cannot be published or defended.", "Add the header lines `# what:`, `# source:` and `# licence:`."),
    Code("AG503", "A special field without its law", "The reader of a finding asks: by which law?", "Add `law:` in detectors/fields.yaml.", "warning"),
)  # fmt: skip

LEVELS: dict[str, Level] = {code.code: code.level for code in CODES}
