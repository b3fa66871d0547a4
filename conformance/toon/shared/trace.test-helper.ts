/** Small traces of one connection, an event a millisecond unless told otherwise, and what the rules find in them. */
import type { Json, JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import type { Suite } from '../../../src/kit/suite/index.ts';
import type { MessageName } from '../../../src/toon/index.ts';
import { toonOrchestratorSuite } from '../orchestrator/suite.ts';
import { toonSubagentSuite } from '../subagent/suite.ts';
import type { StreamView } from './view-stream.ts';
import type { ToonView } from './view.ts';

/** A trace as it comes in; see the file's head. */
export class Wire {
  readonly judge: Judge<ToonView>;
  #seq = 0;
  #at = 0;
  #ids = { target: 0, peer: 0 };

  private constructor(suite: Suite<ToonView>, carrier: string, run: JsonObject) {
    this.judge = new Judge(suite.judging);
    const timeouts = { ...suite.timeouts, ...suite.simulatedTimeouts };
    this.mark({ run: { drive: 'passive', timeouts, ...run } });
    this.event('target', 'open', { ':carrier': carrier });
  }

  /** The target is a subagent. */
  static subagent(carrier = 'tcp', run: JsonObject = {}): Wire {
    return new Wire(toonSubagentSuite, carrier, run);
  }

  /** The target is an orchestrator. */
  static orchestrator(carrier = 'tcp'): Wire {
    return new Wire(toonOrchestratorSuite, carrier, {});
  }

  get stream(): StreamView {
    const [stream] = this.judge.view.streams.values();
    if (stream === undefined) throw new Error('there is no stream');
    return stream;
  }

  event(
    from: 'target' | 'peer' | 'kit',
    kind: TraceEvent['kind'],
    data: JsonObject,
    more: Partial<TraceEvent> = {},
  ): this {
    const to = from === 'target' ? 'peer' : from === 'peer' ? 'target' : 'kit';
    const stream = from === 'kit' ? '' : 's1';
    const [seq, at] = [this.#seq++, this.#at++];
    this.judge.step({ seq, at, wire: 'toon', conn: 'c1', stream, from, to, kind, data, ...more });
    return this;
  }

  mark(data: JsonObject): this {
    return this.event('kit', 'mark', data);
  }

  /** Nothing happens for so long (ms). */
  wait(ms: number): this {
    this.#at += ms;
    return this;
  }

  /** Something that the peer sends; `stamp` besides the payload. */
  peer(type: MessageName, payload: Json = {}, stamp: JsonObject = {}): this {
    return this.#message('peer', type, payload, stamp);
  }

  /** Something that the target sends. */
  target(type: MessageName, payload: Json = {}, stamp: JsonObject = {}): this {
    return this.#message('target', type, payload, stamp);
  }

  #message(from: 'target' | 'peer', type: MessageName, payload: Json, stamp: JsonObject): this {
    const sequenceId = ++this.#ids[from];
    const timestamp = String(1_700_000_000_000 + this.#at);
    const { note, ...more } = stamp;
    const data = { type, sequenceId, timestamp, payload, payloadLength: 10, ...more };
    return this.event(from, 'message', data, typeof note === 'string' ? { note } : {});
  }

  /** A frame that cannot be read. */
  garbage(from: 'target' | 'peer', code: string, hex = ''): this {
    const bytes = Buffer.from(hex, 'hex').toString('base64');
    return this.event(from, 'undecodable', { code }, { bytes, note: `refused as ${code}` });
  }

  instruct(instruction = 'Say hello.', stamp: JsonObject = {}): this {
    return this.peer('INSTRUCTION', { instruction }, stamp);
  }

  completed(): this {
    return this.target('STATUS', { status: 'completed', progress: 1 });
  }

  /** Ends the trace. @returns each violation as `TOON-nn: message` */
  violations(): string[] {
    this.mark({ end: true });
    return [...this.judge.end()].flatMap(([id, { violations }]) =>
      violations.map(({ message }) => `${id}: ${message}`),
    );
  }

  /** How often a requirement was put to the test so far. */
  exercised(id: string): number {
    return this.judge.found.get(id)?.exercised ?? 0;
  }
}
