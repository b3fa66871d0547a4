"""A gateway for the suite llm/gateway: between Anthropic and Chat Completions, both ways.

Text goes up at once; calls, citations and usage when the answer is over. Images are translated,
files and formats of answers are refused. It needs Python 3.8 or later, and nothing else. Check it,
or a copy with your own translation:

    wireproof check llm/gateway --statement llm_gateway.yaml
"""

import http.client, io, itertools, json, socket, sys, threading, time, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

SILENCE = 60  # seconds that a provider may be silent
TO_CHAT = {'tool_use': 'tool_calls', 'max_tokens': 'length', 'refusal': 'content_filter'}
TO_ANTHROPIC = {word: stop for stop, word in TO_CHAT.items()}
TO_CHAT['model_context_window_exceeded'] = 'length'
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError)  # what a wrong form raises
ERRORS = {401: 'authentication_error', 403: 'permission_error', 404: 'not_found_error'}
ERRORS.update({413: 'request_too_large', 429: 'rate_limit_error', 529: 'overloaded_error'})


class Failed(Exception):
    """What the client is told: a message, a status, and the provider's retry-after."""

    def __init__(self, message, status=502, retry=None):
        super().__init__(message)
        self.status, self.retry = status, retry


def known(**members):
    """An object of the members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


def parts_of(content):
    """Both dialects write a content as parts, or as a string."""
    return [{'type': 'text', 'text': content}] if isinstance(content, str) else content or []


def text_of(content):
    if any(part['type'] != 'text' for part in parts_of(content)):
        raise Failed('this content must be text: the provider takes no image or file here', 400)
    return '\n'.join(part['text'] for part in parts_of(content))


def object_of(text):
    """The object that arguments are, or None. Nothing is mended."""
    try:
        value = json.loads(text or '{}')
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


# Requests: from Anthropic to Chat Completions


def chat_part(block):
    if block['type'] == 'text':
        return {'type': 'text', 'text': block['text']}
    source = block.get('source') or {}
    if block['type'] != 'image' or source['type'] not in ('base64', 'url'):
        raise Failed(f'content of type {block["type"]} cannot be sent', 400)
    url = source.get('url') or f'data:{source["media_type"]};base64,{source["data"]}'
    return {'type': 'image_url', 'image_url': {'url': url}}


def chat_messages(role, content):
    parts, calls = [], []
    for block in parts_of(content):
        if block['type'] == 'tool_result':
            result = {'role': 'tool', 'tool_call_id': block['tool_use_id']}
            yield dict(result, content=text_of(block.get('content')))
        elif block['type'] == 'tool_use':
            function = {'name': block['name'], 'arguments': json.dumps(block['input'])}
            calls.append({'id': block['id'], 'type': 'function', 'function': function})
        elif block['type'] not in ('thinking', 'redacted_thinking'):  # they have no place there
            parts.append(chat_part(block))
    if parts or calls:
        yield known(role=role, content=parts or None, tool_calls=calls or None)


def chat_tool(tool):
    about, schema = tool.get('description'), tool['input_schema']
    made = known(name=tool['name'], description=about, parameters=schema)
    return {'type': 'function', 'function': made}


def to_chat(asked):
    """A request of Anthropic as one of Chat Completions."""
    if (asked.get('output_config') or {}).get('format'):
        raise Failed('output_config.format is not supported', 400)
    messages = list(chat_messages('system', asked.get('system')))
    for message in asked['messages']:
        messages += chat_messages(message['role'], message['content'])
    choice = asked.get('tool_choice') or {}
    named = {'type': 'function', 'function': {'name': choice.get('name')}}
    return known(
        model=asked['model'],
        messages=messages,
        max_completion_tokens=asked['max_tokens'],
        temperature=asked.get('temperature'),
        top_p=asked.get('top_p'),
        stop=asked.get('stop_sequences') or None,
        tools=[chat_tool(tool) for tool in asked.get('tools') or []] or None,
        tool_choice={'any': 'required', 'tool': named}.get(choice.get('type'), choice.get('type')),
        parallel_tool_calls=False if choice.get('disable_parallel_tool_use') else None,
        stream=bool(asked.get('stream')),
        stream_options={'include_usage': True} if asked.get('stream') else None,
    )


# Requests: from Chat Completions to Anthropic


def anthropic_part(part):
    if part['type'] in ('text', 'refusal'):
        return {'type': 'text', 'text': part[part['type']]}
    if part['type'] != 'image_url':
        raise Failed(f'content of type {part["type"]} cannot be sent', 400)
    source = {'type': 'url', 'url': part['image_url']['url']}
    if source['url'].startswith('data:'):
        media_type, data = source['url'][5:].split(';base64,')
        source = {'type': 'base64', 'media_type': media_type, 'data': data}
    return {'type': 'image', 'source': source}


def anthropic_parts(message):
    content = [anthropic_part(part) for part in parts_of(message.get('content'))]
    content = [part for part in content if part.get('text') != '']  # it would be refused
    if message['role'] == 'tool':
        return [{'type': 'tool_result', 'tool_use_id': message['tool_call_id'], 'content': content}]
    for call in message.get('tool_calls') or []:
        name, value = call['function']['name'], object_of(call['function']['arguments'])
        content.append({'type': 'tool_use', 'id': call['id'], 'name': name, 'input': value or {}})
    return content


def anthropic_tool(tool):
    made = tool['function']
    schema = made.get('parameters') or {'type': 'object'}
    return known(name=made['name'], description=made.get('description'), input_schema=schema)


def anthropic_choice(asked):
    choice = asked.get('tool_choice')
    if isinstance(choice, dict):
        choice = {'type': 'tool', 'name': choice['function']['name']}
    elif choice:
        choice = {'type': 'any' if choice == 'required' else choice}
    if asked.get('tools') and asked.get('parallel_tool_calls') is False:
        choice = dict(choice or {'type': 'auto'}, disable_parallel_tool_use=True)
    return choice


def to_anthropic(asked):
    """A request of Chat Completions as one of Anthropic."""
    if (asked.get('response_format') or {}).get('type') not in (None, 'text'):
        raise Failed('response_format is not supported', 400)
    system, messages = [], []
    for message in asked['messages']:
        role, content = message['role'], anthropic_parts(message)
        if role in ('system', 'developer') and not messages:
            system += content
            continue
        role = 'assistant' if role == 'assistant' else 'user'  # also later text of the system
        if not messages or messages[-1]['role'] != role:
            messages.append({'role': role, 'content': []})
        messages[-1]['content'] += content
    stop = asked.get('stop') or None
    return known(
        model=asked['model'],
        system=system or None,
        messages=messages,
        max_tokens=asked.get('max_completion_tokens') or asked.get('max_tokens') or 4096,
        temperature=asked.get('temperature'),
        top_p=asked.get('top_p'),
        stop_sequences=[stop] if isinstance(stop, str) else stop,
        tools=[anthropic_tool(tool) for tool in asked.get('tools') or []] or None,
        tool_choice=anthropic_choice(asked),
        stream=bool(asked.get('stream')),
    )


# Answers: reading


class Answer:
    """What the provider has said so far, in Anthropic's words."""

    def __init__(self, model):
        self.model, self.id = model, uuid.uuid4().hex
        self.text, self.calls, self.cites = '', {}, []
        self.stop = self.sequence = None
        self.usage = {'input_tokens': 0, 'output_tokens': 0, 'output_tokens_details': {}}
        self.usage.update(cache_read_input_tokens=0, cache_creation_input_tokens=0)

    def call(self, index, id=None, name=None, arguments=''):
        begun = {'id': id or f'call_{uuid.uuid4().hex}', 'name': name, 'arguments': ''}
        self.calls.setdefault(index, begun)['arguments'] += arguments


