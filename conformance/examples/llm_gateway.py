"""A gateway for the suite llm/gateway: between Anthropic and Chat Completions, both ways.

Copy it, and put your own translation in the place of llm_gateway_dialects.py. Text goes up piece by piece; calls go up
when the answer stops. Needs Python 3.8 or later, and nothing else. Usage: llm_gateway.py PORT PROVIDER_URL
"""
import http.client, json, select, socket, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit
from llm_gateway_dialects import (Answer, AnthropicWriter, ChatWriter, Failed, message_of, parsed, read_anthropic,
                                  read_chat)

SILENCE = 60  # seconds that a provider may be silent
KNOWN = {'text', 'tool_use', 'tool_result', 'thinking', 'redacted_thinking'}

def read_events(response):
    """The data of each event. Lines end with LF, CRLF or CR; a line is text only when it is whole."""
    rest, data = b'', []
    while True:
        chunk = response.read1(65536)
        if not chunk: return
        rest += chunk
        held = rest[-1:] == b'\r'  # it may be half of CRLF
        lines = (rest[:-1] if held else rest).replace(b'\r\n', b'\n').replace(b'\r', b'\n').split(b'\n')
        rest = lines.pop() + (b'\r' if held else b'')
        for line in lines:
            if line.startswith(b'data:'): data.append(line[5:].strip().decode('utf-8'))
            elif line == b'' and data:
                yield '\n'.join(data)
                data = []

def texts_of(content):
    return content if isinstance(content, str) else '\n'.join(part.get('text', '') for part in content or [])

def to_chat(asked):
    """A request of Anthropic as one of Chat Completions."""
    messages = [{'role': 'system', 'content': texts_of(asked['system'])}] if asked.get('system') else []
    for message in asked['messages']:
        content = message['content']
        if isinstance(content, str): content = [{'type': 'text', 'text': content}]
        unknown = {part['type'] for part in content} - KNOWN
        if unknown: raise Failed(f'cannot send {", ".join(sorted(unknown))}', 400)
        messages += [{'role': 'tool', 'tool_call_id': part['tool_use_id'], 'content': texts_of(part.get('content'))}
                     for part in content if part['type'] == 'tool_result']
        text = texts_of([part for part in content if part['type'] == 'text'])
        calls = [{'id': part['id'], 'type': 'function',
                  'function': {'name': part['name'], 'arguments': json.dumps(part['input'])}}
                 for part in content if part['type'] == 'tool_use']
        said = {'role': message['role'], 'content': text or None, **({'tool_calls': calls} if calls else {})}
        if text or calls: messages.append(said)
    body = {'model': asked['model'], 'messages': messages, 'max_completion_tokens': asked['max_tokens'],
            'stream': bool(asked.get('stream'))}
    if body['stream']: body['stream_options'] = {'include_usage': True}
    body.update({name: asked[name] for name in ('temperature', 'top_p') if name in asked})
    if asked.get('stop_sequences'): body['stop'] = asked['stop_sequences']
    tools = [{'name': tool['name'], 'description': tool.get('description', ''), 'parameters': tool['input_schema']}
             for tool in asked.get('tools') or []]
    if tools: body['tools'] = [{'type': 'function', 'function': tool} for tool in tools]
    choice = asked.get('tool_choice') or {}
    named = {'type': 'function', 'function': {'name': choice.get('name')}}
    if choice: body['tool_choice'] = {'any': 'required', 'tool': named}.get(choice['type'], choice['type'])
    if choice.get('disable_parallel_tool_use'): body['parallel_tool_calls'] = False
    return body

