/** Traces of a gateway's run, written a line at a time, and judged. */
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { foldGatewaySuite } from './suite.ts';

const paths: { readonly [peer: string]: string } = {
  agent: '/coven.CovenControl/AgentStream',
  pack: '/coven.PackService/Register',
  result: '/coven.PackService/ToolResult',
  operator: '/wireproof.Operator/Call',
};

/** A trace that is written line by line; time passes 5 ms a line, or as `wait` says. */
export class Trace {
  readonly events: TraceEvent[] = [];
  #at = 0;
  readonly #peers = new Map<string, string>();

  constructor(run: JsonObject = {}) {
    this.mark({ run: { drive: 'http', auth: 'none', ...run } });
  }

  put(stream: string, from: string, kind: TraceEvent['kind'], data: JsonObject = {}): this {
    const peer = this.#peers.get(stream) ?? 'kit';
    const to = from === 'target' ? peer : from === 'kit' ? 'kit' : 'target';
    const wire = peer === 'operator' ? 'operator' : 'fold';
    this.#at += 5;
    const conn = stream === '' ? '' : `c-${stream}`;
    this.events.push({ seq: this.events.length, at: this.#at, wire, conn, stream, from, to, kind, data });
    return this;
  }

  mark(data: JsonObject): this {
    return this.put('', 'kit', 'mark', data);
  }
  wait(ms: number): this {
    this.#at += ms;
    return this;
  }
  open(peer: string, stream: string): this {
    this.#peers.set(stream, peer);
    return this.put(stream, peer, 'open', { ':path': paths[peer] ?? '' });
  }
  /** What a peer of the kit says. */
  says(stream: string, data: JsonObject): this {
    return this.put(stream, this.#peers.get(stream) ?? '', 'message', data);
  }
  /** What the target says. */
  hears(stream: string, data: JsonObject): this {
    return this.put(stream, 'target', 'message', data);
  }
  ends(stream: string, code: number): this {
    return this.put(stream, 'target', 'end', { code, message: '' });
  }
  leaves(stream: string): this {
    return this.put(stream, this.#peers.get(stream) ?? '', 'end', { code: 1, message: '' });
  }
  /** An agent that is welcomed. */
  agent(stream: string, id: string, more: JsonObject = {}): this {
    const features = ['token_usage', 'tool_states', 'injection', 'cancellation'];
    this.open('agent', stream).put(stream, 'target', 'headers');
    this.says(stream, { register: { agent_id: id, protocol_features: features, ...more } });
    return this.hears(stream, {
      welcome: { server_id: 'g', agent_id: id, instance_id: `i-${stream}`, mcp_token: `t-${stream}` },
    });
  }
  /** An operator's call. */
  call(stream: string, data: JsonObject): this {
    return this.open('operator', stream).says(stream, data).put(stream, 'operator', 'half_close');
  }
  /** A send that reaches its agent. */
  send(op: string, stream: string, agent: string, id: string): this {
    this.call(op, { send: { content: `do ${id}`, sender: 'w', agent_id: agent } });
    const sent = { request_id: id, thread_id: `t-${id}`, sender: 'w', content: `do ${id}` };
    this.hears(stream, { send_message: sent });
    return this.hears(op, { started: { thread_id: `t-${id}`, request_id: id } });
  }
  answer(stream: string, id: string, event: JsonObject): this {
    return this.says(stream, { response: { request_id: id, ...event } });
  }
  /** The agent is done, and the operator hears so. */
  done(op: string, stream: string, id: string): this {
    return this.answer(stream, id, { done: {} })
      .hears(op, { done: { full_response: '' } })
      .ends(op, 0);
  }
  judge(): { readonly violated: readonly string[]; readonly exercised: readonly string[] } {
    this.wait(1000).mark({ end: true });
    const judge = new Judge(foldGatewaySuite.judging);
    for (const event of this.events) judge.step(event);
    const found = [...judge.end()];
    return {
      violated: found.flatMap(([id, f]) => (f.violations.length > 0 ? [id] : [])),
      exercised: found.flatMap(([id, f]) => (f.exercised > 0 ? [id] : [])),
    };
  }
}
