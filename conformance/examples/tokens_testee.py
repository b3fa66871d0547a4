"""A token manager for the suite tokens/manager: copy it, and call your own library in OPS.

One JSON request a line on stdin, one answer a line on stdout, under the same id; stderr is free. The ops are listed in
spec/tokens/README.md. Needs Python 3.8 or later, and nothing else.
Usage: wireproof check tokens/manager -- python3 tokens_testee.py
"""
import json, math, sys

CUT = ('max_tokens', 'max_output_tokens')
FULL = ('context_window', 'context_window_exceeded')
KNOWN = (*CUT, *FULL, 'end_turn', 'tool_use', 'stop_sequence', 'content_filter', 'refusal', 'pause_turn',
         'cancelled', 'error')
CANCELLED = 'Cancelled: this call did not run.'

def units(text):
    """UTF-16 units, as JavaScript counts a text's length."""
    return len(text.encode('utf-16-le', 'surrogatepass')) // 2

def clip(text, limit):
    """The start of a text. Python counts characters, so that no surrogate pair is split."""
    return text if len(text) <= limit else text[:limit] + '\u2026'

# -- stop reasons ---------------------------------------------------------------------------------------------------

def complete(call, tools):
    """Whether a call has all that its tool requires; what nobody knows cannot be judged."""
    schema = next((tool.get('inputSchema') or {} for tool in tools if tool['name'] == call['name']), None)
    if schema is None: return True
    given = call.get('input')
    if not isinstance(given, dict): return False
    types = {name: (value or {}).get('type') for name, value in schema.get('properties', {}).items()}
    return not any(given.get(name) is None or (given[name] == '' and types.get(name) == 'string')
                   for name in schema.get('required', []))

def handle_response(response, tools, options=None):
    """The response without calls that the limit cut, and what to warn of."""
    if response.get('stopReason') not in CUT: return response, []
    open_id = (response.get('open') or {}).get('id')
    strict = (options or {}).get('requireAllParameters', True)
    kept = [call for call in response['toolCalls']
            if call['id'] != open_id and (not strict or complete(call, tools))]
    ids = [call['id'] for call in response['toolCalls'] if call not in kept]
    return {**response, 'toolCalls': kept}, [{'code': 'exhausted'}] + ([{'code': 'dropped', 'ids': ids}] if ids else [])

# -- budget ---------------------------------------------------------------------------------------------------------

def total(usage):
    count = lambda *names: max(0, next((usage[name] for name in names if usage.get(name) is not None), 0))
    return count('totalTokens') or (count('inputTokens', 'promptTokens') + count('cacheReadTokens')
                                    + count('cacheWriteTokens') + count('outputTokens', 'completionTokens'))

