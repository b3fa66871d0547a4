"""A streaming parser of SEP, the Streaming Execution Protocol: the output of a model in, events out.

Python 3.8 or newer, standard library only. `feed` takes pieces of any size; `end` ends the output.

    >>> parser = Parser()
    >>> parser.feed('<thought>Hel') + parser.feed('lo</thought>') + parser.end()
    [{'type': 'thought', 'text': 'Hel'}, {'type': 'thought', 'text': 'lo'}]
"""
import json
import re

NAMES = ('thought', 'action', 'response', 'context_feed')
TYPES = ('tool', 'agent', 'relic', 'workflow', 'llm', 'internal')
MODES = ('sync', 'async', 'fire_and_forget')

# The tags that mean something in each place. Everything else is text there.
OPENS = {'text': NAMES, 'thought': ('thought', 'action'), 'response': ('action',), 'context_feed': ()}
CLOSES = {'text': NAMES, 'thought': ('thought',), 'response': ('response',), 'context_feed': ('context_feed',)}

VALUE = r'"[^"]*"|\'[^\']*\'|\[(?:"[^"]*"|\'[^\']*\'|[^\]"\'])*\]'
NAME = re.compile(r'<(\w+)(?=[\s/>])')
CLOSE = re.compile(r'</(\w+)\s*>')
LISTED = re.compile(r'"([^"]*)"|\'([^\']*)\'|([^,\s"\'][^,"\']*)')
ATTRIBUTE = re.compile(r'([^\s=/"\'<>]+)(?:\s*=\s*(' + VALUE + r'|[^\s"\'<>]+))?')
BODY_END = re.compile(r'</action\s*>')
MOST_TAG = 4096
NO_TAG = -1
# The characters of JSON outside of strings.
STRUCTURE = set('{}[]:,+-.0123456789eEtrufalsn \n\r\t')


def is_number(value):
    # In Python, True is a number.
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# The optional fields of a body, and whether a value fits.
FIELDS = {
    'output_key': lambda value: isinstance(value, str) and value != '',
    'timeout': lambda value: is_number(value) and value > 0,
    'retry': lambda value: is_number(value) and value >= 0 and value == int(value),
    'on_error': lambda value: value in ('skip', 'fail', 'retry'),
}


