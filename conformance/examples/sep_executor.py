"""An executor of SEP, the Streaming Execution Protocol: runs the actions in the outputs of a model.

Python 3.8 or newer, standard library only. The clock is virtual: a run of minutes takes milliseconds. Providers are
scripted: {'name': [{'after': seconds, 'output': value} or {'after': seconds, 'error': text}, ...]}; the last one repeats.

    >>> output = '<action type="tool" mode="sync" id="a">{"name":"add"}</action><response>It is $a.</response>'
    >>> events = Run([[output]], {'add': [{'after': 2, 'output': 8}]}).play()['events']
    >>> [event['text'] for event in events if event['type'] == 'response']
    ['It is 8.']
"""
import heapq
import itertools
import re

from sep_feeds import INTERNAL_ACTIONS, Feeds
from sep_parser import Parser
from sep_values import REFERENCE, escaped, filled, filled_text, in_cycles, names_in, text_of

MOST_ITERATIONS = 10
CUT_REFERENCE = re.compile(r'\$\$?\w*$', re.ASCII)


class Action:
    """An action of the run. `state`: new, waiting, running, done, failed or skipped."""

    def __init__(self, given, place):
        self.given = given
        self.id = given['id']
        self.place = place
        self.needs = []  # the ids that must succeed first
        self.state = 'new'
        self.attempts = 0
        self.output = None

    def settled(self):
        return self.state in ('done', 'failed', 'skipped')


