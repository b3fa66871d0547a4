/** What all rules of testees look at: the tests that were put, what the testee can do, and how it ended. */
import { isObject } from '../base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../base/index.ts';
import type { Judging } from '../judge/index.ts';
import type { VectorResult } from '../spec/index.ts';
import type { Hello } from '../suite/index.ts';
import { helloIn } from './hello.ts';

/** A test that was put to the testee, and has no answer yet. */
export interface PutTest {
  /** Of the request and its answer: a text or a number. */
  readonly id: string | number;
  /** The vector's own id, permanent. */
  readonly vector: string;
  /** Requirements that a wrong answer breaks. */
  readonly requirements: readonly string[];
  readonly result: VectorResult;
  /** What the answer must say; nothing else of it is judged. */
  readonly expect: JsonObject | undefined;
  /** Code of the refusal; undefined: any will do. */
  readonly error: string | undefined;
  /** What was asked; undefined until it was. */
  request: JsonObject | undefined;
  /** Position of the mark, and of the request once it was sent. */
  seq: number;
}

/** What a suite remembers of the answers of its testees. Bounded. */
export interface Memory<M> {
  start(): M;
  /** Takes an answer that did as asked; `request` is undefined where no test was put. */
  take(memory: M, ok: JsonObject, request: JsonObject | undefined): void;
}

/** Everything before the event at hand. */
export interface TesteeView<M = unknown> {
  hello: Hello | undefined;
  /** Tests without an answer, by id. */
  readonly open: Map<Json, PutTest>;
  /** Requirements of tests that were forgotten unanswered. */
  readonly forgotten: Set<string>;
  /** Why what is unanswered will stay so; undefined while an answer may still come. */
  over: string | undefined;
  /** What was wrong with the last line since the last request that was no answer. */
  astray: string | undefined;
  /** What the suite remembers. */
  readonly memory: M;
}

/** Tests without an answer that are remembered. Tests are put one at a time: more are a recording's oddity. */
const openKept = 256;
/** The longest piece of a line that was no answer (characters). */
const astrayShown = 160;

/** The test that an answer is to; undefined when it is to none. */
export function testOf(view: TesteeView, event: TraceEvent): PutTest | undefined {
  return view.open.get(event.data['id'] ?? null);
}

/** The operation that a test was put to. */
export function opOf({ request }: Pick<PutTest, 'request'>): string {
  const op = request?.['op'];
  return typeof op === 'string' ? op : '';
}

/** Whether the testee offers an operation, as far as it said. */
export const offers = ({ hello }: TesteeView, op: string): boolean =>
  hello === undefined || hello.ops.includes(op);

const fromTarget = ({ from }: TraceEvent): boolean => from === 'target';

/** All that rules look at and listen by, as a judge takes it. */
export const judgingOf = <M>(memory: Memory<M>): Omit<Judging<TesteeView<M>>, 'rules'> => ({
  topicOf: (event) => (event.kind === 'message' ? (fromTarget(event) ? 'answer' : 'request') : event.kind),
  view: {
    start: () => ({
      hello: undefined,
      open: new Map(),
      forgotten: new Set(),
      over: undefined,
      astray: undefined,
      memory: memory.start(),
    }),
    step(view, event) {
      if (event.kind === 'message' && fromTarget(event)) answered(view, event, memory);
      else step(view, event);
    },
  },
});

function step(view: TesteeView, event: TraceEvent): void {
  if (event.kind === 'mark') return mark(view, event);
  if (event.kind === 'message') return asked(view, event);
  if (event.kind === 'undecodable' && fromTarget(event)) view.astray = event.note?.slice(0, astrayShown);
  else if (event.kind === 'process') view.over = `the testee's process ended (${endOf(event.data)})`;
  else if ((event.kind === 'end' || event.kind === 'reset') && fromTarget(event))
    view.over ??= 'the testee closed its output';
}

const endOf = ({ exit, signal }: JsonObject): string =>
  typeof signal === 'string' ? signal : `exit ${typeof exit === 'number' ? exit : 'unknown'}`;

function mark(view: TesteeView, { seq, data }: TraceEvent): void {
  const { outcome, reason } = data;
  if (outcome === 'ended-early' && reason !== 'interrupted')
    view.over ??= typeof reason === 'string' ? reason : 'the scenario ended early';
  const test = isObject(data['case']) ? putTest(data['case'], seq) : undefined;
  if (test === undefined) return;
  view.open.set(test.id, test);
  if (view.open.size <= openKept) return;
  const [oldest] = view.open.values();
  for (const row of oldest?.requirements ?? []) view.forgotten.add(row);
  view.open.delete(oldest?.id ?? null);
}

const results: readonly VectorResult[] = ['valid', 'invalid', 'acceptable'];

/** The test of a mark; undefined when it is none that could be judged. */
function putTest(mark: Record<string, unknown>, seq: number): PutTest | undefined {
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

function asked(view: TesteeView, event: TraceEvent): void {
  const test = testOf(view, event);
  if (test === undefined) return;
  test.request = event.data;
  test.seq = event.seq;
  view.astray = undefined;
}

function answered<M>(view: TesteeView<M>, event: TraceEvent, memory: Memory<M>): void {
  const { ok } = event.data;
  const test = testOf(view, event);
  if (isObject(ok)) {
    view.hello ??= helloIn(ok);
    memory.take(view.memory, ok, test?.request);
  }
  if (test !== undefined) view.open.delete(test.id);
}
