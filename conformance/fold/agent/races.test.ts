/** Small traces of what crosses on an agent's wire, which is no fault of the agent's. Found by whole systems. */
import { expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { directive } from '../../../src/fold/index.ts';
import { foldAgentSuite } from './suite.ts';
import { liveJudges } from './live.ts';

const features = ['token_usage', 'tool_states', 'injection', 'cancellation'];
const use = { id: 'tool-1', name: 'write', input_json: '{}' };

/** A trace that is written line by line. */
class Trace {
  readonly events: TraceEvent[] = [];
  at = 0;

  constructor() {
    this.put('', 'kit', 'mark', { run: { drive: 'directive', timeouts: { ...foldAgentSuite.timeouts } } });
  }

  put(stream: string, from: string, kind: TraceEvent['kind'], data: JsonObject = {}): this {
    const to = from === 'kit' ? 'kit' : from === 'target' ? 'gateway' : 'target';
    this.at += 5;
    const where = { wire: 'fold', conn: stream, stream, from, to };
    this.events.push({ seq: this.events.length, at: this.at, ...where, kind, data });
    return this;
  }

  hears(data: JsonObject, stream: string = 's1'): this {
    return this.put(stream, 'gateway', 'message', data);
  }

  says(event: JsonObject): this {
    return this.put('s1', 'target', 'message', { response: { request_id: 'r1', ...event } });
  }

  register(agent_id: string, stream: string): this {
    const metadata = { working_directory: '/', hostname: 'h', os: 'o', backend: 'b' };
    this.put(stream, 'target', 'open').put(stream, 'gateway', 'headers');
    return this.put(stream, 'target', 'message', {
      register: { agent_id, name: 'a', metadata, protocol_features: features },
    });
  }

  /** An agent that works on something that needs an approval, and asks for it. */
  asks(...more: object[]): this {
    const content = directive([{ tool: { name: 'write', approval: true } }, ...more]);
    this.register('a', 's1').hears({ welcome: { agent_id: 'a' } });
    this.hears({ send_message: { request_id: 'r1', thread_id: 't', sender: 's', content } });
    this.says({ tool_use: use }).says({ tool_state: { id: 'tool-1', state: 'TOOL_STATE_PENDING' } });
    this.says({ tool_approval_request: use });
    return this.says({ tool_state: { id: 'tool-1', state: 'TOOL_STATE_AWAITING_APPROVAL' } });
  }

  wait(ms: number): this {
    this.at += ms;
    return this;
  }

  violated(): readonly string[] {
    const judge = new Judge(foldAgentSuite.judging);
    for (const event of this.wait(1000).put('', 'kit', 'mark', { end: true }).events) judge.step(event);
    return [...judge.end()].flatMap(([id, { violations }]) => (violations.length > 0 ? [id] : []));
  }
}

const shutDown = (trace: Trace): Trace =>
  trace
    .says({ tool_state: { id: 'tool-1', state: 'TOOL_STATE_CANCELLED' } })
    .says({ error: 'shutting down' })
    .put('s1', 'target', 'half_close');

it('a CancelRequest after a Shutdown may find the request ended as error', () => {
  const trace = new Trace().asks().hears({ shutdown: { reason: '' } });
  expect(shutDown(trace.hears({ cancel_request: { request_id: 'r1' } })).violated()).toEqual([]);
  expect(shutDown(new Trace().asks().hears({ cancel_request: { request_id: 'r1' } })).violated()).toContain(
    'FOLD-A45',
  );
});

it('a denial after a Shutdown may find the tool cancelled', () => {
  const denial = { tool_approval: { id: 'tool-1', approved: false } };
  const trace = new Trace().asks().hears({ shutdown: { reason: '' } });
  expect(shutDown(trace.hears(denial)).violated()).toEqual([]);
  expect(shutDown(new Trace().asks().hears(denial)).violated()).toContain('FOLD-A34');
});

it('a decision for a tool that has ended needs no effect', () => {
  const second = { ...use, id: 'tool-2' };
  const trace = new Trace().asks({ tool: { name: 'write', approval: true } }).wait(300_000);
  trace.says({ tool_state: { id: 'tool-1', state: 'TOOL_STATE_DENIED' } });
  trace.says({ tool_result: { id: 'tool-1', output: 'denied', is_error: true } }).says({ tool_use: second });
  trace.says({ tool_approval_request: second }).hears({ tool_approval: { id: 'tool-1', approved: false } });
  trace.wait(300_000).says({ tool_state: { id: 'tool-2', state: 'TOOL_STATE_DENIED' } });
  trace.says({ tool_result: { id: 'tool-2', output: 'denied', is_error: true } }).says({ done: {} });
  expect(trace.violated()).toEqual([]);
});

it('an agent with a suggested id need not come back while the gateway is stopped', () => {
  const refused = (): Trace =>
    new Trace().register('a', 's1').hears({ registration_error: { reason: 'taken', suggested_id: 'a-2' } });
  const gone = refused().put('', 'kit', 'mark', { fault: 'stop' });
  expect(gone.wait(20_000).violated()).toEqual([]);
  expect(refused().wait(20_000).violated()).toContain('FOLD-A08');
});

it('an agent that registers under the suggested id is the same agent', () => {
  const trace = new Trace().register('a', 's1').hears({
    registration_error: { reason: 'taken', suggested_id: 'a-2' },
  });
  trace.put('s1', 'target', 'half_close').put('s1', 'gateway', 'end', { code: 0, message: '' }).wait(1000);
  trace
    .register('a-2', 's2')
    .hears({ welcome: { agent_id: 'a-2' } }, 's2')
    .wait(20_000);
  const found: string[] = [];
  const judges = liveJudges(({ requirement }) => found.push(requirement));
  for (const event of trace.put('', 'kit', 'mark', { end: true }).events) judges.step(event);
  judges.end();
  expect(found).toEqual([]);
});
