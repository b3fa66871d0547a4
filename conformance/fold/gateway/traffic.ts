/** The traffic of a simulated gateway: one trace of all its streams. Only the streams of agents are judged. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import type { KeyedJudges } from '../../../src/kit/judge/index.ts';
import type { LiveSession, LiveTrace } from '../../../src/kit/simulate/index.ts';
import { Recorder, realClock } from '../../../src/kit/world/index.ts';
import type { WireEvent } from '../../../src/kit/world/index.ts';
import { parseDirective, wireOf } from '../../../src/fold/index.ts';
import type { WireKind } from '../../../src/fold/index.ts';
import { liveJudges } from '../agent/live.ts';
import { foldAgentSuite } from '../agent/suite.ts';
import type { FoldView } from '../agent/view.ts';

/** How often the judges are asked for overdue events (ms). */
const tick = 1000;
const { secrets, timeouts, judging } = foldAgentSuite;

/** The part of a live session that the traffic uses. The bench has one that keeps nothing. */
export interface TrafficSession extends Pick<LiveSession, 'judges' | 'redact' | 'markDelays'> {
  /** Opens the trace of all streams. */
  open(): Pick<LiveTrace, 'event' | 'violated'>;
}

export class Traffic {
  /** The view of all agents' streams. */
  readonly view: FoldView = judging.view.start();
  readonly #trace: Pick<LiveTrace, 'event' | 'violated'>;
  readonly #recorder: Recorder;
  readonly #judges: KeyedJudges<FoldView> | undefined;
  readonly #kinds = new Map<string, WireKind>();
  readonly #clock = realClock();
  readonly #ticking: NodeJS.Timeout;
  /** Whether the operator has sent a directive. */
  #directs = false;

  constructor(live: TrafficSession) {
    const trace = live.open();
    this.#trace = trace;
    if (live.judges)
      this.#judges = liveJudges(({ requirement, key, finding }) =>
        trace.violated(requirement, finding.message, key),
      );
    const sink = (event: TraceEvent): void => this.#take(event);
    this.#recorder = new Recorder({ clock: this.#clock, wire: 'fold', secrets, redact: live.redact, sink });
    this.#markDrive('passive');
    this.#ticking = setInterval(() => this.#judges?.tick(this.#clock.now()), tick).unref();
    live.markDelays((data) => this.#recorder.mark(data));
  }

  /** Takes an event on a wire of the gateway. */
  readonly tap = (event: WireEvent): void => {
    if (event.kind === 'open') this.#kinds.set(event.stream, wireOf(event.metadata[':path']).kind);
    const isOperator = this.#kinds.get(event.stream) === 'operator';
    this.#recorder.wire('gateway', event, isOperator ? 'operator' : 'fold');
    if (event.kind === 'end' || event.kind === 'reset') this.#kinds.delete(event.stream);
  };

  /** Notes an action of the kit. */
  mark(data: JsonObject): void {
    this.#recorder.mark(data);
  }

  /** Ends the trace. */
  end(): void {
    clearInterval(this.#ticking);
    this.#recorder.mark({ end: true });
    this.#judges?.end();
  }

  #take(event: TraceEvent): void {
    const isAgent = (this.#kinds.get(event.stream) ?? 'agent') === 'agent';
    if (isAgent) {
      judging.view.look?.(this.view, event);
      judging.view.step(this.view, event);
    }
    this.#trace.event(event, { who: this.#nameOf(event.stream) });
    if (isAgent) this.#judges?.step(event);
    if (!this.#directs && isDirective(event)) this.#markDrive('directive');
  }

  /** Marks how agents are driven: passively, until the operator sends the first directive. */
  #markDrive(drive: 'passive' | 'directive'): void {
    this.#directs = drive === 'directive';
    this.#recorder.mark({ run: { drive, timeouts: { ...timeouts } } });
  }

  /** The id of a stream's agent; before it registers, the stream's name. */
  #nameOf(stream: string): string {
    const { welcome, register } = this.view.streams.get(stream)?.session ?? {};
    return welcome?.agentId ?? register?.message.agent_id ?? stream;
  }
}

/** Whether an event is a message to an agent whose content is a directive. */
function isDirective({ from, data: { send_message: sent } }: TraceEvent): boolean {
  if (from === 'target' || !isObject(sent) || typeof sent['content'] !== 'string') return false;
  const parsed = parseDirective(sent['content']);
  return parsed.ok && parsed.value !== undefined;
}
