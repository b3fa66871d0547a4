"""A small whole agent: work from a Fold (Coven) gateway, answers of a model in OpenAI's Chat Completions, three tools.

Check it with: wireproof check --statement conformance/examples/whole_agent.yaml
Needs Python 3.8 or later and `pip install grpcio protobuf`; the messages of the gateway are in coven_pb2.py, beside it.
Usage: python3 whole_agent.py HOST:PORT (or WIREPROOF_ADDRESS). It reads OPENAI_BASE_URL, OPENAI_API_KEY, MODEL and
CONTEXT_WINDOW (tokens). A thread reads the gateway, and each request works in a thread of its own.
"""
import http.client, json, os, platform, queue, socket, sys, threading
from urllib.parse import urlsplit
from uuid import uuid4
import grpc

sys.dont_write_bytecode = True  # no __pycache__ among the examples
from coven_pb2 import AgentMessage, ServerMessage

BASE = urlsplit(os.environ.get('OPENAI_BASE_URL', 'https://api.openai.com/v1'))
MODEL = os.environ.get('MODEL', 'wireproof-1')
WINDOW = int(os.environ.get('CONTEXT_WINDOW', '128000'))
ANSWER = 1024  # tokens of the window that are left for an answer
SILENCE = 60  # seconds that the model may be silent
ATTEMPTS, RETRIED = 3, {408, 409, 429}  # requests in all; other refusals below 500 are final
ROUNDS = 16  # model requests of one request of the gateway
IMMEDIATE, DEFERRED = 1, 3  # every other priority is NORMAL

class Stopped(Exception): "The request has ended: whatever works for it stops."

class ModelError(Exception):
    def __init__(self, message, retry=None, too_long=False):
        super().__init__(message)
        self.retry, self.too_long = retry, too_long  # retry: seconds until another attempt may help

# The tools. Each is given the request that it works for, and the arguments of the call.
def echo(request, text): return text
def write(request, text): return 'written'
def wait(request, ms):
    request.sleep(ms / 1000)
    return f'waited {ms} ms'

class Tool:
    def __init__(self, run, about, parameter, kind, gated=False):
        self.run, self.parameter, self.gated = run, parameter, gated
        schema = {'type': 'object', 'properties': {parameter: {'type': kind}}, 'required': [parameter]}
        self.offer = {'type': 'function'}
        self.offer['function'] = {'name': run.__name__, 'description': about, 'parameters': schema}

TOOLS = {tool.run.__name__: tool for tool in (
    Tool(echo, 'Gives a text back.', 'text', 'string'),
    Tool(write, 'Writes a note.', 'text', 'string', gated=True),
    Tool(wait, 'Waits.', 'ms', 'integer'),
)}
OFFERED = [tool.offer for tool in TOOLS.values()]

def tokens(value):
    """About as many as a tokenizer would count, and rather too many."""
    return len(json.dumps(value, ensure_ascii=False).encode('utf-8', 'replace')) // 3

class Exchange:
    """One model request. Any thread may close it, which lets go of the model at once."""
    socket, closed = None, False
    def events(self, body):
        """Sends the request, and yields the events of the answer as they come."""
        make = http.client.HTTPSConnection if BASE.scheme == 'https' else http.client.HTTPConnection
        connection = make(BASE.hostname, BASE.port, timeout=SILENCE)
        headers = {'content-type': 'application/json', 'authorization': f'Bearer {os.environ.get("OPENAI_API_KEY")}'}
        began = False
        try:
            connection.connect()
            self.socket = connection.sock
            if self.closed: raise Stopped
            connection.request('POST', f'{BASE.path}/chat/completions', json.dumps(body), headers)
            response = connection.getresponse()
            if response.status != 200: raise refusal(response)
            for line in response:
                field, _, data = line.decode().partition(':')
                if field != 'data' or not data.strip(): continue
                if data.strip() == '[DONE]': return
                began = True
                yield json.loads(data)
        except (OSError, http.client.HTTPException) as error:
            raise ModelError(f'the model cannot be reached: {error!r}', retry=None if began else 1)
        finally:
            connection.close()
    def close(self):
        self.closed = True
        try: self.socket and self.socket.shutdown(socket.SHUT_RDWR)
        except OSError: pass  # the model was faster

def refusal(response):
    text = response.read(10000).decode('utf-8', 'replace')
    final = response.status not in RETRIED and response.status < 500
    try: seconds = float(response.getheader('retry-after') or 1)
    except ValueError: seconds = 1  # a date
    too_long = 'context_length_exceeded' in text or 'maximum context length' in text
    return ModelError(f'status {response.status}: {text}', None if final or seconds > SILENCE else seconds, too_long)

