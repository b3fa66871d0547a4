"""A client of model providers for the suite llm/client: copy it, and put your own client in the place of `Turn`.

One JSON request a line on stdin, one answer a line on stdout, under the same id; stderr is free. The operations are
`hello` and `llm.turn` (spec/llm/README.md). It speaks two dialects, `anthropic` and `openai-chat`, and says so. Needs
Python 3.8 or later, and nothing else. Usage: wireproof check llm/client -- python3 llm_client.py
"""
import http.client, json, re, sys, time
from urllib.parse import urlsplit

ATTEMPTS, RETRIED = 3, {408, 409, 429}  # requests in all; other refusals below 500 are final
PATIENCE = 60  # seconds that a provider may ask us to wait, or be silent

class Aborted(Exception): pass
class Failed(Exception):
    """The response is none: what was received so far is kept, and no call of it runs."""
    def __init__(self, message, retry=None):
        super().__init__(message)
        self.retry = retry  # seconds until another attempt may help; None: it may not

def parse(text):
    """JSON as RFC 8259 has it: Python alone would take NaN. Integers of any size survive."""
    def constant(name): raise ValueError(f'{name} is not JSON')
    return json.loads(text, parse_constant=constant)

def arguments(text):
    """The object that a call's arguments are; None when they are no JSON or no object. Nothing is ever mended."""
    try: value = parse(text)
    except (ValueError, RecursionError): return None
    return value if isinstance(value, dict) else None

class Lines:
    """Cuts lines out of bytes, whatever ends them and however they come; a line is text only when it is whole."""
    def __init__(self): self.rest, self.after_cr = [], False
    def push(self, chunk):
        if self.after_cr and chunk.startswith(b'\n'): chunk = chunk[1:]
        self.after_cr = chunk.endswith(b'\r')
        first, *others = re.split(b'\r\n|\r|\n', chunk)
        self.rest.append(first)
        for other in others:
            yield b''.join(self.rest).decode('utf-8')
            self.rest = [other]

def events(chunks):
    """The data of each server-sent event. Comments, ids and fields that nobody knows are read over."""
    lines, data = Lines(), []
    for chunk in chunks:
        for line in lines.push(chunk):
            field, _, value = line.partition(':')
            if field == 'data' and line != 'data': data.append(value[1:] if value.startswith(' ') else value)
            elif line == '' and data:
                yield '\n'.join(data)
                data = []

def post(url, headers, body, timeout):
    """The chunks of a streamed answer."""
    at = urlsplit(url)
    connection = http.client.HTTPConnection(at.hostname, at.port, timeout=timeout)
    try:
        try:
            connection.request('POST', at.path, json.dumps(body), {'content-type': 'application/json', **headers})
            response = connection.getresponse()
        except (OSError, http.client.HTTPException) as error: raise Failed(f'no answer: {error}', retry=1)
        if response.status != 200: raise refusal(response)
        while True:
            try: chunk = response.read1(65536)
            except (OSError, http.client.HTTPException) as error: raise Failed(f'the answer broke off: {error!r}')
            if not chunk: return
            yield chunk
    finally: connection.close()  # also when whoever reads us has had enough

def refusal(response):
    message = response.read(10000).decode('utf-8', 'replace')
    final = response.status not in RETRIED and response.status < 500
    try: wait = float(response.getheader('retry-after') or 1)
    except ValueError: wait = 1  # a date
    return Failed(f'status {response.status}: {message}', retry=None if final or wait > PATIENCE else wait)

class Response:
    """What the events of one response come to."""
    ends_with_stop = False
    def __init__(self):
        self.text, self.blocks, self.stop, self.usage, self.over, self.closed = '', [], None, {}, False, set()

    def calls(self): return [block for block in self.blocks if block['type'] == 'call']
    def count(self, usage, **names):
        """Counts are cumulative: the last word counts, and nothing is added up."""
        for name, theirs in names.items():
            if isinstance(usage.get(theirs), int): self.usage[name] = usage[theirs]

