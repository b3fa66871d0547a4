/**
 * The trace around the exchanges of a testee: it is the same in all sessions of a suite, and comes once, in
 * `frame.<role>.jsonl`: a whole trace of two exchanges, which tells how the second one follows the first.
 */
import type { JsonObject, TraceEvent } from '../../src/kit/base/index.ts';
import { isObject } from '../../src/kit/base/index.ts';

/** A request of the kit and the answer of the testee, as a session says them. */
export interface Exchange {
  /** The members of the mark before the request that differ from the rule: its vector, what it expects. */
  readonly case: JsonObject;
  /** The request, without its id. */
  readonly request: JsonObject;
  /** The answer, without its id. */
  readonly answer: JsonObject;
  /** See the members of an event: those of the answer. */
  readonly bytes?: string;
  readonly note?: string;
}

/** What a session puts into the frame. */
export interface Framed {
  readonly row: string;
  readonly scenario: string;
  /** Members of the answer to `hello` that differ from the frame's. */
  readonly hello?: JsonObject;
  readonly exchanges: readonly Exchange[];
}

const isCase = ({ data }: TraceEvent): boolean => data['case'] !== undefined;

/**
 * The whole trace of a session.
 *
 * @throws Error when the frame is no trace of two exchanges
 */
export function framed(
  frame: readonly TraceEvent[],
  { row, scenario, hello, exchanges }: Framed,
): readonly TraceEvent[] {
  const first = frame.findIndex(isCase);
  const second = frame.findIndex((event, i) => i > first && isCase(event));
  const [mark, request, answer] = frame.slice(first, second);
  const next = frame[second];
  if (mark === undefined || request === undefined || answer === undefined || next === undefined)
    throw new Error('its frame is no trace of two exchanges: mark, request, answer, mark, request, answer');
  const period = next.at - mark.at;
  const later = (event: TraceEvent, times: number): TraceEvent => ({
    ...event,
    at: event.at + times * period,
  });
  const events = [
    ...frame.slice(0, first).map((event) => introduced(event, scenario, hello)),
    ...exchanges.flatMap(({ case: told, request: asked, answer: answered, ...more }, k) => {
      const id = idOf(mark, k);
      const rule = { id, vector: id, requirements: [row], result: 'valid' };
      return [
        later({ ...mark, data: { case: { ...rule, ...told } } }, k),
        later({ ...request, data: { id, ...asked } }, k),
        later({ ...answer, data: { id, ...answered }, ...more }, k),
      ];
    }),
    ...frame
      .slice(second + 3)
      .map((event) => later(introduced(event, scenario, hello), exchanges.length - 2)),
  ];
  return events.map((event, seq) => ({ ...event, seq }));
}

/** An event around the exchanges, with the scenario and the answer to `hello` of the session. */
function introduced(event: TraceEvent, scenario: string, hello: JsonObject = {}): TraceEvent {
  const { ok } = event.data;
  if (event.data['scenario'] !== undefined) return { ...event, data: { ...event.data, scenario } };
  return isObject(ok) ? { ...event, data: { ...event.data, ok: { ...ok, ...hello } } } : event;
}

/** The id of an exchange, by the form of the frame's first one: `1`, or `case-1`. */
function idOf({ data }: TraceEvent, k: number): string | number {
  const first = isObject(data['case']) ? data['case']['id'] : undefined;
  return typeof first === 'string' ? first.replace(/\d+$/, String(k + 1)) : k + 1;
}