class Answer:
    """What the events of one model request come to."""
    def __init__(self): self.text, self.calls, self.finish, self.usage = '', {}, None, None
    def take(self, event):
        """Takes an event in, and returns its text."""
        if event.get('error'): raise ModelError(f'the model failed: {json.dumps(event["error"])}')
        self.usage = event.get('usage') or self.usage
        choice = (event.get('choices') or [{}])[0]
        delta = choice.get('delta') or {}
        self.finish = choice.get('finish_reason') or self.finish
        for part in delta.get('tool_calls') or []:
            call = self.calls.setdefault(part.get('index', 0), {'id': '', 'name': '', 'arguments': ''})
            call['id'] = part.get('id') or call['id']
            for member in ('name', 'arguments'): call[member] += part.get('function', {}).get(member) or ''
        text = delta.get('content') or ''
        self.text += text
        return text
    def whole_calls(self):
        """The calls that may run. A call that the output limit cut is none, also under a false finish_reason."""
        return [call for call in self.calls.values() if self.finish != 'length' and is_whole(call)]
    def message(self, calls):
        made = [{'id': call['id'], 'type': 'function', 'function': {'name': call['name'], 'arguments': call['arguments']}}
                for call in calls]
        return {'role': 'assistant', 'content': self.text or None, **({'tool_calls': made} if made else {})}

def is_whole(call):
    try: given = json.loads(call['arguments'])
    except ValueError: return False
    return isinstance(given, dict) and (call['name'] not in TOOLS or TOOLS[call['name']].parameter in given)

class Conversation:
    """The turns of a thread. Each is the list of messages that began with a message of the gateway."""
    def __init__(self): self.turns, self.last = [], None
    def messages(self): return [message for turn in self.turns for message in turn]
    def fit(self, room):
        """Forgets the oldest turns until the rest fits into the room (tokens). Returns whether it does."""
        while len(self.turns) > 1 and tokens(self.messages()) > room: self.turns.pop(0)
        return tokens(self.messages()) <= room

class Request:
    """One SendMessage on its way to its one end."""
    ended, exchange, tool_in_hand, awaits, decision, approves_all = False, None, None, None, None, False
    def __init__(self, agent, message):
        self.agent, self.id, self.texts, self.turn = agent, message.request_id, [], []
        self.conversation = agent.conversations.setdefault(message.thread_id or self.id, Conversation())
        before, self.conversation.last = self.conversation.last, threading.Thread(daemon=True, target=self.run)
        self.content, self.before = message.content, before
        self.conversation.last.start()
    def run(self):
        if self.before: self.before.join()  # requests of one thread run one after another
        if self.ended: return
        self.turn.append({'role': 'user', 'content': self.content})
        self.conversation.turns.append(self.turn)
        try:
            for _ in range(ROUNDS):
                if self.round(): return
            self.end(error='too many rounds')
        except Stopped: pass
        except Exception as error: self.end(error=str(error) or repr(error))
    def round(self):
        """One answer of the model, and its tools. Returns whether that was the last."""
        with self.agent.lock: self.turn += [{'role': 'user', 'content': text} for text in self.agent.due(self)]
        answer = self.ask()
        if answer.usage: self.send(usage=counts(answer.usage))
        calls = answer.whole_calls()
        if answer.text or calls: self.turn.append(answer.message(calls))
        if len(calls) < len(answer.calls) or answer.finish == 'length': self.send(text='\n[The answer was cut.]')
        results = [{'role': 'tool', 'tool_call_id': call['id'], 'content': 'The user cancelled this.'} for call in calls]
        self.turn += results  # each call has one from now on, because the thread may go on after a cancel
        for call, result in zip(calls, results): result['content'] = self.use(call)
        with self.agent.lock:
            if calls or self.agent.is_urgent(self): return False
            self.end(done={'full_response': ''.join(self.texts)})
            return True
    def ask(self):
        """The answer of the model. Asks again when that may help, and nothing of an answer was shown."""
        room, attempts, shortened = WINDOW - ANSWER - tokens(OFFERED), 1, 0
        while True:
            if not self.conversation.fit(room): raise ModelError('the message does not fit into the context window')
            answer = Answer()
            try:
                self.stream(answer)
                return answer
            except ModelError as error:
                if self.ended: raise Stopped
                if error.too_long and shortened < 2:
                    shortened, room = shortened + 1, tokens(self.conversation.messages()) // 2
                elif error.retry is not None and attempts < ATTEMPTS:
                    self.sleep(error.retry * attempts)
                    attempts += 1
                else: raise
    def stream(self, answer):
        body = {'model': MODEL, 'messages': self.conversation.messages(), 'tools': OFFERED, 'max_tokens': ANSWER,
                'stream': True, 'stream_options': {'include_usage': True}}
        exchange = Exchange()
        with self.agent.lock:
            if self.ended: raise Stopped
            self.exchange = exchange
        try:
            for event in exchange.events(body):
                text = answer.take(event)
                if text: self.send(text=text)
            if answer.finish is None: raise ModelError('the answer of the model broke off')
        except Exception:  # the thread remembers what was said
            if answer.text: self.turn.append(answer.message([]))
            raise
    def use(self, call):
        """Runs a call, after its approval if it needs one. Returns its result for the model."""
        tool, id = TOOLS.get(call['name']), str(uuid4())
        use = {'id': id, 'name': call['name'], 'input_json': call['arguments']}
        self.send(tool_use=use)
        self.enter(id, 'PENDING')
        if tool is None: return self.result(id, 'FAILED', 'There is no such tool.')
        if tool.gated and not self.approves_all:
            with self.agent.lock:
                self.awaits, self.decision = id, None
                self.send(tool_approval_request=use)
                self.enter(id, 'AWAITING_APPROVAL')
                self.agent.changed.wait_for(lambda: self.ended or self.decision, 300)
                if not (self.decision and self.decision.approved):
                    return self.result(id, 'DENIED', 'The user denied this call.')
                self.approves_all = self.decision.approve_all
        self.enter(id, 'RUNNING')
        try: return self.result(id, 'COMPLETED', tool.run(self, json.loads(call['arguments'])[tool.parameter]))
        except Stopped: raise
        except Exception as error: return self.result(id, 'FAILED', repr(error))
    def enter(self, id, state):
        with self.agent.lock:
            self.send(tool_state={'id': id, 'state': f'TOOL_STATE_{state}'})
            self.tool_in_hand = id
    def result(self, id, state, output):
        with self.agent.lock:
            self.enter(id, state)
            self.tool_in_hand = None
            self.send(tool_result={'id': id, 'output': str(output), 'is_error': state != 'COMPLETED'})
        return str(output)
    def sleep(self, seconds):
        with self.agent.lock: self.agent.changed.wait_for(lambda: self.ended, seconds)
        if self.ended: raise Stopped
    def send(self, **event):
        with self.agent.lock:
            if self.ended: raise Stopped
            self.texts.append(event.get('text', ''))
            self.agent.send(response={'request_id': self.id, **event})
    def end(self, **event):
        """Sends the end, once, and stops whatever the request was doing."""
        with self.agent.lock:
            if self.ended: return
            if self.tool_in_hand: self.enter(self.tool_in_hand, 'CANCELLED')
            self.send(**event)
            self.ended = True
            self.agent.running.pop(self.id, None)
            self.agent.changed.notify_all()
            if self.exchange: self.exchange.close()