class Budget:
    def __init__(self, config):
        self.max = config.get('maxTokens', 200_000)
        self.reserve = config.get('reserveTokens', min(2000, self.max * 5 // 100))
        self.threshold = config.get('warningThreshold', 0.8)
        self.used = 0

    @property
    def available(self): return max(0, self.max - self.reserve - self.used)
    @property
    def ratio(self): return self.used / self.max if self.max else 1
    @property
    def near(self): return self.ratio >= self.threshold

    def add(self, usage): self.used += total(usage or {})

    def advice(self):
        size = min(self.available, self.max // 10) if self.near else self.available
        return {'summarize': self.near and self.ratio > 0.7, 'prune': self.near and self.ratio > 0.8,
                'maxRequestSize': size}

    def warnings(self):
        if not self.near: return []
        if self.available < 50: return [{'code': 'scarce'}]
        return [{'code': 'near-limit', 'percent': math.floor(self.ratio * 100 + 0.5)}]

def budget(config, usages, ask=None):
    one = Budget(config)
    for usage in usages: one.add(usage)
    answer = {'used': one.used, 'available': one.available, 'ratio': one.ratio, 'near': one.near,
              'advice': one.advice(), 'warnings': one.warnings()}
    return {**answer, 'fits': ask['fits'] <= one.available} if 'fits' in (ask or {}) else answer

# -- conversations --------------------------------------------------------------------------------------------------

def estimate(messages):
    part = lambda value: math.ceil(units(json.dumps(value, ensure_ascii=False, separators=(',', ':'))) / 4) if value else 0
    return sum(10 + math.ceil(units(one['content']) / 4) + part(one.get('toolCalls')) + part(one.get('toolResults'))
               for one in messages)

def message(role, content, calls=(), results=()):
    return {'role': role, 'content': content, **({'toolCalls': list(calls)} if calls else {}),
            **({'toolResults': list(results)} if results else {})}

def repair(messages):
    """The same conversation as any provider takes it: who speaks takes turns, each call has one result."""
    systems = [one for one in messages if one['role'] == 'system' and one['content'].strip()]
    rest, before = [one for one in messages if one['role'] != 'system'], None
    while rest != before:  # what one rule leaves out may bring together what another keeps apart
        rest, before = answered(joined(rest)), rest
    return systems + rest

def joined(messages):
    """User and assistant taking turns, the user first; nothing is empty."""
    taken = []
    for one in messages:
        calls, results = one.get('toolCalls') or [], one.get('toolResults') or []
        if not (one['content'].strip() or calls or results): continue
        if taken and taken[-1]['role'] == one['role']:
            last = taken.pop()
            text = '\n\n'.join(text for text in (last['content'], one['content']) if text.strip())
            one = message(one['role'], text, last.get('toolCalls', []) + calls, last.get('toolResults', []) + results)
        if taken or one['role'] == 'user': taken.append(one)
    return taken

def answered(messages):
    """Each call with its one result: the worst where it had several, a cancelled one where it had none."""
    fixed = []
    for i, one in enumerate(messages):
        if one['role'] == 'assistant' or not (fixed and fixed[-1].get('toolCalls')):
            if one.get('toolResults'): one = message(one['role'], one['content'], one.get('toolCalls', []))
        else:
            given = sorted(one.get('toolResults', []), key=lambda result: not result.get('isError'))
            pick = lambda id: next((r for r in given if r['id'] == id), {'id': id, 'content': CANCELLED, 'isError': True})
            one = message('user', one['content'], (), [pick(call['id']) for call in fixed[-1]['toolCalls']])
        if one['content'].strip() or one.get('toolCalls') or one.get('toolResults'): fixed.append(one)
        if one.get('toolCalls') and (i + 1 == len(messages) or messages[i + 1]['role'] != 'user'):
            fixed.append(message('user', '', (), [{'id': c['id'], 'content': CANCELLED, 'isError': True}
                                                  for c in one['toolCalls']]))
    return fixed

def turns_of(messages):
    """System messages, and the others by turn: each begins with what the user said, not with results."""
    turns = []
    for one in messages:
        if one['role'] == 'system': continue
        if not turns or (one['role'] == 'user' and not one.get('toolResults')): turns.append([])
        turns[-1].append(one)
    return [one for one in messages if one['role'] == 'system'], turns

def prune(messages, limit, keepTurns=2):
    messages = repair(messages)
    systems, turns = turns_of(messages)
    whole = lambda: systems + [one for turn in turns for one in turn]
    old = [turn for turn in turns[:-max(1, keepTurns)] if not any(one.get('toolCalls') for one in turn)]
    for turn in old:  # oldest first; calls and their results stay
        if estimate(whole()) <= limit: break
        turns.remove(turn)
    return whole()

PARTS = ('Request', 'Status', 'Technical context', 'Changes', 'Issues', 'State', 'Working context')

def summarize(messages):
    said = lambda role: [one['content'] for one in messages if one['role'] == role and one['content'].strip()]
    calls = [call['name'] for one in messages for call in one.get('toolCalls') or []]
    failed = [r['content'] for one in messages for r in one.get('toolResults') or [] if r.get('isError')]
    asked, told = said('user') or ['nothing'], said('assistant') or ['nothing']
    texts = (clip(asked[0], 200), f'{len(messages)} messages before this one', ', '.join(sorted(set(calls))) or 'no tools',
             f'{len(calls)} calls', clip('; '.join(failed), 200) or 'none', clip(told[-1], 200), clip(asked[-1], 200))
    return message('user', '\n\n'.join(f'## {part}\n{text}' for part, text in zip(PARTS, texts)))

def truncated(one):
    """A message whose long results are cut, when there is nothing else to leave out."""
    if not one.get('toolResults'): return one
    return {**one, 'toolResults': [{**result, 'content': clip(result['content'], 400)} for result in one['toolResults']]}

def compact(messages):
    """The last ten turns as they are; before them all that the user said, and a summary of the rest."""
    systems, turns = turns_of(repair(messages))
    old, recent = turns[:-10], turns[-10:]
    if not old: old, recent = turns[:-1], turns[-1:]
    flat = [one for turn in old for one in turn]
    kept = [one for one in flat if one['role'] == 'user' and not one.get('toolResults')]
    rest = [one for one in flat if one not in kept]
    if not rest: return [truncated(one) for one in messages]
    return repair(systems + [summarize(rest)] + kept + [one for turn in recent for one in turn])

# -- a turn ---------------------------------------------------------------------------------------------------------

NOTE = 'The call {} was cut off by the output limit and did not run. Say it in smaller pieces.'

class Turn:
    def __init__(self, history, config, tools, provider):
        self.messages, self.tools, self.provider = repair(history), {tool['name']: tool for tool in tools}, list(provider)
        self.budget, self.actions = Budget(config), []
        self.cuts = self.overflows = self.attempts = 0
        self.compacted = False
        while self.step(): pass

    def do(self, what, **more): self.actions.append({'do': what, **more})

    def stop(self, code):
        self.do('stop', code=code)
        self.messages = repair(self.messages)

    def room(self): return estimate(self.messages) + 200 <= self.budget.available

    def shrink(self, what, smaller):
        if estimate(smaller) >= estimate(self.messages): return False
        self.messages = smaller
        self.do(what, messages=smaller)
        return True

    def step(self):
        """One request and what comes of it; whether there is to be another."""
        if self.budget.advice()['prune'] and not self.compacted:
            self.compacted = self.shrink('compact', compact(self.messages))
        if not self.room(): self.shrink('prune', prune(self.messages, self.budget.available - 200))
        if not self.room():
            self.do('warn', code='budget')
            return self.stop('budget')
        self.do('send', messages=self.messages)
        if not self.provider: return False
        answer = self.provider.pop(0)
        return self.failed(answer['error']) if 'error' in answer else self.responded(answer['response'])

    def failed(self, error):
        kind, status = error['kind'], error.get('status', 0)
        if kind == 'overflow': return self.overflow()
        self.attempts += 1
        again = kind == 'network' or (kind == 'http' and (status in (408, 409, 429) or status >= 500))
        if not again or self.attempts == 10: return self.stop('cancelled' if kind == 'aborted' else 'failed')
        hint = error.get('retryAfter')
        self.do('retry', delay=min(1000 * 2 ** (self.attempts - 1), 30_000) if hint is None else hint, code=kind)
        return True

    def overflow(self):
        self.overflows += 1
        if self.overflows > 2 or not self.shrink('compact', compact(self.messages)): return self.stop('context_window')
        return True

    def responded(self, given):
        self.attempts = 0
        self.budget.add(given.get('usage'))
        for warning in self.budget.warnings(): self.do('warn', **warning)
        reason = given['stopReason'] if given.get('stopReason') in KNOWN else 'unknown'
        if reason in FULL: return self.overflow()
        # An open call was cut, whatever the stop reason says.
        if reason in CUT or (given.get('open') and reason in ('end_turn', 'tool_use', 'stop_sequence', 'unknown')):
            reason = 'max_tokens'
        response, warnings = handle_response({**given, 'stopReason': reason}, list(self.tools.values()))
        for warning in warnings: self.do('warn', **warning)
        dropped = [call['name'] for call in given['toolCalls'] if call not in response['toolCalls']]
        if reason in CUT and given.get('open'): dropped = dropped or [given['open']['name']]
        calls, text = response['toolCalls'], response['content']
        self.messages = self.messages + [message('assistant', text if text.strip() or calls else '(cut off)', calls)]
        if reason == 'tool_use' and calls:
            runs = [call['id'] for call in calls if isinstance(call.get('input'), dict)]
            if runs: self.do('run_tools', ids=runs)
            self.messages = self.messages + [message('user', '', (), [self.run(call) for call in calls])]
            return True
        if dropped and self.cuts < 2:
            self.cuts += 1
            note = f'{NOTE.format(", ".join(dropped))} ({self.cuts} of 2)'
            self.messages = repair(self.messages + [message('user', note)])
            self.do('retry', delay=0, code='dropped')
            return True
        if reason == 'unknown': self.do('warn', code='unknown-stop-reason')
        return self.stop(reason)

    def run(self, call):
        tool = self.tools.get(call['name'])
        failed = tool is None or not isinstance(call.get('input'), dict)
        return {'id': call['id'], 'content': 'no such tool' if failed else tool.get('output', 'done'), 'isError': failed}

# -- the testee -----------------------------------------------------------------------------------------------------

def turn(history, config, tools, provider):
    done = Turn(history, config, tools, provider)
    return {'actions': done.actions, 'history': done.messages}

OPS = {
    'hello': lambda: {'name': 'tokens_testee.py', 'version': '1', 'ops': list(OPS)},
    'tokens.handle_response': lambda **given: dict(zip(('response', 'warnings'), handle_response(**given))),
    'tokens.budget': budget,
    'tokens.estimate': lambda messages: {'tokens': estimate(messages)},
    'tokens.prune': lambda **given: {'messages': prune(**given)},
    'tokens.summarize': lambda messages: {'message': summarize(messages)},
    'tokens.turn': turn,
}

def answer(line):
    """One answer for one line, whatever is in it."""
    id = None
    try:
        request = json.loads(line)
        id = request.pop('id', None)
        op = OPS.get(request.pop('op', None))
        return {'id': id, 'unsupported': True} if op is None else {'id': id, 'ok': op(**request)}
    except Exception as error:  # a field that is not there, or of another type
        return {'id': id, 'error': {'code': 'bad-input', 'message': repr(error)}}

for line in sys.stdin.buffer:
    sys.stdout.write(json.dumps(answer(line)) + '\n')
    sys.stdout.flush()
