"""A Fold (Coven) agent that obeys Wireproof's directives: copy it, and put your own library where it talks gRPC.

spec/fold/README.md explains both. Needs Python 3.8 or later and two packages: `pip install grpcio protobuf`, or on
Debian `apt install python3-grpcio python3-protobuf`. The messages are in coven_pb2.py, beside it.
Usage: python3 fold_agent.py HOST:PORT (or WIREPROOF_ADDRESS; heeds AGENT_ID)
"""
import asyncio, json, os, platform, re, signal, stat, sys, time
from base64 import b64decode
from uuid import uuid4
import grpc

sys.dont_write_bytecode = True  # no __pycache__ among the examples
from coven_pb2 import AgentMessage, ServerMessage

METHOD = '/coven.CovenControl/AgentStream', AgentMessage.SerializeToString, ServerMessage.FromString
FEATURES = ['token_usage', 'tool_states', 'injection', 'cancellation']
ABOUT = {'working_directory': os.getcwd(), 'hostname': platform.node(), 'os': sys.platform, 'backend': 'none'}
IMMEDIATE, DEFERRED = 1, 3  # every other priority is NORMAL
agent_id = os.environ.get('AGENT_ID') or f'example-agent-{os.getpid()}'
stream = None  # the present registration, and all that is lost with it

def parse(content):
    """The steps of a directive as (name, argument, times); other content is said back. Raises what is malformed."""
    asked = json.loads(content) if re.match(r'\s*\{.*"wireproof"', content, re.S) else {}
    directive = asked['wireproof'] if 'wireproof' in asked else {'do': [{'say': content}]}
    if directive.get('v', 1) != 1 or not isinstance(directive['do'], list):
        raise ValueError('not a directive of version 1')
    steps = [(step.pop('times', 1), *step.items()) for step in directive['do']]
    return [(name, argument, times) for times, (name, argument) in steps]  # exactly one name each

class Request:
    """One SendMessage on its way to its one terminal: a task, which whatever ends the request cancels."""
    ended = echoes = approves_all = refusal = tool_in_hand = None
    def __init__(self, message):
        self.id, self.thread_id, self.texts, self.inbox = message.request_id, message.thread_id, [], []
        self.releases = asyncio.Semaphore(0)  # counts those that come while it is not holding
        before = [r.task for r in stream.requests.values() if r.thread_id and r.thread_id == self.thread_id]
        self.task = asyncio.ensure_future(self.run(message.content, before))
    async def run(self, content, before):
        doing = 'directive'
        try:
            for task in before: await asyncio.wait([task])
            stream.running[self.id] = self
            directive = parse(content)
            if directive and directive[0][0] == 'echo_injections':
                self.inbox, stream.kept = stream.kept, []
            for doing, argument, times in directive:
                await self.breathe()  # counts as part of the step: what comes meanwhile has its place after it
                await getattr(self, f'do_{doing}')(*[argument, times][:2 if doing == 'say' else 1])
                due, self.inbox = self.inbox, []  # at once, before another task runs: the place of NORMAL
                for _, text in due if self.echoes else []: self.send(text=text)
            text = ''.join(self.texts)
            self.end(done={'full_response': text if len(text.encode()) <= 1 << 20 else ''})
        except Exception:  # asyncio.CancelledError is none
            self.end(error=f'unsupported: {doing}')
    async def breathe(self):
        await asyncio.sleep(0)  # lets others run,
        await stream.queue.join()  # and a gateway catch up that reads slower than the agent writes
    def send(self, **event):
        if self.ended: raise asyncio.CancelledError
        stream.send(response={'request_id': self.id, **event})
        self.texts.append(event.get('text', ''))
    def end(self, **terminal):
        """Sends the terminal, if there is still a stream, and stops what the request was doing."""
        if terminal and not self.ended:
            self.enter('CANCELLED')
            self.send(**terminal)
        if not self.ended:
            self.ended = True
            stream.requests.pop(self.id, None)
            stream.running.pop(self.id, None)
            stream.kept = sorted(stream.kept + self.inbox)  # in order of arrival
            self.task.cancel()
    async def answer(self, id, seconds):
        """Waits for the decision on a tool, or the result of a pack call: None if none comes in time."""
        future = stream.asked[id] = asyncio.get_running_loop().create_future()
        await asyncio.wait([future], timeout=seconds)
        return future.result() if future.done() else None
    def enter(self, state):
        self.tool_in_hand and self.send(tool_state={'id': self.tool_in_hand, 'state': f'TOOL_STATE_{state}'})
    async def do_tool(self, tool):
        state = {'ok': 'COMPLETED', 'fail': 'FAILED', 'timeout': 'TIMEOUT'}[tool.get('outcome', 'ok')]
        use = {'id': str(uuid4()), 'name': tool['name'], 'input_json': json.dumps(tool.get('input', {}))}
        self.send(tool_use=use)
        self.tool_in_hand = use['id']
        self.enter('PENDING')
        if tool.get('approval') and not self.approves_all:
            self.send(tool_approval_request=use)
            self.enter('AWAITING_APPROVAL')
            decision = await self.answer(use['id'], tool.get('approval_timeout_ms', 300_000) / 1000)
            state = state if decision and decision.approved else 'DENIED'
            self.approves_all = decision and decision.approved and decision.approve_all
        if state != 'DENIED':
            self.enter('RUNNING')
            await self.do_hold(tool.get('hold'))
        self.enter(state)
        self.tool_in_hand = None
        result = {'id': use['id'], 'output': 'denied' if state == 'DENIED' else tool.get('output', '')}
        self.send(tool_result={**result, 'is_error': state != 'COMPLETED'})
    async def do_pack_tool(self, tool):
        id, input_json = str(uuid4()), json.dumps(tool.get('input', {}))
        stream.send(execute_pack_tool={'request_id': id, 'tool_name': tool['name'], 'input_json': input_json})
        result = await self.answer(id, 30)
        self.send(text=result.output_json or result.error if result else 'timeout')
    async def do_say(self, text, times):
        for _ in range(times):
            await self.breathe()
            self.send(text=text)
    async def do_session(self, event):
        self.send(**{f'session_{event}': {'session_id': str(uuid4())} if event == 'init' else {}})
        event == 'orphaned' and self.end(error='session orphaned')
    async def do_hold(self, hold): hold and await self.releases.acquire()
    async def do_think(self, text): self.send(thinking=text)
    async def do_wait_ms(self, ms): await asyncio.sleep(ms / 1000)
    async def do_usage(self, counts): self.send(usage=counts)
    async def do_file(self, file): self.send(file={'data': b64decode(file.pop('base64')), **file})
    async def do_heartbeat(self, _): stream.send(heartbeat={'timestamp_ms': int(time.time() * 1000)})
    async def do_fail(self, error): self.end(error=error)
    async def do_echo_injections(self, echoes): self.echoes = echoes
    async def do_reject_injections(self, reason): self.refusal = reason