class Parser:
    """Parses one output. `ids` are those of earlier outputs of the run; new ones are added."""

    def __init__(self, ids=None):
        self.ids = set() if ids is None else ids
        self.rest = ''  # what came and is not read yet
        self.place = 'text'
        self.depth = 0  # thoughts inside of each other
        self.final = True
        self.feed_id = ''
        self.feed_is_empty = True
        self.action = None  # the attributes of the action whose body is read
        self.comment = False
        self.over = False  # after the final response
        self.made = 0
        self.events = []

    def feed(self, text):
        self.rest += text
        while self.rest and self._step(False):
            pass
        return self._taken()

    def end(self):
        while self.rest and self._step(True):
            pass
        if self.action is not None:
            self._remark('unclosed-action', 'expected </action> before the end; the action does not run')
        if self.place != 'text':
            self._remark('unclosed-' + self.place, 'expected </%s> before the end' % self.place)
        if self.place == 'response':
            self._emit(type='response_end', final=False, complete=False)
        return self._taken()

    def _taken(self):
        events, self.events = self.events, []
        return events

    def _emit(self, **event):
        self.events.append(event)

    def _remark(self, code, message):
        self._emit(type='diagnostic', code=code, message=message, offset=0)

    def _text(self, text):
        if text == '':
            return
        if self.place == 'response':
            self._emit(type='response', text=text, final=self.final)
        elif self.place == 'context_feed':
            self.feed_is_empty = False
            self._emit(type='context_feed', id=self.feed_id, text=text)
        else:
            self._emit(type=self.place, text=text)

    def _step(self, last):
        """Reads some of the rest. Returns whether it could."""
        if self.over:
            if self.rest.strip() and self.over != 'told':
                self._remark('after-final', 'expected nothing after the final response')
                self.over = 'told'
            self.rest = ''
            return False
        if self.comment:
            return self._step_comment()
        if self.action is not None:
            return self._step_body(last)
        at = self.rest.find('<')
        if at != 0:
            end = len(self.rest) if at < 0 else at
            self._text(self.rest[:end])
            self.rest = self.rest[end:]
            return True
        return self._step_tag(last)

    def _step_comment(self):
        end = self.rest.find('-->')
        self.comment = end < 0
        self.rest = self.rest[-2:] if end < 0 else self.rest[end + 3:]
        return end >= 0

    def _step_tag(self, last):
        if self.place == 'text' and self.rest.startswith('<!--'):
            self.comment = True
            self.rest = self.rest[4:]
            return True
        opened, closed = NAME.match(self.rest), CLOSE.match(self.rest)
        end = tag_end(self.rest) if opened and opened.group(1) in OPENS[self.place] else NO_TAG
        if end is not None and 0 < end <= MOST_TAG:
            tag, self.rest = self.rest[:end], self.rest[end:]
            inner = tag[opened.end():-1]
            empty = inner.endswith('/')
            self._open(tag, opened.group(1), attributes(inner[:-1] if empty else inner, self._remark), empty)
        elif closed and closed.group(1) in CLOSES[self.place]:
            self.rest = self.rest[closed.end():]
            self._close(closed.group(0), closed.group(1))
        elif not last and (end is None or self._may_be_tag()) and len(self.rest) < MOST_TAG:
            return False
        else:
            self._text('<')
            self.rest = self.rest[1:]
        return True

    def _may_be_tag(self):
        """Whether more text could make the rest a tag."""
        words = ['<!--'] if self.place == 'text' else []
        words += ['<' + name for name in OPENS[self.place]] + ['</' + name for name in CLOSES[self.place]]
        # Blanks may stand before the > of a closing tag.
        begun = self.rest.rstrip() if self.rest.startswith('</') else self.rest
        return any(word.startswith(self.rest) for word in words) or begun in ('</' + name for name in CLOSES[self.place])

    def _open(self, tag, name, given, empty):
        if name == 'action' and self.place == 'response':
            self._remark('action-in-response', 'expected no action in a response; it is text')
            self._text(tag)
        elif name == 'action':
            self.action = given
            if empty:
                self._end_action('')
        elif name == 'thought' and not empty:
            self.place = 'thought'
            self.depth += 1
        elif name == 'response':
            final = given.get('final', 'true')
            if final not in ('true', 'false'):
                self._remark('attribute-value', 'expected final to be true or false; %r means false' % final)
            self.place, self.final = 'response', final == 'true'
            if empty:
                self._close('', 'response')
        elif name == 'context_feed':
            self.place, self.feed_id, self.feed_is_empty = 'context_feed', given.get('id', ''), True
            if empty:
                self._close('', 'context_feed')

    def _close(self, tag, name):
        if self.place == 'text':
            self._remark('stray-close', 'expected <%s> before %s; it is text' % (name, tag))
            self._text(tag)
            return
        if name == 'thought':
            self.depth -= 1
            if self.depth > 0:
                return
        if name == 'context_feed' and self.feed_is_empty:
            self._emit(type='context_feed', id=self.feed_id, text='')
        if name == 'response':
            self._emit(type='response_end', final=self.final, complete=True)
            self.over = self.final
        self.place = 'text'

    def _step_body(self, last):
        found = body_end(self.rest, last)
        if found is None:
            if last:
                self.rest = ''
            return False
        body, self.rest = self.rest[:found[0]], self.rest[found[1]:]
        self._end_action(body)
        return True

    def _end_action(self, body):
        given, self.action = self.action, None
        action = self._action(given, body)
        if action is not None:
            self._emit(type='action', action=action)

    def _action(self, given, body):
        """The action of a tag and a body. None, with a diagnostic, for one that must not run."""
        try:
            fields = json.loads(body, parse_constant=refuse)
        except (ValueError, RecursionError) as error:
            return self._remark('body-json', 'expected one JSON object: %s' % error)
        if not isinstance(fields, dict):
            return self._remark('body-json', 'expected a JSON object')
        fields = {key: value for key, value in fields.items() if value is not None}
        name, depends_on = fields.get('name'), fields.get('depends_on', [])
        if not isinstance(name, str) or name == '':
            return self._remark('missing-name', 'expected a name that is not empty')
        if not isinstance(fields.get('parameters', {}), dict) or not is_texts(depends_on):
            return self._remark('body-fields', 'expected parameters as an object and depends_on as a list of ids')
        wrong = [key for key, is_right in FIELDS.items() if key in fields and not is_right(fields[key])]
        if wrong:
            return self._remark('body-fields', 'expected another value of %s; came %r' % (wrong[0], fields[wrong[0]]))
        kind, mode = self._word(given, 'type', TYPES), self._word(given, 'mode', MODES)
        if kind is None or mode is None:
            return None
        action_id = given.get('id', '')
        if action_id in self.ids:
            return self._remark('duplicate-id', 'expected an id that no other action has: %s' % action_id)
        if action_id == '':
            action_id = self._new_id()
        self.ids.add(action_id)
        listed = given.get('depends_on', '')
        if listed:
            self._remark('attribute-depends-on', 'expected depends_on in the body')
            # A comma in quotes is part of an id.
            listed = [(double or single or bare).strip() for double, single, bare in LISTED.findall(listed.strip('[]'))]
            depends_on = depends_on + [one for one in listed if one and one not in depends_on]
        action = {'id': action_id, 'type': kind, 'mode': mode, 'name': name, 'parameters': fields.get('parameters', {}),
                  'depends_on': depends_on, 'on_error': fields.get('on_error', 'skip')}
        action.update({key: fields[key] for key in ('output_key', 'timeout', 'retry') if key in fields})
        return action

    def _word(self, given, name, known):
        if name not in given:
            self._remark('attribute-missing', 'expected the attribute %s; it is %s' % (name, known[0]))
            return known[0]
        if given[name] in known:
            return given[name]
        return self._remark('unknown-' + name, 'expected one of %s; came %r' % (', '.join(known), given[name]))

    def _new_id(self):
        self._remark('missing-id', 'expected an attribute id; no other action can depend on this one')
        while True:
            self.made += 1
            if '#%d' % self.made not in self.ids:
                return '#%d' % self.made