def counts(usage):
    read = (usage.get('prompt_tokens_details') or {}).get('cached_tokens') or 0
    thought = (usage.get('completion_tokens_details') or {}).get('reasoning_tokens') or 0
    return {'input_tokens': usage['prompt_tokens'], 'output_tokens': usage['completion_tokens'],
            'cache_read_tokens': read, 'thinking_tokens': thought}

class Agent:
    """The stream to the gateway, and what its requests share under one lock."""
    def __init__(self, channel):
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)  # a decision came, or a request ended
        self.conversations, self.running, self.acks, self.waiting = {}, {}, {}, []
        self.outgoing = queue.SimpleQueue()
        method = '/coven.CovenControl/AgentStream', AgentMessage.SerializeToString, ServerMessage.FromString
        about = {'working_directory': os.getcwd(), 'hostname': platform.node(), 'os': sys.platform, 'backend': 'openai'}
        features = ['token_usage', 'tool_states', 'injection', 'cancellation']
        self.send(register={'agent_id': f'whole-{uuid4()}', 'name': 'A whole agent', 'metadata': about,
                            'protocol_features': features})
        self.call = channel.stream_stream(*method)(iter(self.outgoing.get, None))
    def send(self, **payload): self.outgoing.put(AgentMessage(**payload))
    def read(self):
        for message in self.call:
            kind = message.WhichOneof('payload')
            with self.lock: getattr(self, f'on_{kind}', lambda _: None)(kind and getattr(message, kind))
    def on_send_message(self, message): self.running[message.request_id] = Request(self, message)
    def on_cancel_request(self, message):
        request = self.running.get(message.request_id)
        if request: request.end(cancelled={'reason': message.reason})
    def on_tool_approval(self, message):
        for request in self.running.values():
            if request.awaits == message.id: request.decision = message
        self.changed.notify_all()
    def on_inject_context(self, message):
        id, fits = message.injection_id, tokens(message.content) < WINDOW // 2
        if id not in self.acks and fits: self.waiting.append((next(iter(self.running.values()), None), message))
        reason = {} if fits else {'reason': 'context too large'}
        self.send(injection_ack=self.acks.setdefault(id, {'injection_id': id, 'accepted': fits, **reason}))
    def due(self, request):
        """The injections that stand in the next model request of a request, which takes them."""
        is_due = lambda owner, message: (message.priority != DEFERRED if owner is request else not owner or owner.ended)
        due = [message.content for owner, message in self.waiting if is_due(owner, message)]
        self.waiting = [one for one in self.waiting if not is_due(*one)]
        return due
    def is_urgent(self, request):
        return any(owner is request and message.priority == IMMEDIATE for owner, message in self.waiting)
    def on_shutdown(self, message):
        for request in list(self.running.values()): request.end(error=f'the agent stops: {message.reason}')
        self.outgoing.put(None)
        leave = threading.Timer(5, self.call.cancel)  # should the gateway not end the stream
        leave.daemon = True
        leave.start()

def main(address):
    with grpc.insecure_channel(address, [('grpc.enable_http_proxy', 0)]) as channel:
        try: Agent(channel).read()
        except grpc.RpcError as error: sys.exit(f'{error.code()}: {error.details()}')

main(sys.argv[1] if len(sys.argv) > 1 else os.environ['WIREPROOF_ADDRESS'])
