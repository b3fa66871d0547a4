"""A Koda engine that obeys Wireproof's directives: copy it, and put your own model and tools in the place of the steps.
spec/koda/README.md explains the messages, the order of a turn, and the steps. It reads commands on stdin and writes
events on stdout, one JSON object a line. Needs Python 3.8 or later on Linux or macOS, and nothing else.
Usage: python3 koda_engine.py
"""
import asyncio, json, sys, time, uuid

LINE = 1 << 20  # bytes: a longer line is dropped
WINDOW, MODEL, PROVIDER = 32000, 'example', 'wireproof'
TOKENS = 'prompt_tokens', 'completion_tokens', 'cache_read_tokens', 'thinking_tokens'
COMMANDS = {  # the required fields of each command, and their types; others are ignored (KODA-04)
    'user_prompt': {'text': str}, 'interrupt': {}, 'quit': {}, 'loop_decision': {'action': str},
    'ask_user_response': {'id': str, 'answer': str}, 'approval_response': {'id': str, 'decision': dict},
    'slash_command': {'cmd': str},
}

class Object(dict): """A JSON object, with the names that stand twice in it."""
class Failed(Exception): """The inference has failed: the turn ends with this error."""
class Stopped(Exception): """The user has stopped the turn at its cap."""

def read_command(line):
    """The command of a line; an exception for one that cannot be read: it is dropped alone (KODA-65)."""
    def noting(pairs):
        names, found = [name for name, _ in pairs], Object(pairs)
        found.twice = {name for name in names if names.count(name) > 1}
        return found
    command = json.loads(line.decode('utf-8'), object_pairs_hook=noting)
    known = {'type', 'images', *COMMANDS[command['type']]}
    if command.twice & known: raise ValueError('a field stands twice')  # KODA-08; unknown ones may (KODA-67)
    for name, kind in COMMANDS[command['type']].items():
        if not isinstance(command[name], kind): raise ValueError(f'{name} is no {kind.__name__}')
    return command

def read_steps(prompt):
    """The steps of a directive; any other prompt has one: it is repeated."""
    try:
        directive = json.loads(prompt)['wireproof']
    except (ValueError, TypeError, KeyError, RecursionError):
        return [{'say': f'You said: {prompt[:200]}'}]
    if directive.get('v', 1) != 1 or not isinstance(directive['do'], list): raise Failed('unsupported: directive')
    return directive['do']

def texts(value): return [value] if isinstance(value, str) else value

class Engine:
    """One session. Prompts wait in a queue, and each is one turn (KODA-25, 76)."""
    def __init__(self):
        self.prompts, self.turn, self.pause = asyncio.Queue(), None, None
    def send(self, type, **fields):
        text = json.dumps({'type': type, **fields}, ensure_ascii=False, allow_nan=False, separators=(',', ':'))
        sys.stdout.buffer.write(text.encode('utf-8', 'replace') + b'\n')
        sys.stdout.buffer.flush()
    async def read(self, lines):
        """Takes commands until stdin ends."""
        while True:
            try:
                line = await lines.readline()
                if not line: return
                if line.strip() and self.take(read_command(line)): return
            except (ValueError, KeyError, TypeError, RecursionError) as fault:
                print(f'dropped: {fault!r}', file=sys.stderr)
    def take(self, command):
        """Obeys a command. True: the session is over."""
        type = command['type']
        if type == 'quit': return True
        if type == 'user_prompt': self.prompts.put_nowait(command['text'])
        elif type == 'interrupt' and self.turn: self.turn.cancel()  # the prompts that wait are run (KODA-77)
        elif type == 'slash_command': self.slash(command)
        elif self.pause and self.pause[:2] == (type, command.get('id')):  # what answers nothing is ignored (KODA-40, 47)
            self.pause[2].set_result(command)
            self.pause = None
    def slash(self, command):
        if command['cmd'] == 'inject_prompt': self.prompts.put_nowait(command['text'])
        else: self.send('info', message=f'/{command["cmd"]}: nothing to do in an example')
    async def ask(self, type, id=None):
        """Waits for the command that answers a pause."""
        answer = asyncio.get_running_loop().create_future()
        self.pause = type, id, answer
        try: return await answer
        finally: self.pause = None
    async def work(self):
        while True:
            prompt = await self.prompts.get()
            id = str(uuid.uuid4())
            self.send('turn_start', turn_id=id)
            self.turn = asyncio.ensure_future(Turn(self).run(prompt))
            try: await asyncio.wait([self.turn])
            except asyncio.CancelledError:  # the session is over
                self.turn.cancel()
                await asyncio.wait([self.turn])
                raise
            finally: self.send('turn_end', turn_id=id, reason=self.reason(self.turn))
            self.turn = None
    def reason(self, turn):
        """KODA-26: error, else cancelled, else complete."""
        if turn.cancelled(): return {'kind': 'cancelled'}
        fault = turn.exception()
        if fault is None or isinstance(fault, Stopped): return {'kind': 'complete'}
        return {'kind': 'error', 'message': str(fault) if isinstance(fault, Failed) else f'{fault!r}'}