class Run:
    def __init__(self, iterations, providers=None, variables=None, feeds=None):
        self.iterations, self.providers, self.given = iterations, providers or {}, dict(variables or {})
        self.feeds = feeds or Feeds()
        self.feeds.variables, self.feeds.look_up = self.given, self.value_of
        self.now, self.events, self.later, self.transcripts = 0, [], [], []
        self.turns = itertools.count()  # of two calls for the same time, the one that was asked first comes first
        self.actions, self.queue, self.settled, self.keys, self.calls = {}, [], [], {}, {}
        self.held, self.ids, self.over, self.final = [], set(), False, False
        self.outputs = {}  # by output key: of the action that succeeded last

    def play(self):
        for number, chunks in enumerate(self.iterations[:MOST_ITERATIONS], 1):
            self.emit('iteration', n=number)
            self.feeds.iteration = number
            self.again(*self.feeds.fetch_due(self.now, first=True))
            if number > 1:
                self.transcripts.append('\n'.join(self.feeds.blocks() + [said]))
            self.read(chunks)
            if self.over or self.final:
                break
            said = self.transcript(''.join(chunks))
        if not self.over:
            self.emit('finished', reason='final' if self.final else 'max_iterations')
        values = {one.id: one.output for one in self.actions.values() if one.state == 'done'}
        return {'events': self.events, 'variables': {**self.given, **values, **self.outputs},
                'transcripts': self.transcripts}

    def emit(self, kind, **members):
        self.events.append({'type': kind, 'at': round(self.now, 6), **members})

    def again(self, *events):
        """Emits events of the parser and of the feeds."""
        self.events += [{**event, 'at': round(self.now, 6)} for event in events]

    # -- one output of the model ------------------------------------------------------------------------------------

    def read(self, chunks):
        parser = Parser(self.ids)
        self.queue, self.settled, self.ended = [], [], False
        for chunk in chunks:
            for event in parser.feed(chunk):
                self.take(event)
        for event in parser.end():
            self.take(event)
        self.ended = True
        self.pump()
        while not self.over and (self.later or self.fail_cycles()):
            if self.later:
                self.wait()
            self.pump()

    def wait(self):
        """Goes on to the next end of an attempt, or to the next fetch of a feed, if that one is earlier."""
        due = self.feeds.next_due()
        if due is not None and max(due, self.now) < self.later[0][0]:
            self.now = max(due, self.now)  # a feed that was added is due at once
            self.again(*self.feeds.fetch_due(self.now))
            return
        self.now, _, act = heapq.heappop(self.later)
        act()

    def take(self, event):
        kind = event['type']
        if kind == 'response_end':
            self.final = self.final or event['final']
        if kind in ('response', 'response_end'):
            self.held.append((len(self.queue), event))
        elif kind == 'action':
            self.emit(kind, action=event['action'])
            self.declare(event['action'])
        else:
            self.again(event)
        self.pump()

    def declare(self, given):
        action = Action(given, len(self.queue))
        named = [self.producer(name) for name in names_in(given['parameters'])]
        action.needs = given['depends_on'] + [one.id for one in named if one is not None]
        self.actions[action.id] = action
        self.queue.append(action)
        if 'output_key' in given:
            self.keys[given['output_key']] = action.id

    def producer(self, name):
        """The action whose output a name means."""
        return self.actions.get(self.keys.get(name, name))

    # -- what may start, and what may be shown ----------------------------------------------------------------------

    def pump(self):
        moved = True
        while moved and not self.over:
            moved = False
            for action in list(self.queue):
                if self.over or (action.state == 'new' and self.blocker(action.place) is not None):
                    break
                moved = self.advance(action) or moved
        if not self.over:
            self.show()

    def blocker(self, place):
        """The sync action before a place that has not ended. One that waits for a later action delays no other."""
        for action in self.queue[:place]:
            if action.given['mode'] == 'sync' and not action.settled() and not self.floats(action, [], set()):
                return action
        return None

    def floats(self, action, path, cleared):
        """Whether an action waits for a later one, or for itself. `cleared` has those that wait for neither."""
        if action.id in path:
            return True
        if action.state == 'running' or action.id in cleared:
            return False
        path = path + [action.id]
        for need in action.needs:
            other = self.actions.get(need)
            if other is None or (other in self.queue and other.place >= action.place):
                return True
            if not other.settled() and self.floats(other, path, cleared):
                return True
        cleared.add(action.id)
        return False

    def advance(self, action):
        """Starts or skips an action that waits. Returns whether it did."""
        if action.state not in ('new', 'waiting'):
            return False
        action.state = 'waiting'
        ready = True
        for need in action.needs:
            other = self.actions.get(need)
            if other is not None and other.given.get('mode') == 'fire_and_forget' and other.state == 'running':
                continue
            if other is None or need.startswith('#'):
                if self.ended:
                    return self.skip(action, need)
                ready = False
            elif other.state in ('failed', 'skipped'):
                return self.skip(action, need)
            elif other.state != 'done':
                ready = False
        if ready:
            self.start(action)
        return ready

    def skip(self, action, because):
        action.state = 'skipped'
        action.error = because
        self.settled.append(action)
        self.emit('skipped', id=action.id, because=because)
        return True

    def fail_cycles(self):
        """Fails the actions that wait for each other. Returns whether there are any."""
        waiting = {one.id: one.needs for one in self.queue if one.state in ('new', 'waiting')}
        cycle = [self.actions[one] for one in in_cycles(waiting)]
        for action in cycle:
            self.fail_for_good(action, 'its dependencies are a cycle')
        return bool(cycle)

    # -- attempts ---------------------------------------------------------------------------------------------------

    def start(self, action):
        missing = self.missing('the parameters of ' + action.id)
        action.parameters = filled(action.given['parameters'], self.value_of, missing)
        action.state = 'running'
        self.emit('started', id=action.id, parameters=action.parameters)
        self.attempt(action)

    def attempt(self, action):
        action.attempts += 1
        name = action.given['name']
        if action.given['type'] == 'internal' and name in INTERNAL_ACTIONS:
            self.internal(action, name)
            return
        outcomes = self.providers.get(name) or [{'error': 'there is no provider ' + name}]
        outcome = outcomes[min(self.calls.get(name, 0), len(outcomes) - 1)]
        self.calls[name] = self.calls.get(name, 0) + 1
        after, limit = outcome.get('after', 0), action.given.get('timeout')
        if limit is not None and after > limit:
            after, outcome = limit, {'error': 'no result within %s s' % limit}
        self.at(after, lambda: self.settle(action, outcome))

    def internal(self, action, name):
        def act():
            outcome, events = self.feeds.act(name, action.parameters, self.now)
            self.again(*events)
            self.settle(action, outcome)
        if name == 'get_context_feed':
            self.at(0, act)  # a fetch takes its time, if no more than this
        else:
            act()

    def at(self, after, act):
        heapq.heappush(self.later, (self.now + after, next(self.turns), act))

    def settle(self, action, outcome):
        if action.given['mode'] == 'fire_and_forget':
            action.state = 'done'
            return
        if 'error' not in outcome:
            action.state, action.output = 'done', outcome.get('output')
            if 'output_key' in action.given:
                self.outputs[action.given['output_key']] = action.output
            self.settled.append(action)
            self.emit('completed', id=action.id, output=action.output)
            return
        retries = action.given.get('retry', 1 if action.given['on_error'] == 'retry' else 0)
        if action.attempts <= retries:
            self.attempt(action)
        else:
            self.fail_for_good(action, outcome['error'])

    def fail_for_good(self, action, error):
        action.state, action.error = 'failed', error
        self.settled.append(action)
        self.emit('failed', id=action.id, error=error, attempts=action.attempts)
        if action.given['on_error'] == 'fail':
            self.over, self.held = True, []
            self.emit('finished', reason='failed')

    # -- values -----------------------------------------------------------------------------------------------------

    def value_of(self, name):
        """A pair: whether the name has a value, and the value."""
        if name in self.outputs:
            return True, self.outputs[name]
        action = self.actions.get(name)
        if action is not None and action.state == 'done' and action.given['mode'] != 'fire_and_forget':
            return True, action.output
        known, value = self.feeds.value_of(name)
        return (True, value) if known else (name in self.given, self.given.get(name))

    def missing(self, where):
        def told(name):
            message = 'expected a value of $%s in %s' % (name, where)
            self.emit('diagnostic', code='missing-variable', message=message, offset=0)
            return '$' + name
        return told

    def show(self):
        """Shows the responses that need to wait no more."""
        while self.held and self.blocker(self.held[0][0]) is None:
            place, event = self.held.pop(0)
            if event['type'] == 'response_end':
                self.again(event)
                continue
            text = event['text']
            # A reference may be cut: it is put together with the next piece.
            if self.held and self.held[0][1]['type'] == 'response' and CUT_REFERENCE.search(text):
                _, following = self.held.pop(0)
                self.held.insert(0, (place, {**following, 'text': text + following['text']}))
                continue
            if not self.held and CUT_REFERENCE.search(text):
                self.held.insert(0, (place, event))
                return
            end = self.shown_to(text)
            if end > 0:
                told = filled_text(text[:end], self.value_of, self.missing('the response'))
                self.emit('response', text=told, final=event['final'])
            if end < len(text):
                self.held.insert(0, (place, {**event, 'text': text[end:]}))
                return

    def shown_to(self, text):
        """The place of the first reference whose producer has no outcome."""
        for found in REFERENCE.finditer(text):
            producer = self.producer(found.group(2)) if found.group(2) else None
            if producer is not None and not producer.settled():
                return found.start()
        return len(text)

    def transcript(self, own):
        """The text that the model sees before its next output."""
        lines = [own]
        for action in self.settled:
            said = action.output if action.state == 'done' else action.error
            status = {'done': 'completed'}.get(action.state, action.state)
            lines.append('<action_result id="%s" status="%s">%s</action_result>'
                         % (escaped(action.id), status, escaped(text_of(said))))
        return '\n'.join(lines)