def read_chat(answer, chunk):
    """Adds a chunk or a body to an answer. Returns its text."""
    said = ''
    for choice in chunk.get('choices') or []:
        delta, word = choice.get('delta') or choice.get('message') or {}, choice.get(
            'finish_reason'
        )
        said += (delta.get('content') or '') + (delta.get('refusal') or '')
        for index, call in enumerate(delta.get('tool_calls') or []):
            made = call.get('function') or {}
            name, arguments = made.get('name'), made.get('arguments') or ''
            answer.call(call.get('index', index), call.get('id'), name, arguments)
        notes = delta.get('annotations') or []
        answer.cites += [note['url_citation'] for note in notes if 'url_citation' in note]
        if delta.get('refusal'):
            answer.stop = 'refusal'
        if word and answer.stop != 'refusal':
            answer.stop = TO_ANTHROPIC.get(word, 'end_turn')
    if chunk.get('usage'):
        answer.usage = anthropic_usage(chunk['usage'])
    return said


def anthropic_usage(usage):
    prompt = usage.get('prompt_tokens_details') or {}
    output = usage.get('completion_tokens_details') or {}
    read, written = prompt.get('cached_tokens') or 0, prompt.get('cache_write_tokens') or 0
    return {
        'input_tokens': usage['prompt_tokens'] - read - written,
        'cache_read_input_tokens': read,
        'cache_creation_input_tokens': written,
        'output_tokens': usage['completion_tokens'],
        'output_tokens_details': {'thinking_tokens': output.get('reasoning_tokens') or 0},
    }