class Turn:
    """One turn: responses of the model, each with the calls that follow it."""
    def __init__(self, engine):
        self.send, self.ask, self.began = engine.send, engine.ask, time.monotonic()
        self.stage, self.called = 'none', False  # the present response: none, begun, thought, done
        self.used, self.cap, self.capped, self.tools, self.chars = 100, 200, False, [], 0
        self.tokens = dict.fromkeys(TOKENS, 0)
    async def run(self, prompt):
        doing = 'directive'
        steps = read_steps(prompt)
        for step, following in zip(steps, steps[1:] + [{}]):
            stays_open = 'cancel_point' in following
            try:
                [(doing, value)] = step.items()
                act = getattr(self, f'do_{doing}')
            except Exception: raise Failed(f'unsupported: {doing}')
            await (act(value, stays_open) if doing in ('think', 'say') else act(value))
            await asyncio.sleep(0)
        if self.called or self.stage == 'none': self.begin()
        self.finish()
        self.send('footer', **self.tokens, total_chars=self.chars, elapsed_ms=round(self.elapsed() * 1000),
                  rate=self.chars / max(self.elapsed(), 0.001), context=f'{self.used}/{WINDOW}')  # KODA-50, 81
    def elapsed(self): return time.monotonic() - self.began
    def begin(self):
        """Begins a response: its messages are assembled, and the model is asked (KODA-28)."""
        self.finish()
        self.send('context_usage', used=self.used, max=WINDOW)
        self.send('spinner_start', message='Thinking')
        self.stage, self.called = 'begun', False
    def finish(self):
        """Ends the text of a response, also where it has none (KODA-34)."""
        if self.stage in ('begun', 'thought'):
            if self.stage == 'begun': self.send('spinner_stop')
            self.send('text_done')
            self.stage = 'done'
    async def do_think(self, value, stays_open):
        if self.stage != 'begun': self.begin()
        self.send('spinner_stop')
        self.send('thinking_start')
        for text in texts(value): self.send('thinking_delta', text=text)
        if not stays_open: self.send('thinking_done')
        self.stage = 'thought'
    async def do_say(self, value, stays_open):
        if self.stage not in ('begun', 'thought'): self.begin()
        if self.stage == 'begun': self.send('spinner_stop')
        started = False
        for text in texts(value):
            if not started and text.strip():
                self.send('response_start')  # KODA-33
                started = True
            self.send('text_delta', text=text)
            self.chars += len(text)
        if not stays_open: self.send('text_done')
        self.stage = 'done'
    async def do_tool(self, tool):
        self.before_tools()
        call = self.start(tool)
        name, detail, preview = tool['name'], f'run {tool["name"]}', None
        for kind in ('blocked', 'approval'):
            if isinstance(tool.get(kind), dict):
                detail, preview = tool[kind].get('detail', detail), tool[kind].get('preview')
        if 'blocked' in tool:
            self.tools[-1] = name, None  # it has changed nothing, and does not count (KODA-51)
            return self.send('action_blocked', tool_name=name, detail=detail, preview=preview)
        if 'approval' in tool:
            id = str(uuid.uuid4())
            self.send('approval_request', id=id, tool_name=name, detail=detail, preview=preview)
            decision = (await self.ask('approval_response', id))['decision'].get('decision')
            if decision != 'approve':
                self.tools[-1] = name, None
                return  # the model gets the rejection; there is no result (KODA-41)
        if 'ask' in tool: return self.result(call, name, await self.question(tool['ask']))
        for line, is_stderr in tool.get('lines', []): self.line(call, line, is_stderr)
        if tool.get('hold'): await asyncio.get_running_loop().create_future()
        self.result(call, name, tool.get('output', 'ok'))
    async def do_parallel(self, tools):
        self.before_tools()
        ids = [str(uuid.uuid4()) for _ in tools]
        longest = max((len(tool.get('lines', [])) for tool in tools), default=0)
        for i in range(longest):  # as they come: the lines of all calls mix
            for id, tool in zip(ids, tools):
                for line, is_stderr in tool.get('lines', [])[i:i + 1]: self.line(id, line, is_stderr)
        for id, tool in zip(ids, tools): self.result(self.start(tool, id), tool['name'], tool.get('output', 'ok'))
    def before_tools(self):
        if self.stage == 'none': self.begin()
        self.finish()
        self.called = True
    def start(self, tool, id=None):
        id = id or str(uuid.uuid4())
        if 'sub_agent' in tool: self.send('sub_agent_start', agent_name=tool['sub_agent'])
        self.send('tool_call_start', id=id, name=tool['name'], args=tool.get('args', {}), is_sub_agent='sub_agent' in tool)
        self.tools.append((tool['name'], json.dumps(tool.get('args', {}), sort_keys=True)))
        if tool['name'] in ('Edit', 'Write', 'Delete') and self.tools[-20:].count(self.tools[-1]) == 3:
            self.send('warn', message=f'{tool["name"]} was called three times with the same arguments')  # KODA-51
            raise Stopped
        return id
    def line(self, id, text, is_stderr): self.send('tool_output_line', id=id, line=text, is_stderr=is_stderr)
    def result(self, id, name, output): self.send('tool_call_result', id=id, name=name, output=output)
    async def question(self, ask):
        id = str(uuid.uuid4())
        self.send('ask_user_request', id=id, question=ask['question'], options=ask.get('options', []))
        answer = (await self.ask('ask_user_response', id))['answer']
        return answer if answer.strip() else 'The user gave no answer.'  # KODA-73
    async def do_loop_cap(self, step):
        self.finish()
        if not self.capped: self.cap, self.capped = step.get('cap', self.cap), True  # later: what the decisions made (KODA-74)
        self.send('loop_cap_reached', cap=self.cap, recent_tools=[name for name, _ in self.tools[-5:]])
        more = {'continue50': 50, 'continue200': 200}.get((await self.ask('loop_decision'))['action'])
        if more is None: raise Stopped  # complete, without a footer (KODA-45)
        self.cap += more
        self.begin()
    async def do_usage(self, counts):
        for name in TOKENS: self.tokens[name] += int(counts.get(name, 0))
    async def do_compact(self, step):
        self.used = step['used']
        self.send('context_usage', used=self.used, max=WINDOW)
    async def do_error(self, error):
        self.send('error', message=error['message'])
        if error.get('fatal'): raise Failed(error['message'])
    async def do_cancel_point(self, _): await asyncio.get_running_loop().create_future()
    async def do_wait_ms(self, ms): await asyncio.sleep(ms / 1000)

async def main():
    lines = asyncio.StreamReader(limit=LINE)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin.buffer)
    engine = Engine()
    work = asyncio.ensure_future(engine.work())
    await engine.read(lines)
    work.cancel()
    await asyncio.wait([work])

if __name__ == '__main__':
    try: asyncio.run(main())
    except (KeyboardInterrupt, BrokenPipeError): sys.exit(1)
