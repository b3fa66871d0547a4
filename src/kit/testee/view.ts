/** The view of all rules of testees: the pending tests, the testee's self-description, and how it ended. */
import { isObject } from '../base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../base/index.ts';
import type { Judging } from '../judge/index.ts';
import type { VectorResult } from '../spec/index.ts';
import type { Hello } from '../suite/index.ts';
import { helloIn } from './hello.ts';

/** A test that was sent to the testee and has no answer yet. */
export interface PendingTest {
  /** The id of the request and its answer. */
  readonly id: string | number;
  /** The vector's own id, permanent. */
  readonly vector: string;
  /** The requirements that a wrong answer breaks. */
  readonly requirements: readonly string[];
  readonly result: VectorResult;
  /** The demanded part of the answer. No other part is judged. */
  readonly expect: JsonObject | undefined;
  /** The demanded code of the refusal; undefined: any code. */
  readonly error: string | undefined;
  /** The request; undefined before it was sent. */
  request: JsonObject | undefined;
  /** The position of the request; before it was sent, of its mark. */
  seq: number;
}

/** The memory of a suite for its testee's answers. It must be bounded. */
export interface AnswerMemory<M> {
  start(): M;
  /** Takes the `ok` of an answer; `request` is undefined when the answer belongs to no test. */
  take(memory: M, ok: JsonObject, request: JsonObject | undefined): void;
  /** Takes a message of a live run, which answers no request; absent: the suite knows no live runs. */
  takeLive?(memory: M, message: JsonObject): void;
}

/** Everything before the event at hand. */
export interface TesteeView<M = unknown> {
  hello: Hello | undefined;
  /** Tests without an answer, by id. */
  readonly pending: Map<Json, PendingTest>;
  /** The requirements of unanswered tests that were evicted. */
  readonly forgotten: Set<string>;
  /** The reason why no further answer can come; undefined while one can. */
  endReason: string | undefined;
  /** The fault of the last unreadable line since the last request. */
  strayLine: string | undefined;
  /** The memory of the suite. */
  readonly memory: M;
}

/** The most pending tests that are kept. The kit sends one at a time; only an odd recording has several. */
const pendingKept = 256;
/** The longest shown fault of an unreadable line (characters). */
const strayLineShown = 160;

/** The pending test with the id of a request or an answer. */
export function testOf(view: TesteeView, event: TraceEvent): PendingTest | undefined {
  return view.pending.get(event.data['id'] ?? null);
}

/** The operation of a test. */
export function opOf({ request }: Pick<PendingTest, 'request'>): string {
  const op = request?.['op'];
  return typeof op === 'string' ? op : '';
}

/** Whether the testee offers an operation. A testee without a self-description offers all. */
export const offers = ({ hello }: TesteeView, op: string): boolean =>
  hello === undefined || hello.ops.includes(op);

const fromTarget = ({ from }: TraceEvent): boolean => from === 'target';

/** The topics and the view of a testee's suite, for a judge. */
export const judgingOf = <M>(memory: AnswerMemory<M>): Omit<Judging<TesteeView<M>>, 'rules'> => ({
  topicOf: (event) => (event.kind === 'message' ? (fromTarget(event) ? 'answer' : 'request') : event.kind),
  view: {
    start: () => ({
      hello: undefined,
      pending: new Map(),
      forgotten: new Set(),
      endReason: undefined,
      strayLine: undefined,
      memory: memory.start(),
    }),
    step(view, event) {
      if (event.kind === 'message' && fromTarget(event)) takeAnswer(view, event, memory);
      else takeEvent(view, event);
    },
  },
});

function takeEvent(view: TesteeView, event: TraceEvent): void {
  if (event.kind === 'mark') return takeMark(view, event);
  if (event.kind === 'message') return takeRequest(view, event);
  if (event.kind === 'undecodable' && fromTarget(event))
    view.strayLine = event.note?.slice(0, strayLineShown);
  else if (event.kind === 'process') view.endReason = `the testee's process ended (${endOf(event.data)})`;
  else if ((event.kind === 'end' || event.kind === 'reset') && fromTarget(event))
    view.endReason ??= 'the testee closed its output';
}

const endOf = ({ exit, signal }: JsonObject): string =>
  typeof signal === 'string' ? signal : `exit ${typeof exit === 'number' ? exit : 'unknown'}`;

function takeMark(view: TesteeView, { seq, data }: TraceEvent): void {
  const { outcome, reason, interrupted } = data;
  if (outcome === 'ended-early' && interrupted !== true)
    view.endReason ??= typeof reason === 'string' ? reason : 'the scenario ended early';
  const test = isObject(data['case']) ? pendingTestOf(data['case'], seq) : undefined;
  if (test === undefined) return;
  view.pending.set(test.id, test);
  if (view.pending.size <= pendingKept) return;
  const [oldest] = view.pending.values();
  for (const row of oldest?.requirements ?? []) view.forgotten.add(row);
  view.pending.delete(oldest?.id ?? null);
}

const results: readonly VectorResult[] = ['valid', 'invalid', 'acceptable'];

/** The test of a mark; undefined when the mark is not a test that can be judged. */
function pendingTestOf(mark: Record<string, unknown>, seq: number): PendingTest | undefined {
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

function takeRequest(view: TesteeView, event: TraceEvent): void {
  const test = testOf(view, event);
  if (test === undefined) return;
  test.request = event.data;
  test.seq = event.seq;
  view.strayLine = undefined;
}

/** A message of a live run, with its time (s) as `at`, unless it has its own. */
export const timed = ({ data, at }: TraceEvent): JsonObject => ({ at: at / 1000, ...data });

function takeAnswer<M>(view: TesteeView<M>, event: TraceEvent, memory: AnswerMemory<M>): void {
  const { ok } = event.data;
  const test = testOf(view, event);
  if (isObject(ok)) {
    view.hello ??= helloIn(ok);
    memory.take(view.memory, ok, test?.request);
  }
  if (test === undefined) memory.takeLive?.(view.memory, timed(event));
  if (test !== undefined) view.pending.delete(test.id);
}