def to_anthropic(asked):
    """A request of Chat Completions as one of Anthropic."""
    system, messages = [], []
    for message in asked['messages']:
        role, text = message['role'], texts_of(message.get('content'))
        parts = [{'type': 'text', 'text': text}] if text else []
        parts += [{'type': 'tool_use', 'id': call['id'], 'name': call['function']['name'],
                   'input': parsed(call['function']['arguments']) or {}} for call in message.get('tool_calls') or []]
        if role == 'tool':
            role, parts = 'user', [{'type': 'tool_result', 'tool_use_id': message['tool_call_id'], 'content': text}]
        if role in ('system', 'developer'): system.append(text)
        elif messages and messages[-1]['role'] == role: messages[-1]['content'] += parts
        else: messages.append({'role': role, 'content': parts})
    limit = asked.get('max_completion_tokens') or asked.get('max_tokens') or 4096
    body = {'model': asked['model'], 'messages': messages, 'max_tokens': limit, 'stream': bool(asked.get('stream'))}
    if system: body['system'] = '\n'.join(system)
    body.update({name: asked[name] for name in ('temperature', 'top_p') if name in asked})
    stop = asked.get('stop')
    if stop: body['stop_sequences'] = [stop] if isinstance(stop, str) else stop
    made = [tool['function'] for tool in asked.get('tools') or []]
    tools = [{'name': tool['name'], 'description': tool.get('description', ''), 'input_schema': tool['parameters']}
             for tool in made]
    if tools: body['tools'] = tools
    choice = asked.get('tool_choice')
    if isinstance(choice, dict): body['tool_choice'] = {'type': 'tool', 'name': choice['function']['name']}
    elif choice: body['tool_choice'] = {'type': {'required': 'any'}.get(choice, choice)}
    if asked.get('parallel_tool_calls') is False and made:
        body['tool_choice'] = {'type': 'auto', **body.get('tool_choice', {}), 'disable_parallel_tool_use': True}
    return body

ROUTES = {'/v1/messages': (AnthropicWriter, to_chat, read_chat, '/v1/chat/completions'),
          '/v1/chat/completions': (ChatWriter, to_anthropic, read_anthropic, '/v1/messages')}

class Gateway(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm, opened = 'HTTP/1.1', True, False
    def log_message(self, *_): pass
    def do_POST(self):
        self.opened = False
        body = json.loads(self.rfile.read(int(self.headers.get('content-length') or 0)))
        write, translate, self.read, path = ROUTES[self.path]
        self.writer, over = write(body['model']), threading.Event()
        at = urlsplit(sys.argv[2])
        below = http.client.HTTPConnection(at.hostname, at.port, timeout=SILENCE)
        try:
            below.connect()
            threading.Thread(target=self.watch, args=(below.sock, over), daemon=True).start()
            self.answer(body, translate(body), path, below)
        except (Failed, OSError, http.client.HTTPException, ValueError, KeyError) as error: self.fail(error)
        finally:
            over.set()
            below.close()
    def watch(self, below, over):
        """Lets the provider go when the client has left."""
        while not over.is_set():
            if not select.select([self.connection], [], [], 0.1)[0]: continue
            try: gone = not self.connection.recv(1, socket.MSG_PEEK)
            except OSError: gone = True
            if gone and not over.is_set(): below.shutdown(socket.SHUT_RDWR)
            return
    def answer(self, asked, body, path, below):
        fields = {'content-type': 'application/json', 'anthropic-version': '2023-06-01'}
        below.request('POST', path, json.dumps(body), fields)
        response, answer = below.getresponse(), Answer()
        if response.status >= 400:
            text = response.read()
            try: text = message_of(json.loads(text))
            except ValueError: text = f'the provider answered {response.status}'
            raise Failed(text, response.status, response.getheader('retry-after'))
        if not asked.get('stream'):
            answer.text = self.read(answer, json.loads(response.read()))
            if answer.stop is None: raise Failed('the answer of the provider has no end')
            return self.respond(200, self.writer.whole(answer))
        for data in read_events(response):
            if data == '[DONE]': answer.over = True
            else: text = self.read(answer, json.loads(data))
            if data != '[DONE]' and text: self.send(self.writer.text(text))
        if not answer.over: raise Failed('the answer of the provider broke off')
        self.send(self.writer.end(answer))
        self.wfile.write(b'0\r\n\r\n')
    def send(self, text):
        if not self.opened:
            self.opened, text = True, self.writer.start() + text
            self.send_response(200)
            self.send_header('content-type', 'text/event-stream')
            self.send_header('transfer-encoding', 'chunked')
            self.end_headers()
        data = text.encode()
        self.wfile.write(b'%x\r\n%s\r\n' % (len(data), data))
    def respond(self, status, body, retry=None):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(data)))
        if retry: self.send_header('retry-after', retry)
        self.end_headers()
        self.wfile.write(data)
    def fail(self, error):
        error = error if isinstance(error, Failed) else Failed('the provider cannot be read')
        try:
            body = self.writer.error(error.status, str(error))
            if not self.opened: return self.respond(error.status, body, error.retry)
            self.send(self.writer.failed(error))
            self.wfile.write(b'0\r\n\r\n')
        except OSError: self.close_connection = True  # the client has left

def main(): ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Gateway).serve_forever()

if __name__ == '__main__': main()