def read_anthropic(answer, event):
    """Adds an event or a body to an answer. Returns its text."""
    if event.get('type') == 'message':
        parts = [{'index': at, 'content_block': block} for at, block in enumerate(event['content'])]
        parts.append({'delta': event, 'usage': event.get('usage')})
        return ''.join(read_anthropic(answer, part) for part in parts)
    block, delta = event.get('content_block') or {}, event.get('delta') or {}
    if block.get('type') == 'tool_use':
        whole = json.dumps(block['input']) if block.get('input') else ''
        answer.call(event['index'], block['id'], block['name'], whole)
    if delta.get('type') == 'input_json_delta':
        answer.call(event['index'], arguments=delta['partial_json'])
    cites = (block.get('citations') or []) + [delta.get('citation') or {}]
    answer.cites += [cite for cite in cites if 'url' in cite]
    answer.stop = delta.get('stop_reason') or answer.stop
    answer.sequence = delta.get('stop_sequence') or answer.sequence
    usage = event.get('usage') or (event.get('message') or {}).get('usage') or {}
    answer.usage.update({name: usage[name] for name in answer.usage if usage.get(name) is not None})
    said = delta if delta.get('type') == 'text_delta' else block
    return said.get('text') or ''


def read_events(response):
    """The data of each event. Its lines end with LF, CRLF or CR, and are cut anywhere."""
    data = []
    for line in io.TextIOWrapper(response, encoding='utf-8'):
        if line.startswith('data:'):
            data.append(line[5:].strip())
        elif line == '\n' and data:
            yield '\n'.join(data)
            data = []


def read_texts(response, read, answer):
    """The texts of an answer, as they come. All that is said is kept in the answer."""
    for data in read_events(response):
        event = {} if data == '[DONE]' else no_error(json.loads(data))
        text = read(answer, event)
        answer.text += text
        if text:
            yield text
        if data == '[DONE]' or event.get('type') == 'message_stop':
            return
    raise Failed('the answer of the provider broke off')


def no_error(data):
    """The data, if it is not an error: one can come with the status 200."""
    if data.get('error'):
        raise Failed(message_of(data))
    return data


def message_of(body):
    error = body.get('error', body) if isinstance(body, dict) else body
    return str(error.get('message', error) if isinstance(error, dict) else error)


# Answers: writing, as a body or as events


