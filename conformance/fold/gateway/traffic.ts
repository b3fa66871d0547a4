/**
 * The traffic of a simulated gateway: recorded in one order, and judged by the agent rules. Knows the agents and the
 * tools that wait for a decision, so that an operator's line can leave them out.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { KeyedJudges } from '../../../src/kit/judge/index.ts';
import type { LiveSession, LiveTrace } from '../../../src/kit/simulate/index.ts';
import { Recorder, realClock } from '../../../src/kit/world/index.ts';
import type { WireEvent } from '../../../src/kit/world/index.ts';
import { terminalEvents, wireOf } from '../../../src/fold/index.ts';
import type { WireKind } from '../../../src/fold/index.ts';
import { liveJudges } from '../agent/live.ts';
import { foldAgentSuite } from '../agent/suite.ts';
import type { FoldView } from '../agent/view.ts';
import type { Seen } from './orders.ts';

/** How often judges hear that time passes (ms): deadlines are judged at the next event. */
const tick = 1000;

interface OpenStream {
  readonly kind: WireKind;
  /** The agent's id; the stream's until it registers. */
  who: string;
  isReady: boolean;
}

/** See the file's head. */
export class Traffic implements Seen {
  request: string | undefined;
  readonly #trace: LiveTrace;
  readonly #recorder: Recorder;
  readonly #judges: KeyedJudges<FoldView> | undefined;
  readonly #streams = new Map<string, OpenStream>();
  readonly #asked = new Map<
    string,
    { readonly agent: string; readonly tool: string; readonly request: string }
  >();
  readonly #ticking: NodeJS.Timeout;
  readonly #clock = realClock();
  #last = 0;

  constructor(live: LiveSession) {
    const trace = live.open();
    this.#trace = trace;
    if (live.judges)
      this.#judges = liveJudges(({ requirement, key, finding }) =>
        trace.violated(requirement, finding.message, key),
      );
    const { secrets, timeouts } = foldAgentSuite;
    const sink = (event: TraceEvent): void => this.#heard(event);
    this.#recorder = new Recorder({ clock: this.#clock, wire: 'fold', secrets, redact: live.redact, sink });
    this.#recorder.mark({ run: { drive: 'directive', timeouts: { ...timeouts } } });
    this.#ticking = setInterval(() => this.#judges?.step(this.#passing()), tick);
    this.#ticking.unref();
  }

  /** An event that says only that it is later now. */
  #passing(): TraceEvent {
    const nowhere = { wire: 'fold', conn: '', stream: '', from: 'kit', to: 'kit', kind: 'timer' } as const;
    return { ...nowhere, seq: this.#last, at: this.#clock.now(), data: {} };
  }

  get agents(): readonly string[] {
    return [...this.#streams.values()].filter(({ isReady }) => isReady).map(({ who }) => who);
  }

  get asked(): Seen['asked'] {
    return [...this.#asked.values()];
  }

  /** Takes what crosses a wire of the gateway. */
  readonly tap = (event: WireEvent): void => {
    if (event.kind === 'open') {
      const { kind } = wireOf(event.metadata[':path']);
      this.#streams.set(event.stream, { kind, who: event.stream, isReady: false });
    }
    const isOperator = this.#streams.get(event.stream)?.kind === 'operator';
    this.#recorder.wire('gateway', event, isOperator ? 'operator' : 'fold');
  };

  /** No event follows. */
  end(): void {
    clearInterval(this.#ticking);
    this.#judges?.end();
    this.#trace.end();
  }

  #heard(event: TraceEvent): void {
    this.#last = event.seq;
    const stream = this.#streams.get(event.stream);
    const isAgent = stream === undefined || stream.kind === 'agent';
    if (stream !== undefined && isAgent) this.#note(stream, event);
    this.#trace.event(event, { who: stream?.who ?? '', recorded: isAgent });
    if (isAgent) this.#judges?.step(event);
    if (event.kind !== 'end' && event.kind !== 'reset') return;
    if (stream !== undefined && isAgent) this.#over(stream.who);
    this.#streams.delete(event.stream);
  }

  #note(stream: OpenStream, { kind, data }: TraceEvent): void {
    if (kind !== 'message') return;
    const { register, welcome, send_message: sent, response, tool_approval: decision } = data;
    if (isObject(register) && typeof register['agent_id'] === 'string') stream.who = register['agent_id'];
    else if (isObject(welcome)) stream.isReady = true;
    else if (isObject(sent)) this.request = textOf(sent['request_id']);
    else if (isObject(response)) this.#answered(stream.who, response);
    else if (isObject(decision)) this.#asked.delete(`${stream.who} ${textOf(decision['id'])}`);
  }

  #answered(agent: string, response: Readonly<Record<string, unknown>>): void {
    const request = textOf(response['request_id']);
    const ask = response['tool_approval_request'];
    if (isObject(ask)) {
      const tool = textOf(ask['id']);
      this.#asked.set(`${agent} ${tool}`, { agent, tool, request });
    } else if ([...terminalEvents].some((name) => response[name] !== undefined)) this.#over(agent, request);
  }

  /** A request asks no more, or no request of an agent does. */
  #over(agent: string, request?: string): void {
    for (const [key, asked] of this.#asked)
      if (asked.agent === agent && (request === undefined || asked.request === request))
        this.#asked.delete(key);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
