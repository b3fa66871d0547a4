"""A TOON (Task Orchestration Over Node) subagent that obeys Wireproof's directives: copy it, and put your own library
where it talks TOON, and your own work in the place of `steps`. spec/toon/README.md explains both. Beside this file are
toon_wire.py, which makes the bytes, and toon_carriers.py, which carries them. Needs Python 3.8 or later on Linux or
macOS, and nothing else.
Usage: python3 toon_subagent.py [HOST:PORT | ws://HOST:PORT/PATH]   without an address it talks over stdin and stdout
"""
import asyncio, json, sys

sys.dont_write_bytecode = True  # no __pycache__ among the examples
from toon_carriers import dial
from toon_wire import Refused, decode, encode

IDLE, HEARTBEAT = 30, 10  # seconds: a peer that was silent so long is dead (TOON-51); so it hears of us more often
TO_ORCHESTRATOR = 'TOOL_CALL', 'STATUS', 'CONTEXT_REQUEST'  # nobody may send these to a subagent (TOON-34)

class Ended(Exception): """The instruction has ended before its last step."""

def steps(instruction):
    """The steps of a directive as (name, argument); for any other instruction, what it is answered with."""
    try:
        directive = json.loads(instruction)['wireproof']
    except (ValueError, TypeError, KeyError, RecursionError):
        return [('status', {'status': 'analyzing', 'progress': 0.1})]
    if directive.get('v', 1) != 1 or not isinstance(directive['do'], list):
        raise ValueError('not a directive of version 1')
    progressing = [{'status': {'status': step['say'], 'progress': step['progress']}}
                   if {*step} == {'say', 'progress'} else step for step in directive['do']]
    return [(name, argument) for step in progressing for [(name, argument)] in [step.items()]]  # one name each

class Subagent:
    """One connection. The work is a task of its own, so that the reading always goes on."""
    def __init__(self, link):
        self.link, self.sequence_id, self.last_seen = link, 0, None
        self.instructions, self.open = asyncio.Queue(), {'TOOL_RESULT': [], 'CONTEXT_RESPONSE': []}
    def send(self, type, payload):
        self.link.send(encode(type, payload, self.sequence_id))
        self.sequence_id = (self.sequence_id + 1) % 2 ** 32  # TOON-30, 31
    async def read(self):
        while (frames := await asyncio.wait_for(self.link.receive(), IDLE)) is not None:
            for frame in frames: self.take(frame)
    def take(self, frame):
        try:
            header, type, payload, _ = decode(frame)
        except Refused as refused:
            self.send('ERROR', {'code': 'BAD_FRAME', 'message': f'{refused.code}: {refused}'})  # TOON-41
            if refused.code == 'too-large' or self.link.cutter.closed: raise  # ends the connection (TOON-39)
            return
        self.track(header.sequenceId)
        if type in TO_ORCHESTRATOR:
            self.send('ERROR', {'code': 'WRONG_DIRECTION', 'message': f'{type} is not for a subagent'})
        elif type == 'INSTRUCTION':
            self.instructions.put_nowait(payload['instruction'])
        elif type in self.open:
            self.match(self.open[type], payload)
        elif type == 'ERROR':
            print(f'the orchestrator reports: {payload["message"]!r}', file=sys.stderr)
    def track(self, sequence_id):
        """Reports what is missing or came again (TOON-33). Ids wrap, so only their distance says which is later."""
        ahead = 1 if self.last_seen is None else (sequence_id - self.last_seen) % 2 ** 32
        if ahead != 1:
            what = 'a duplicate' if ahead == 0 else 'a gap' if ahead < 2 ** 31 else 'out of order'
            print(f'sequenceId {sequence_id} after {self.last_seen}: {what}', file=sys.stderr)
        if ahead < 2 ** 31: self.last_seen = sequence_id
    def match(self, asked, answer):
        """An answer goes to the question with its requestId; where one of them has none, to the oldest (TOON-40)."""
        id = answer.get('requestId')
        fits = [one for one in asked if one[0] == id] or [one for one in asked if None in (id, one[0])]
        for one in fits[:1]:  # what answers nothing is ignored
            asked.remove(one)
            one[1].set_result(answer)
    async def work(self):
        """One instruction after the other, each to its one end: STATUS completed, or an ERROR (TOON-50)."""
        while True:
            doing, instruction = 'directive', await self.instructions.get()
            try:
                for doing, argument in steps(instruction):
                    await getattr(self, f'do_{doing}')(argument)
                    await self.link.writer.drain()  # no faster than the peer reads
                await self.do_status({'status': 'completed', 'progress': 1})
            except Ended:
                pass
            except Exception:  # asyncio.CancelledError is none
                self.send('ERROR', {'code': 'UNSUPPORTED', 'message': f'unsupported: {doing}'})
    async def beat(self):
        while True:
            await asyncio.sleep(HEARTBEAT)
            self.send('HEARTBEAT', {})  # TOON-47
    def ask(self, type, payload, answer):
        """Sends a question; gives the future of its answer, which is of another type."""
        self.send(type, payload)
        future = asyncio.get_running_loop().create_future()
        self.open[answer].append((payload.get('requestId'), future))
        return future
    def call(self, tool):
        id = {'requestId': tool['requestId']} if 'requestId' in tool else {}
        payload = {'toolName': tool['name'], 'args': tool.get('args', {}), **id}
        return self.ask('TOOL_CALL', payload, 'TOOL_RESULT')
    async def do_tool(self, tool): await self.call(tool)
    async def do_tools(self, tools):
        results = [await answer for answer in [self.call(tool) for tool in tools]]
        self.send('STATUS', {'status': 'results', 'results': [result.get('data') for result in results]})
    async def do_context(self, context): await self.ask('CONTEXT_REQUEST', context, 'CONTEXT_RESPONSE')
    async def do_status(self, status):
        self.send('STATUS', status)
        if status['status'] == 'completed': raise Ended  # whoever wanted it said
    async def do_say(self, text): await self.do_status({'status': text})
    async def do_pad(self, pad):
        text, size = pad['text'].encode(), pad['bytes']
        padding = (text * (size // len(text) + 1))[:size].decode(errors='ignore')  # no half characters
        self.send('STATUS', {'status': 'pad', 'text': padding})
    async def do_heartbeat(self, _): self.send('HEARTBEAT', {})
    async def do_wait_ms(self, ms): await asyncio.sleep(ms / 1000)
    async def do_hold(self, _): await asyncio.get_running_loop().create_future()
    async def do_fail(self, error):
        self.send('ERROR', error)
        raise Ended

async def main(address=None):
    try: link = await dial(address)
    except (OSError, EOFError) as error: sys.exit(f'cannot reach {address}: {error}')
    subagent = Subagent(link)
    tasks = [asyncio.ensure_future(task) for task in (subagent.work(), subagent.beat())]
    try: await subagent.read()
    except asyncio.TimeoutError: print(f'the orchestrator was silent for {IDLE} s', file=sys.stderr)
    except (OSError, EOFError, Refused) as error: print(f'the connection ends: {error}', file=sys.stderr)
    for task in tasks: task.cancel()
    await link.close()

asyncio.run(main(*sys.argv[1:2]))