def anthropic_blocks(answer):
    place = {'type': 'web_search_result_location', 'cited_text': '', 'encrypted_index': ''}
    cites = [dict(place, url=cite['url'], title=cite.get('title')) for cite in answer.cites]
    content = [known(type='text', text=answer.text, citations=cites or None)] if answer.text else []
    for call in answer.calls.values():
        value = object_of(call['arguments'])
        if value is not None:
            content.append(dict(type='tool_use', id=call['id'], name=call['name'], input=value))
        elif answer.stop == 'tool_use':  # otherwise the limit cut the call: it is left out
            raise Failed('the arguments of a call are no JSON')
    return content


def anthropic_body(answer):
    body = {'id': f'msg_{answer.id}', 'type': 'message', 'role': 'assistant', 'model': answer.model}
    stop = {'stop_reason': answer.stop, 'stop_sequence': answer.sequence}
    return dict(body, content=anthropic_blocks(answer), usage=answer.usage, **stop)


def block_event(kind, index, **more):
    return dict(more, type=f'content_block_{kind}', index=index)


def anthropic_events(answer, texts):
    nothing = {'content': [], 'stop_reason': None, 'stop_sequence': None}
    yield {'type': 'message_start', 'message': dict(anthropic_body(answer), **nothing)}
    if answer.text:
        yield block_event('start', 0, content_block={'type': 'text', 'text': ''})
    for text in texts:
        yield block_event('delta', 0, delta={'type': 'text_delta', 'text': text})
    for index, block in enumerate(anthropic_blocks(answer)):
        if block['type'] == 'tool_use':
            yield block_event('start', index, content_block=dict(block, input={}))
            whole = {'type': 'input_json_delta', 'partial_json': json.dumps(block['input'])}
            yield block_event('delta', index, delta=whole)
        for cite in block.get('citations', []):
            yield block_event('delta', index, delta={'type': 'citations_delta', 'citation': cite})
        yield block_event('stop', index)
    stop = {'stop_reason': answer.stop, 'stop_sequence': answer.sequence}
    yield {'type': 'message_delta', 'delta': stop, 'usage': answer.usage}
    yield {'type': 'message_stop'}


def chat_usage(usage):
    read, written = usage['cache_read_input_tokens'], usage['cache_creation_input_tokens']
    prompt, output = usage['input_tokens'] + read + written, usage['output_tokens']
    thoughts = usage['output_tokens_details'].get('thinking_tokens') or 0
    return {
        'prompt_tokens': prompt,
        'completion_tokens': output,
        'total_tokens': prompt + output,
        'prompt_tokens_details': {'cached_tokens': read, 'cache_write_tokens': written},
        'completion_tokens_details': {'reasoning_tokens': thoughts},
    }


def chat_message(answer):
    notes, calls = [], []
    for cite in answer.cites:
        page = {'url': cite['url'], 'title': cite.get('title') or ''}
        place = dict(page, start_index=0, end_index=0)
        notes.append({'type': 'url_citation', 'url_citation': place})
    empty = '{}' if answer.stop == 'tool_use' else ''
    for index, call in enumerate(answer.calls.values()):
        made = {'name': call['name'], 'arguments': call['arguments'] or empty}
        calls.append({'index': index, 'id': call['id'], 'type': 'function', 'function': made})
    return known(role='assistant', annotations=notes or None, tool_calls=calls or None)


def chat_made(answer, kind, choices, **more):
    about = {'id': f'chatcmpl-{answer.id}', 'created': int(time.time()), 'model': answer.model}
    return dict(about, object=kind, choices=choices, **more)


def chat_body(answer):
    message = dict(chat_message(answer), content=answer.text or None)
    word = TO_CHAT.get(answer.stop, 'stop')
    choices = [{'index': 0, 'message': message, 'finish_reason': word}]
    return chat_made(answer, 'chat.completion', choices, usage=chat_usage(answer.usage))


def chat_chunk(answer, delta, word=None):
    choices = [{'index': 0, 'delta': delta, 'finish_reason': word}]
    return chat_made(answer, 'chat.completion.chunk', choices)