class Anthropic(Response):
    path, headers = '/v1/messages', {'anthropic-version': '2023-06-01', 'x-api-key': 'none'}
    stops = {'end_turn', 'tool_use', 'max_tokens', 'stop_sequence', 'refusal', 'pause_turn'}

    def take(self, data):
        event = parse(data)
        kind, delta = event.get('type'), event.get('delta', {})
        if kind == 'message_start': self.counted(event['message'].get('usage'))
        elif kind == 'content_block_start': self.begin(event['content_block'])
        elif kind == 'content_block_delta': self.grow(self.blocks[event['index']], delta)
        elif kind == 'message_delta':
            self.counted(event.get('usage'))
            self.stop = self.stop if self.stop == 'max_tokens' else self.reason(delta['stop_reason'])
        elif kind == 'content_block_stop': self.closed.add(event['index'])
        elif kind == 'message_stop': self.over = self.settle()
        elif kind == 'error': raise Failed(event['error']['message'])

    def reason(self, word):
        if word == 'model_context_window_exceeded': return 'context_window'
        return word if word in self.stops else 'unknown'
    def counted(self, usage): self.count(usage or {}, inputTokens='input_tokens', outputTokens='output_tokens')

    def begin(self, block):
        if block['type'] == 'tool_use':
            block = {'type': 'call', 'id': block['id'], 'name': block['name'], 'arguments': ''}
        self.blocks.append(dict(block))

    def settle(self):
        """A call without parameters comes as no text at all; so does one that the limit cut in its first parameter."""
        for at, call in enumerate(self.blocks):
            if call['type'] != 'call': continue
            if at not in self.closed and self.stop == 'tool_use':
                raise Failed(f'the block of {call["name"]} was never closed')
            if not call['arguments'] and (self.stop == 'tool_use' or call is not self.blocks[-1]):
                call.update(arguments='{}', empty=True)
        return True

    def grow(self, block, delta):
        if 'text' in delta: self.text += delta['text']
        for field in {'text', 'thinking', 'signature'} & set(delta): block[field] += delta[field]
        if 'partial_json' in delta: block['arguments'] = block.get('arguments', '') + delta['partial_json']

    @staticmethod
    def request(turn, messages):
        tools = [{key: tool[key] for key in ('name', 'description', 'input_schema')} for tool in turn['tools']]
        said = {'system': turn.get('system', ''), 'max_tokens': turn['max_tokens']}
        return {**said, 'messages': messages, 'tools': tools}

    @staticmethod
    def whole(block):
        """A call of the provider's own tools: its input came in pieces, as that of ours does."""
        rest = {key: value for key, value in block.items() if key != 'arguments'}
        return {**rest, 'input': arguments(block['arguments'])} if block.get('arguments') else rest

    def following(self, ran):
        """Thoughts go back as they came, with their signature; a text that is empty must not."""
        made = lambda call: {'id': call['id'], 'name': call['name'], 'input': arguments(call['arguments'])}
        blocks = [block for block in self.blocks if block['type'] != 'text' or block['text']]
        theirs = [self.whole(block) for block in blocks]
        content = [{'type': 'tool_use', **made(b)} if b['type'] == 'call' else c for b, c in zip(blocks, theirs)]
        results = [{'type': 'tool_result', 'tool_use_id': call['id'], 'content': output} for call, output in ran]
        return [{'role': 'assistant', 'content': content}, {'role': 'user', 'content': results}]

class OpenAiChat(Response):
    path, headers = '/v1/chat/completions', {'authorization': 'Bearer none'}
    ends_with_stop = True  # some servers send no [DONE]
    stops = {'stop': 'end_turn', 'length': 'max_tokens', 'tool_calls': 'tool_use', 'content_filter': 'content_filter'}

    def take(self, data):
        if data == '[DONE]':
            self.over = self.stop is not None
            return
        chunk = parse(data)
        if chunk.get('error'): raise Failed(chunk['error'].get('message', 'error'))
        self.count(chunk.get('usage') or {}, inputTokens='prompt_tokens', outputTokens='completion_tokens')
        for choice in chunk.get('choices', []):
            if choice.get('index', 0) != 0: continue  # no request asks for several
            delta = choice.get('delta', {})
            self.text += delta.get('content') or ''
            for call in delta.get('tool_calls') or []: self.grow(call)
            if choice.get('finish_reason') and self.stop != 'max_tokens':
                self.stop = self.stops.get(choice['finish_reason'], 'unknown')

    def grow(self, delta):
        """Calls may come interleaved: the index says which one grows."""
        made, index = delta.get('function', {}), delta['index']
        call = next((call for call in self.blocks if call['index'] == index), None)
        if call is None:
            call = {'type': 'call', 'index': index, 'id': delta['id'], 'name': made['name'], 'arguments': ''}
            self.blocks.append(call)
        call['arguments'] += made.get('arguments') or ''

    @staticmethod
    def request(turn, messages):
        names = {'name': 'name', 'description': 'description', 'parameters': 'input_schema'}
        functions = [{ours: tool[theirs] for ours, theirs in names.items()} for tool in turn['tools']]
        tools = [{'type': 'function', 'function': function} for function in functions]
        system = [{'role': 'system', 'content': turn['system']}] if turn.get('system') else []
        options = {'stream_options': {'include_usage': True}, 'max_completion_tokens': turn['max_tokens']}
        return {'messages': system + messages, 'tools': tools, **options}

    def following(self, ran):
        made = lambda call: {'name': call['name'], 'arguments': call['arguments']}
        calls = [{'id': call['id'], 'type': 'function', 'function': made(call)} for call in self.calls()]
        results = [{'role': 'tool', 'tool_call_id': call['id'], 'content': output} for call, output in ran]
        return [{'role': 'assistant', 'content': self.text or None, 'tool_calls': calls}, *results]

