"""The two dialects of llm_gateway.py: how answers are read and written, piece by piece or whole."""
import json, uuid

TYPES = {400: 'invalid_request_error', 401: 'authentication_error', 403: 'permission_error', 404: 'not_found_error',
         413: 'request_too_large', 429: 'rate_limit_error', 529: 'overloaded_error'}
COUNTS = dict(input='input_tokens', read='cache_read_input_tokens', write='cache_creation_input_tokens',
              output='output_tokens')
TO_CHAT = {'end_turn': 'stop', 'tool_use': 'tool_calls', 'max_tokens': 'length', 'stop_sequence': 'stop',
           'pause_turn': 'stop', 'refusal': 'content_filter', 'model_context_window_exceeded': 'length'}
TO_ANTHROPIC = {'stop': 'end_turn', 'tool_calls': 'tool_use', 'length': 'max_tokens', 'content_filter': 'refusal'}

class Failed(Exception):
    """The provider failed. `retry`: its retry-after."""
    def __init__(self, message, status=502, retry=None):
        super().__init__(message)
        self.status, self.retry = status, retry

def message_of(body):
    error = body.get('error', body) if isinstance(body, dict) else body
    return str(error.get('message', error) if isinstance(error, dict) else error)

def parsed(text):
    """The object that arguments are; None when they are no JSON or no object. Nothing is mended."""
    try: value = json.loads(text or '{}')
    except ValueError: return None
    return value if isinstance(value, dict) else None

class Answer:
    """What the provider has said so far. A reader fills it in; the texts that it returns go up at once."""
    def __init__(self):
        self.text, self.calls, self.stop, self.sequence, self.cites = '', {}, None, None, []
        self.over = self.refused = False  # its terminal came; it has the text of a refusal
        self.usage = dict(input=0, read=0, write=0, output=0, thoughts=0)
    def call(self, index, id=None, name=None, arguments=''):
        call = self.calls.setdefault(index, {'id': id or 'call_' + uuid.uuid4().hex, 'name': name, 'arguments': ''})
        call['arguments'] += arguments

def read_chat(answer, data):
    """One chunk, or a body."""
    if 'error' in data: raise Failed(message_of(data))
    said = ''
    for choice in data.get('choices') or []:
        part = choice.get('delta') or choice.get('message') or {}
        said += (part.get('content') or '') + (part.get('refusal') or '')
        for i, call in enumerate(part.get('tool_calls') or []):
            made = call.get('function') or {}
            answer.call(call.get('index', i), call.get('id'), made.get('name'), made.get('arguments') or '')
        answer.cites += [note['url_citation'] for note in part.get('annotations') or [] if 'url_citation' in note]
        answer.refused = answer.refused or bool(part.get('refusal'))
        if choice.get('finish_reason'):
            word = choice['finish_reason']
            answer.stop = 'refusal' if answer.refused else TO_ANTHROPIC.get(word, 'end_turn')
    usage = data.get('usage')
    if usage:
        inside = usage.get('prompt_tokens_details') or {}
        read, write = inside.get('cached_tokens') or 0, inside.get('cache_write_tokens') or 0
        thoughts = (usage.get('completion_tokens_details') or {}).get('reasoning_tokens') or 0
        answer.usage = dict(input=usage['prompt_tokens'] - read - write, read=read, write=write,
                            output=usage['completion_tokens'], thoughts=thoughts)
    return said

def read_anthropic(answer, data):
    """One event, or a body."""
    kind, said = data.get('type'), ''
    if kind == 'error': raise Failed(message_of(data))
    if kind == 'message_stop': answer.over = True
    if kind == 'message_start': data = data['message']
    blocks = enumerate(data.get('content') or [])
    if kind == 'content_block_start': blocks = [(data['index'], data['content_block'])]
    for index, block in blocks:
        said += block.get('text') or ''
        answer.cites += [cite for cite in block.get('citations') or [] if 'url' in cite]
        if block['type'] == 'tool_use':
            answer.call(index, block['id'], block['name'], json.dumps(block['input']) if block.get('input') else '')
    delta = data.get('delta') or {}
    if kind == 'content_block_delta':
        said += delta.get('text') or ''
        if delta['type'] == 'input_json_delta': answer.call(data['index'], arguments=delta['partial_json'])
        if delta['type'] == 'citations_delta' and 'url' in delta['citation']: answer.cites.append(delta['citation'])
    ended = delta if kind == 'message_delta' else data
    answer.stop = ended.get('stop_reason') or answer.stop
    answer.sequence = ended.get('stop_sequence') or answer.sequence
    usage = data.get('usage') or {}
    answer.usage.update({ours: usage[name] for ours, name in COUNTS.items() if usage.get(name) is not None})
    thoughts = (usage.get('output_tokens_details') or {}).get('thinking_tokens')
    answer.usage['thoughts'] = thoughts or answer.usage['thoughts']
    return said

