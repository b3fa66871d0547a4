"""References of SEP: `$name` in the parameters of an action, in a response, and in the params of a feed's source.

Python 3.8 or newer, standard library only.

    >>> known = {'sum': 8, 'who': 'Ann'}
    >>> look_up = lambda name: (name in known, known.get(name))
    >>> filled({'whole': '$sum', 'part': '$who has $sum of $cost', 'plain': '$$sum'}, look_up, lambda name: '$' + name)
    {'whole': 8, 'part': 'Ann has 8 of $cost', 'plain': '$sum'}
"""
import html
import json
import re

NAME = re.compile(r'[A-Za-z_]\w*', re.ASCII)
REFERENCE = re.compile(r'\$\$([A-Za-z_]\w*)|\$([A-Za-z_]\w*)', re.ASCII)


def filled(value, look_up, missing):
    """A value with the values of its references. Keys stay; what is put in is not read again.

    `look_up` gives a pair: whether a name has a value, and the value. `missing` gives the text for a name without one.
    """
    if isinstance(value, dict):
        return {key: filled(one, look_up, missing) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, look_up, missing) for one in value]
    if not isinstance(value, str):
        return value
    whole = REFERENCE.fullmatch(value)
    if whole and whole.group(2):
        known, found = look_up(whole.group(2))
        return found if known else missing(whole.group(2))
    return filled_text(value, look_up, missing)


def filled_text(text, look_up, missing):
    """A text with the texts of its references."""
    def put(found):
        if found.group(1):
            return '$' + found.group(1)
        known, value = look_up(found.group(2))
        return text_of(value) if known else missing(found.group(2))
    return REFERENCE.sub(put, text)


def text_of(value):
    """A text as it is; any other value as compact JSON."""
    return value if isinstance(value, str) else json.dumps(value, separators=(',', ':'), ensure_ascii=False)


def escaped(text):
    return html.escape(text, quote=False).replace('"', '&quot;')


def names_in(value):
    """The names of the references in a value."""
    if isinstance(value, dict):
        return [name for one in value.values() for name in names_in(one)]
    if isinstance(value, list):
        return [name for one in value for name in names_in(one)]
    return [found.group(2) for found in REFERENCE.finditer(value) if found.group(2)] if isinstance(value, str) else []


def in_cycles(waits):
    """Those that wait for themselves, of a dict of names: for each, the names for which it waits."""
    def reached(start):
        seen, left = set(), list(waits[start])
        while left:
            one = left.pop()
            if one in waits and one not in seen:
                seen.add(one)
                left += waits[one]
        return seen
    return [one for one in waits if one in reached(one)]
