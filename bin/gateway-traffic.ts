/**
 * The traffic of a simulated gateway as it happens: recorded in one order, judged by the agent rules, and shown
 * as lines. Knows who is there and what waits, so that an operator's line can leave it out.
 */

import type { TraceEvent } from '../src/kit/base/index.ts';
import { isObject } from '../src/kit/base/index.ts';
import { Recorder, realClock } from '../src/kit/world/index.ts';
import type { WireEvent } from '../src/kit/world/index.ts';
import { wireOf } from '../src/fold/index.ts';
import type { WireKind } from '../src/fold/index.ts';
import { foldAgentSuite } from '../conformance/fold/agent/suite.ts';
import { LiveJudges } from '../conformance/fold/agent/live.ts';
import type { LiveViolation } from '../conformance/fold/agent/live.ts';
import type { Seen } from './gateway-terminal.ts';

/** What hears of the traffic. */
export interface TrafficOptions {
  /** Turns a secret into what is shown; undefined: secrets are shown. */
  readonly redact: ((secret: string) => string) | undefined;
  /** Judge what agents do. */
  readonly rules: boolean;
  /** An event, whose it is, and on what kind of stream. */
  readonly event: (event: TraceEvent, who: string, kind: WireKind) => void;
  readonly violated: (violation: LiveViolation) => void;
}

/** How often judges hear that time passes (ms): deadlines are judged at the next event. */
const tick = 1000;

/** See the file's head. */
export class Traffic implements Seen {
  readonly #options: TrafficOptions;
  readonly #recorder: Recorder;
  readonly #judges: LiveJudges | undefined;
  readonly #streams = new Map<string, { kind: WireKind; who: string; ready: boolean }>();
  readonly #ticking: NodeJS.Timeout;
  readonly #asked = new Map<
    string,
    { readonly agent: string; readonly tool: string; readonly request: string }
  >();
  readonly #clock = realClock();
  #last = 0;
  #request: string | undefined;
  #kind: WireKind = 'agent';

  constructor(options: TrafficOptions) {
    this.#options = options;
    this.#judges = options.rules ? new LiveJudges(options.violated) : undefined;
    this.#recorder = new Recorder({
      clock: this.#clock,
      wire: 'fold',
      secrets: foldAgentSuite.secrets,
      redact: options.redact,
      sink: (event) => this.#heard(event),
    });
    const timeouts = Object.fromEntries(Object.entries(foldAgentSuite.timeouts));
    this.#recorder.mark({ run: { drive: 'directive', timeouts } });
    this.#ticking = setInterval(() => this.#judges?.step(this.#passing()), tick);
    this.#ticking.unref();
  }

  /** An event that says only that it is later now. */
  #passing(): TraceEvent {
    const nowhere = { wire: 'fold', conn: '', stream: '', from: 'kit', to: 'kit', kind: 'timer' } as const;
    return { seq: this.#last, at: this.#clock.now(), ...nowhere, data: {} };
  }

  get agents(): readonly string[] {
    return [...this.#streams.values()].filter((s) => s.kind === 'agent' && s.ready).map(({ who }) => who);
  }

  get request(): string | undefined {
    return this.#request;
  }

  get asked(): Seen['asked'] {
    return [...this.#asked.values()];
  }

  /** Something crossed a wire of the gateway's. */
  readonly tap = (event: WireEvent): void => {
    if (event.kind === 'open') {
      const { kind } = wireOf(event.metadata[':path']);
      this.#streams.set(event.stream, { kind, who: event.stream, ready: false });
    }
    this.#kind = this.#streams.get(event.stream)?.kind ?? 'agent';
    this.#recorder.wire('gateway', event, this.#kind === 'operator' ? 'operator' : 'fold');
  };

  /** Everything is over. */
  end(): void {
    clearInterval(this.#ticking);
    this.#judges?.end();
  }

  #heard(event: TraceEvent): void {
    this.#last = event.seq;
    const stream = this.#streams.get(event.stream);
    if (stream?.kind === 'agent') this.#note(stream, event);
    this.#options.event(event, stream?.who ?? '', stream?.kind ?? 'agent');
    if (stream === undefined || stream.kind === 'agent') this.#judges?.step(event);
    if (event.kind !== 'end' && event.kind !== 'reset') return;
    if (stream?.kind === 'agent') this.#over(stream.who);
    this.#streams.delete(event.stream);
  }

  #note(stream: { who: string; ready: boolean }, { kind, data }: TraceEvent): void {
    if (kind !== 'message') return;
    const { register, welcome, send_message, response } = data;
    if (isObject(register) && typeof register['agent_id'] === 'string') stream.who = register['agent_id'];
    else if (isObject(welcome)) stream.ready = true;
    else if (isObject(send_message)) this.#request = textOf(send_message['request_id']);
    else if (isObject(response)) this.#answered(stream.who, response);
    const decision = data['tool_approval'];
    if (isObject(decision)) this.#asked.delete(`${stream.who} ${textOf(decision['id'])}`);
  }

  #answered(agent: string, response: Record<string, unknown>): void {
    const request = textOf(response['request_id']);
    const ask = response['tool_approval_request'];
    if (isObject(ask)) {
      const tool = textOf(ask['id']);
      this.#asked.set(`${agent} ${tool}`, { agent, tool, request });
    } else if (terminals.some((name) => response[name] !== undefined)) this.#over(agent, request);
  }

  /** A request, or all of an agent's, asks no more. */
  #over(agent: string, request?: string): void {
    for (const [key, asked] of this.#asked)
      if (asked.agent === agent && (request === undefined || asked.request === request))
        this.#asked.delete(key);
  }
}

const terminals = ['done', 'error', 'cancelled'];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