class Stream:
    """One registration. Requests work in tasks, so that the reading always goes on."""
    stopping = False
    def __init__(self, channel):
        self.requests, self.running, self.asked, self.acks, self.kept = {}, {}, {}, {}, []
        self.queue, self.call = asyncio.Queue(), channel.stream_stream(*METHOD)(self.outgoing())
        me = {'agent_id': agent_id, 'name': 'Wireproof example', 'metadata': ABOUT, 'protocol_features': FEATURES}
        self.send(register=me)
    def send(self, **payload): self.queue.put_nowait(AgentMessage(**payload))
    async def outgoing(self):
        while message := await self.queue.get():
            yield message  # one at a time: no gRPC stream takes more
            self.queue.task_done()
    def receive(self, kind, m):
        global agent_id
        if kind == 'welcome':
            agent_id = m.agent_id or agent_id
        elif kind == 'registration_error':
            agent_id = m.suggested_id or f'{agent_id}-1'
            self.call.cancel()  # from here on a loss like any other
        elif kind == 'send_message':
            self.requests[m.request_id] = Request(m)
        elif kind == 'cancel_request' and m.request_id in self.requests:
            self.requests[m.request_id].end(cancelled={'reason': m.reason})
        elif kind in ('tool_approval', 'pack_tool_result'):
            answered = self.asked.pop(m.id if kind == 'tool_approval' else m.request_id, None)
            answered and answered.set_result(m)
        elif kind == 'inject_context':
            self.inject(m, list(self.running.values()))
        elif kind == 'shutdown':
            self.stop(m.reason)
    def inject(self, m, running):
        refusal = next((r.refusal for r in running if r.refusal is not None and m.content != 'release'), None)
        ack = {'injection_id': m.injection_id, 'accepted': refusal is None, 'reason': refusal}
        repeated, placed = m.injection_id in self.acks, (len(self.acks), m.content)
        self.send(injection_ack=self.acks.setdefault(m.injection_id, ack))
        if repeated or refusal is not None: return
        if m.content == 'release':
            for request in running: request.releases.release()
        elif m.priority == DEFERRED or not running:
            self.kept.append(placed)
        elif m.priority != IMMEDIATE:
            running[0].inbox.append(placed)
        elif running[0].echoes:
            running[0].send(text=m.content)
    def stop(self, reason):
        self.stopping = True
        for request in list(self.requests.values()): request.end(error=f'shutdown: {reason}')
        self.queue.put_nowait(None)
        asyncio.get_running_loop().call_later(5, sys.exit)  # should the gateway not end the stream

async def main(address):
    global stream
    loop, tries = asyncio.get_running_loop(), 0
    def stop():
        sys.exit() if stream.call.done() else stream.stop('the agent is stopped')
    for number in (signal.SIGTERM, signal.SIGINT): loop.add_signal_handler(number, stop)
    if stat.S_IFMT(os.fstat(0).st_mode) in (stat.S_IFIFO, stat.S_IFSOCK):
        loop.add_reader(0, lambda: os.read(0, 4096) or loop.remove_reader(0) and stop())
    while tries < 20:
        began = time.monotonic()
        # A channel for each try: one that failed would add its own backoff to ours.
        options = [('grpc.use_local_subchannel_pool', 1), ('grpc.enable_http_proxy', 0)]
        async with grpc.aio.insecure_channel(address, options) as channel:
            stream = Stream(channel)
            try:
                async for message in stream.call:
                    kind = message.WhichOneof('payload')
                    stream.stopping or stream.receive(kind, getattr(message, kind or 'welcome'))
            except (grpc.RpcError, asyncio.CancelledError): pass  # the status says it too
            for request in list(stream.requests.values()): request.end()
            if stream.stopping: sys.exit()
            print(f'stream ended: {await stream.call.code()} {await stream.call.details()}', file=sys.stderr)
        tries = 1 if time.monotonic() - began > 0.5 else tries + 1
        await asyncio.sleep(min(0.25 * 2 ** tries, 4))
    sys.exit(1)

asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else os.environ['WIREPROOF_ADDRESS']))