DIALECTS = {'anthropic': Anthropic, 'openai-chat': OpenAiChat}
OFFERS = {'ops': ['llm.turn'], 'dialects': list(DIALECTS)}

class Turn:
    """The loop of an agent: ask, run the tools that were called, give their results, until the model stops."""
    def __init__(self, asked):
        self.asked, self.dialect, self.events = asked, DIALECTS[asked['dialect']], 0
        self.messages = [{'role': 'user', 'content': asked['prompt']}]
        self.result = {'text': '', 'tool_calls': [], 'executed': [], 'stop_reason': 'error', 'usage': {}}

    def run(self):
        try:
            for _ in range(self.asked.get('max_rounds', 8)):
                if not self.round(): break
        except Failed as error: self.result.update(stop_reason='error', error={'message': str(error)})
        except Aborted: self.result.update(stop_reason='cancelled')
        return self.result

    def round(self):
        """One request and its answer. Says whether another is due."""
        response = self.response()
        self.result.update(stop_reason=response.stop, usage=response.usage)
        calls = response.calls()
        # Where the model was cut, the last call may be half: only those before it are known to be whole.
        whole = calls if response.stop == 'tool_use' else calls[:-1]
        for call in whole:
            value = arguments(call['arguments'])
            if value is not None:
                self.result['tool_calls'].append({'id': call['id'], 'name': call['name'], 'input': value})
        # The provider's own tools are still running: it goes on when the answer comes back.
        if response.stop == 'pause_turn' and not calls:
            self.messages += response.following([])[:1]
            return True
        if response.stop != 'tool_use': return False
        if not calls or any(arguments(call['arguments']) is None for call in calls):
            raise Failed('arguments that are no JSON object: nothing was run')
        self.messages += response.following([(call, self.execute(call)) for call in calls])
        return True

    def execute(self, call):
        tool = next((tool for tool in self.asked['tools'] if tool['name'] == call['name']), None)
        if tool is None: return f"there is no tool called {call['name']}"
        # Without any text, a false stop reason may hide a cut: a tool that requires members shows it.
        needs = tool['input_schema'].get('required') if call.get('empty') else None
        if needs: return f"not run: expected {', '.join(needs)}; came no arguments"
        self.result['executed'].append({'name': call['name'], 'input': arguments(call['arguments'])})
        return tool['output']

    def response(self):
        for attempt in range(1, ATTEMPTS + 1):
            response = self.dialect()
            try: return self.read(response)
            except Failed as error:
                # What was shown to somebody is not asked again.
                if error.retry is None or attempt == ATTEMPTS or response.text or response.blocks: raise
                time.sleep(error.retry)

    def read(self, response):
        body = {'model': self.asked['model'], 'stream': True, **self.dialect.request(self.asked, self.messages)}
        url = self.asked['base_url'] + self.dialect.path
        timeout = self.asked.get('timeout_ms', PATIENCE * 1000) / 1000
        before = self.result['text']
        for data in events(post(url, self.dialect.headers, body, timeout)):
            try: response.take(data)
            except (ValueError, KeyError, IndexError, TypeError) as error: raise Failed(f'no event: {error!r}')
            self.result['text'] = before + response.text
            self.events += 1
            if self.events == self.asked.get('abort_after_events'): raise Aborted
            if response.over: return response
        if response.ends_with_stop and response.stop is not None: return response
        raise Failed('the stream ended without its terminal')

def answer(request):
    op, dialect = request.get('op'), request.get('dialect')
    if op == 'hello': return {'ok': {'name': 'llm_client.py', 'version': '1', **OFFERS}}
    if op != 'llm.turn' or dialect not in DIALECTS: return {'unsupported': True}
    return {'ok': Turn(request).run()}

if __name__ == '__main__':
    for line in sys.stdin.buffer:
        request = json.loads(line)
        print(json.dumps({'id': request.get('id'), **answer(request)}), flush=True)