def tag_end(text):
    """The length of the tag at the begin of a text. None when its end has not come, NO_TAG when it is none."""
    until, last = '', ''
    for at, char in enumerate(text[1:], 1):
        if until:
            if char == until:
                until = ''
        elif char == '>':
            return at + 1
        elif char == '<':
            return NO_TAG
        elif last == '=' and char in '"\'[':
            until = ']' if char == '[' else char
        if not char.isspace():
            last = char
    return None


def attributes(source, remark):
    """The attributes of a tag. The last of the same name counts."""
    given = {}
    for name, value in ATTRIBUTE.findall(source):
        if name in given:
            remark('attribute-repeated', 'expected one attribute %s; the last one counts' % name)
        given[name] = value if value.startswith('[') else value.strip(value[:1] if value[:1] in ('"', "'") else '')
    return given


def body_end(text, last):
    """Where a body ends: the positions of its closing tag and of what follows. None when it is not known yet.

    A closing tag inside a JSON string does not end the body. Where the JSON is wrong, the first one does.
    """
    quoted, broken, first, at = False, False, None, 0
    while at < len(text):
        char = text[at]
        if char == '<':
            found = BODY_END.match(text, at)
            if found and not quoted:
                return (at, found.end()) if not broken else first or (at, found.end())
            if found and broken:
                return first or (at, found.end())
            if found:
                first = first or (at, found.end())
                broken = '\n' in found.group(0) or '\r' in found.group(0) or '\t' in found.group(0)
                at = found.end() - 1
            elif not quoted:
                if not last and re.match(r'</action\s*$', text[at:]) or '</action'.startswith(text[at:]):
                    break
                broken = True
        elif quoted and char == '\\':
            if at + 1 < len(text) and text[at + 1] not in '"\\/bfnrtu':
                broken = True
            at += 1
        elif char == '"':
            quoted = not quoted
        elif char < ' ' if quoted else char not in STRUCTURE:
            broken = True
        if broken and first:
            return first
        at += 1
    return first if last else None


def is_texts(value):
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def refuse(word):
    raise ValueError('%s is no JSON' % word)