class AnthropicWriter:
    def __init__(self, model): self.model, self.id, self.index = model, 'msg_' + uuid.uuid4().hex, -1
    def event(self, kind, **data): return f'event: {kind}\ndata: {json.dumps(dict(data, type=kind))}\n\n'
    def usage(self, use):
        details = {'thinking_tokens': use['thoughts']}
        return {**{name: use[ours] for ours, name in COUNTS.items()}, 'output_tokens_details': details}
    def message(self, **more):
        return {'id': self.id, 'type': 'message', 'role': 'assistant', 'model': self.model, 'content': [],
                'stop_reason': None, 'stop_sequence': None, **more}
    def start(self):
        return self.event('message_start', message=self.message(usage={'input_tokens': 0, 'output_tokens': 0}))
    def block(self, content):
        self.index += 1
        return self.event('content_block_start', index=self.index, content_block=content)
    def delta(self, **delta): return self.event('content_block_delta', index=self.index, delta=delta)
    def text(self, text):
        begun = '' if self.index == 0 else self.block({'type': 'text', 'text': ''})
        return begun + self.delta(type='text_delta', text=text)
    def cite(self, cite):
        return {'type': 'web_search_result_location', 'url': cite['url'], 'title': cite.get('title'), 'cited_text': '',
                'encrypted_index': ''}
    def end(self, answer):
        out = ''.join(self.delta(type='citations_delta', citation=self.cite(cite)) for cite in answer.cites)
        if self.index == 0: out += self.event('content_block_stop', index=0)
        for call in answer.calls.values():
            out += self.block({'type': 'tool_use', 'id': call['id'], 'name': call['name'], 'input': {}})
            out += self.delta(type='input_json_delta', partial_json=call['arguments'])
            out += self.event('content_block_stop', index=self.index)
        stop = {'stop_reason': answer.stop, 'stop_sequence': answer.sequence}
        return out + self.event('message_delta', delta=stop, usage=self.usage(answer.usage)) + self.event('message_stop')
    def whole(self, answer):
        calls = [(call, parsed(call['arguments'])) for call in answer.calls.values()]
        if answer.stop == 'tool_use' and any(value is None for _, value in calls):
            raise Failed('the arguments of a call are no JSON')
        text = {'type': 'text', 'text': answer.text, 'citations': [self.cite(cite) for cite in answer.cites]}
        if not answer.cites: del text['citations']
        content = [text] if answer.text else []
        content += [{'type': 'tool_use', 'id': call['id'], 'name': call['name'], 'input': value}
                    for call, value in calls if value is not None]  # what the limit cut is left out
        return self.message(content=content, stop_reason=answer.stop, stop_sequence=answer.sequence,
                            usage=self.usage(answer.usage))
    def error(self, status, message):
        return {'type': 'error', 'error': {'type': TYPES.get(status, 'api_error'), 'message': message}}
    def failed(self, error): return self.event('error', error=self.error(error.status, str(error))['error'])

class ChatWriter:
    def __init__(self, model): self.model, self.id = model, 'chatcmpl-' + uuid.uuid4().hex
    def made(self, kind, **more): return {'id': self.id, 'object': kind, 'created': 0, 'model': self.model, **more}
    def chunk(self, delta, finish=None, **more):
        choices = [{'index': 0, 'delta': delta, 'finish_reason': finish}]
        return f'data: {json.dumps(self.made("chat.completion.chunk", **{"choices": choices, **more}))}\n\n'
    def usage(self, use):
        prompt = use['input'] + use['read'] + use['write']
        return {'prompt_tokens': prompt, 'completion_tokens': use['output'], 'total_tokens': prompt + use['output'],
                'prompt_tokens_details': {'cached_tokens': use['read'], 'cache_write_tokens': use['write']},
                'completion_tokens_details': {'reasoning_tokens': use['thoughts']}}
    def start(self): return self.chunk({'role': 'assistant', 'content': ''})
    def text(self, text): return self.chunk({'content': text})
    def notes(self, answer):
        return [{'type': 'url_citation', 'url_citation': {'url': cite['url'], 'title': cite.get('title') or '',
                 'start_index': 0, 'end_index': 0}} for cite in answer.cites]
    def calls(self, answer):
        empty = '{}' if answer.stop == 'tool_use' else ''
        return [{'index': i, 'id': call['id'], 'type': 'function',
                 'function': {'name': call['name'], 'arguments': call['arguments'] or empty}}
                for i, call in enumerate(answer.calls.values())]
    def end(self, answer):
        out = self.chunk({'annotations': self.notes(answer)}) if answer.cites else ''
        out += ''.join(self.chunk({'tool_calls': [call]}) for call in self.calls(answer))
        out += self.chunk({}, TO_CHAT.get(answer.stop, 'stop'))
        return out + self.chunk({}, choices=[], usage=self.usage(answer.usage)) + 'data: [DONE]\n\n'
    def whole(self, answer):
        message = {'role': 'assistant', 'content': answer.text or None, 'annotations': self.notes(answer)}
        if answer.calls: message['tool_calls'] = self.calls(answer)
        choices = [{'index': 0, 'message': message, 'finish_reason': TO_CHAT.get(answer.stop, 'stop')}]
        return self.made('chat.completion', choices=choices, usage=self.usage(answer.usage))
    def error(self, status, message):
        return {'error': {'type': TYPES.get(status, 'server_error'), 'message': message, 'param': None, 'code': None}}
    def failed(self, error): return f'data: {json.dumps(self.error(error.status, str(error)))}\n\n'