def chat_events(answer, texts):
    yield chat_chunk(answer, {'role': 'assistant', 'content': ''})
    for text in texts:
        yield chat_chunk(answer, {'content': text})
    yield chat_chunk(answer, chat_message(answer), TO_CHAT.get(answer.stop, 'stop'))
    yield chat_made(answer, 'chat.completion.chunk', [], usage=chat_usage(answer.usage))
    yield '[DONE]'


# The server

ROUTES = {
    '/v1/messages': ('/v1/chat/completions', to_chat, read_chat, anthropic_body, anthropic_events),
    '/v1/chat/completions': ('/v1/messages', to_anthropic, read_anthropic, chat_body, chat_events),
}


def failure_of(response):
    """The provider's refusal, for the client."""
    try:
        message = message_of(json.loads(response.read()))
    except ValueError:
        message = f'the provider answered {response.status}'
    return Failed(message, response.status, response.getheader('retry-after'))


class Gateway(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm = 'HTTP/1.1', True

    def log_message(self, *_):
        pass

    def do_POST(self):
        self.opened = False
        body = self.rfile.read(int(self.headers.get('content-length') or 0))
        at = urlsplit(sys.argv[2])
        provider = http.client.HTTPConnection(at.hostname, at.port, timeout=SILENCE)
        try:
            self.relay(body, provider)
        except Failed as error:
            self.fail(error)
        except (OSError, http.client.HTTPException, *UNREADABLE):
            self.fail(Failed('the provider cannot be read'))
        finally:
            provider.close()

    def relay(self, body, provider):
        if self.path not in ROUTES:
            raise Failed(f'there is no {self.path}', 404)
        path, translate, read, body_of, events_of = ROUTES[self.path]
        try:
            asked = json.loads(body)
            sent = json.dumps(translate(asked))
        except UNREADABLE:
            raise Failed('the request cannot be read', 400)
        provider.connect()
        threading.Thread(target=self.watch, args=[provider.sock], daemon=True).start()
        fields = {'content-type': 'application/json', 'anthropic-version': '2023-06-01'}
        provider.request('POST', path, sent, fields)
        response = provider.getresponse()
        if response.status >= 400:
            raise failure_of(response)
        answer = Answer(asked['model'])
        if not asked.get('stream'):
            answer.text = read(answer, no_error(json.loads(response.read())))
            if answer.stop is None:
                raise Failed('the answer of the provider has no end')
            return self.respond(200, body_of(answer))
        texts = read_texts(response, read, answer)
        first = list(itertools.islice(texts, 1))  # a failure until here is told by a status
        for event in events_of(answer, itertools.chain(first, texts)):
            self.send(event)

    def watch(self, provider):
        """Lets the provider go when the client leaves."""
        try:
            if not self.connection.recv(1, socket.MSG_PEEK):
                provider.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the answer is over

    def respond(self, status, body, retry=None):
        data = json.dumps(body).encode()
        self.head(status, 'application/json', {'content-length': len(data), 'retry-after': retry})
        self.wfile.write(data)

    def send(self, event):
        if not self.opened:
            self.head(200, 'text/event-stream', {'connection': 'close'})
            self.opened = True
        data = event if isinstance(event, str) else json.dumps(event)
        name = f'event: {event["type"]}\n' if 'type' in event else ''
        self.wfile.write(f'{name}data: {data}\n\n'.encode())

    def head(self, status, kind, fields):
        self.send_response(status)
        self.send_header('content-type', kind)
        for name, value in fields.items():
            if value is not None:
                self.send_header(name, str(value))
        self.end_headers()

    def fail(self, error):
        other = 'invalid_request_error' if error.status < 500 else 'api_error'
        told = {'type': ERRORS.get(error.status, other), 'message': str(error)}
        body = {'type': 'error', 'error': dict(told, param=None, code=None)}  # for both dialects
        try:
            self.send(body) if self.opened else self.respond(error.status, body, error.retry)
        except OSError:
            self.close_connection = True  # the client has left


def main():
    ThreadingHTTPServer.request_queue_size = 256  # clients that connect at once
    ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Gateway).serve_forever()


if __name__ == '__main__':
    main()
