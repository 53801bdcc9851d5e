"""Reads the action out of a model's reply, as Agoge's formats `react` and `direct` do. Standard library only."""

import re


def without_thinking(reply):
    """The reply without the model's private thinking; a block that never ends swallows the rest."""
    return re.sub(r"\A[\s\S]*</think>", "", re.sub(r"<think>[\s\S]*?(</think>|\Z)", "", reply))


def read_reply(reply, form="react", brackets=()):
    """(action, None), or (None, what the agent is told). `brackets`: names of actions that are written name[argument]."""
    return _react(reply, brackets) if form == "react" else _direct(reply, brackets)


def _direct(reply, brackets):
    text = re.sub(r"\A>\s*", "", without_thinking(reply).strip())
    action = text if _is_bracketed(text, brackets) else (_bracketed(text, brackets, -1) or text)
    return (action, None) if action else (None, "Your reply is empty. Reply with an action.")


def _react(reply, brackets):
    text = without_thinking(reply)
    markers = list(re.finditer(r"(^|\n)[ \t]*\**action\**:\**", text, re.IGNORECASE))
    if not markers:
        fences = re.findall(r"```[a-z]*\n([\s\S]*?)```", text, re.IGNORECASE)
        if len(fences) == 1 and fences[0].strip():
            return fences[0].strip(), None
        bare = _bracketed(text, brackets, -1)
        if bare is not None:
            return bare, None
        return None, 'There is no "Action:" in your reply. Give a thought, then one line "Action:" followed by your action.'
    if len(markers) > 1:
        return None, 'There are several actions in your reply. Give exactly one "Action:" per reply.'
    after = text[markers[0].end() :]
    line = _action_text(after)
    action = line if _is_bracketed(line, brackets) else (_bracketed(after, brackets, 0) or line)
    if not action:
        return None, 'The "Action:" in your reply is empty. Write the action after it.'
    return action, None


def _action_text(text):
    fence = re.match(r"\s*```[a-z]*\n([\s\S]*?)(```|\Z)", text, re.IGNORECASE)
    if fence:
        return fence.group(1).strip()
    line = next((line.strip() for line in text.split("\n") if line.strip()), "")
    line = re.sub(r"\A\[\[\s*([\s\S]*?)\s*\]\]\Z", r"\1", line)
    line = re.sub(r"\A`([^`]*)`\Z", r"\1", line)
    return re.sub(r"\A>\s*", "", line).strip()


def _bracketed(text, brackets, which):
    if not brackets:
        return None
    found = list(re.finditer(r"\b(%s)\[([^\[\]\n]*)\]" % "|".join(brackets), text, re.IGNORECASE))
    return "%s[%s]" % (found[which].group(1).lower(), found[which].group(2)) if found else None


def _is_bracketed(text, brackets):
    return any(text.startswith(name + "[") and text.endswith("]") and text.count(name + "[") == 1 for name in brackets)
