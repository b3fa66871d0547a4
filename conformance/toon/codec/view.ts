/** What all rules of TOON codecs look at: the test that is being put, what the testee can do, and how it ended. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import type { Judging } from '../../../src/kit/judge/index.ts';
import type { Test } from './judge.ts';

/** A test that was put to the testee, and has no answer yet. */
export interface Case extends Test {
  /** Of the request and its answer: a text or a number. */
  readonly id: string | number;
  /** The vector's own id, permanent. */
  readonly vector: string;
  /** What was asked; undefined until it was. */
  request: JsonObject | undefined;
  /** Position of the mark, and of the request once it was sent. */
  seq: number;
}

/** What the testee said of itself. */
export interface Hello {
  readonly ops: readonly string[];
  readonly codes: boolean;
}

/** Everything before the event at hand. */
export interface CodecView {
  hello: Hello | undefined;
  /** Tests without an answer, by id. */
  readonly open: Map<Json, Case>;
  /** What the testee's own validate said of messages, by their hex; the newest. */
  readonly validity: Map<string, boolean>;
  /** Requirements of tests that were forgotten unanswered. */
  readonly forgotten: Set<string>;
  /** Whether something it encoded came compressed. */
  compresses: boolean;
  /** Why what is unanswered will stay so; undefined while an answer may still come. */
  over: string | undefined;
  /** What was wrong with the last line since then that was no answer. */
  astray: string | undefined;
}

/** Tests without an answer that are remembered. Tests are put one at a time: more are a recording's oddity. */
const openKept = 256;
/** The longest piece of a line that was no answer (characters). */
const astrayShown = 160;
/** Validity is asked just before decoding. */
const validityKept = 8;

/** A view of nothing yet. */
export const startView = (): CodecView => ({
  hello: undefined,
  open: new Map(),
  validity: new Map(),
  forgotten: new Set(),
  compresses: false,
  over: undefined,
  astray: undefined,
});

/** The test that an answer is to; undefined when it is to none. */
export function caseOf(view: CodecView, event: TraceEvent): Case | undefined {
  return view.open.get(event.data['id'] ?? null);
}

/** The operation that a test was put to. */
export function opOf({ request }: Pick<Case, 'request'>): string {
  const op = request?.['op'];
  return typeof op === 'string' ? op : '';
}

/** Whether the testee offers an operation, as far as it said. */
export const offers = ({ hello }: CodecView, op: string): boolean =>
  hello === undefined || hello.ops.includes(op);

const fromTarget = ({ from }: TraceEvent): boolean => from === 'target';

/** Takes an event into the view. */
export function stepView(view: CodecView, event: TraceEvent): void {
  if (event.kind === 'mark') return mark(view, event);
  if (event.kind === 'message') return fromTarget(event) ? answered(view, event) : asked(view, event);
  if (event.kind === 'undecodable' && fromTarget(event)) view.astray = event.note?.slice(0, astrayShown);
  else if (event.kind === 'process') view.over = `the testee's process ended (${endOf(event.data)})`;
  else if ((event.kind === 'end' || event.kind === 'reset') && fromTarget(event))
    view.over ??= 'the testee closed its output';
}

const endOf = ({ exit, signal }: JsonObject): string =>
  typeof signal === 'string' ? signal : `exit ${typeof exit === 'number' ? exit : 'unknown'}`;

function mark(view: CodecView, { seq, data }: TraceEvent): void {
  const { outcome, reason } = data;
  if (outcome === 'ended-early' && reason !== 'interrupted')
    view.over ??= typeof reason === 'string' ? reason : 'the scenario ended early';
  const test = isObject(data['case']) ? testOf(data['case'], seq) : undefined;
  if (test === undefined) return;
  view.open.set(test.id, test);
  if (view.open.size <= openKept) return;
  const [oldest] = view.open.values();
  for (const row of oldest?.requirements ?? []) view.forgotten.add(row);
  view.open.delete(oldest?.id ?? null);
}

const results: readonly Test['result'][] = ['valid', 'invalid', 'acceptable'];

/** The test of a mark; undefined when it is none that could be judged. */
function testOf(mark: Record<string, unknown>, seq: number): Case | undefined {
  const { id, vector, requirements, result, expect, error } = mark as JsonObject;
  const known = results.find((one) => one === result);
  if ((typeof id !== 'string' && typeof id !== 'number') || known === undefined) return undefined;
  if (!Array.isArray(requirements)) return undefined;
  return {
    id,
    vector: typeof vector === 'string' ? vector : String(id),
    requirements: requirements.filter((row) => typeof row === 'string'),
    result: known,
    expect: isObject(expect) ? expect : undefined,
    error: typeof error === 'string' ? error : undefined,
    request: undefined,
    seq,
  };
}

function asked(view: CodecView, event: TraceEvent): void {
  const test = caseOf(view, event);
  if (test === undefined) return;
  test.request = event.data;
  test.seq = event.seq;
  view.astray = undefined;
}

function answered(view: CodecView, event: TraceEvent): void {
  const { ok } = event.data;
  const said = isObject(ok) ? ok : {};
  if (Array.isArray(said['ops'])) view.hello ??= helloOf(said);
  view.compresses ||= isCompressed(said['wire']);
  const test = caseOf(view, event);
  if (test === undefined) return;
  view.open.delete(test.id);
  const { wire } = test.request ?? {};
  if (typeof wire === 'string' && typeof said['valid'] === 'boolean') {
    view.validity.set(wire, said['valid']);
    const [oldest = ''] = view.validity.keys();
    if (view.validity.size > validityKept) view.validity.delete(oldest);
  }
}

const helloOf = ({ ops, codes }: JsonObject): Hello => ({
  ops: Array.isArray(ops) ? ops.filter((op) => typeof op === 'string') : [],
  codes: codes === true,
});

/** Whether a message's payload begins with 0x5A, behind 18 bytes of header. */
const isCompressed = (hex: unknown): boolean =>
  typeof hex === 'string' && hex.slice(36, 38).toLowerCase() === '5a';

/** Features that a testee shows to have. */
export const advertised = ({ hello, compresses }: CodecView): readonly string[] =>
  compresses || hello?.ops.includes('toon.rle.encode') === true ? ['compression'] : [];

/** All that rules look at and listen by, as a judge takes it. */
export const judgedBy: Omit<Judging<CodecView>, 'rules'> = {
  topicOf: (event) => (event.kind === 'message' ? (fromTarget(event) ? 'answer' : 'request') : event.kind),
  view: { start: startView, step: stepView },
};
