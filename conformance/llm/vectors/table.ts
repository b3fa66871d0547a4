/** The words in which the tables of streams are written, and the files that come of them. */
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { vectorGenerator, vectorSchema } from '../../../src/kit/spec/index.ts';
import type { Vector, VectorFile } from '../../../src/kit/spec/index.ts';

/** Revision of the requirement list that the cases follow (spec/llm/requirements.yaml). */
export const revision = '2026-11';

/** What the flags of tests mean. */
const notes = {
  'exact-numbers':
    'An integer in the arguments that a double changes. A reader that keeps it exactly may run the call; one that does not must refuse it.',
  random: 'Made from the seed.',
} as const;

/** A flag of a test. */
export type Flag = keyof typeof notes;

/** The five dialects. */
export type DialectName = 'anthropic' | 'openai-chat' | 'openai-responses' | 'ollama' | 'lmstudio';

/** What a stream comes to. Text and calls that are not named are none, and demanded to be none. */
export interface Outcome {
  readonly content?: string;
  /** Calls that are whole; each may run if the response ends well. */
  readonly calls?: readonly (readonly [id: string, name: string, input: JsonObject])[];
  readonly stop?: string;
  readonly usage?: JsonObject;
  readonly thinking?: readonly JsonObject[];
  /** The call that the end cut; without `partial`, what came of its arguments is not judged. */
  readonly open?: JsonObject;
  /** How the transport ends; default: with a reset where the error is `connection`, else in order. */
  readonly ended?: 'clean' | 'reset';
  /** Nothing is demanded of the calls: the wire does not tell what became of the last one. */
  readonly undecided?: true;
}

/** Code words of what a stream that is an error is to the caller. */
export type ErrorWord = 'provider' | 'truncated-stream' | 'connection' | 'protocol';

/** A response as it stands on the wire: the text of a body, or the messages of LM Studio's channel. */
export type VectorWire = string | readonly Json[];

/** Writes the cases of one dialect. */
export interface CaseWriter {
  /** The response ends well, as far as a client can tell; rows are written `C01 C04`. */
  valid(id: string, comment: string, rows: string, wire: VectorWire, outcome: Outcome): Vector;
  /** The response is an error to the caller: none of its calls runs, and the text that came is kept. */
  invalid(
    id: string,
    comment: string,
    rows: string,
    wire: VectorWire,
    error: ErrorWord,
    outcome?: Pick<Outcome, 'content' | 'ended'>,
  ): Vector;
}

type Columns = Pick<Vector, 'id' | 'comment' | 'flags' | 'requirements'>;

const columns = (id: string, comment: string, rows: string): Columns => ({
  id,
  comment,
  flags: [],
  requirements: rows.split(' ').map((row) => `LLM-${row}`),
});

const inputOf = (dialect: DialectName, wire: VectorWire, ended: 'clean' | 'reset'): JsonObject => ({
  dialect,
  status: 200,
  ...(typeof wire === 'string' ? { body: wire } : { messages: wire }),
  ended,
});

const expectOf = (outcome: Outcome): JsonObject => {
  const { content = '', calls = [], stop, usage, thinking, open, undecided = false } = outcome;
  const demands = {
    toolCalls: calls.map(([id, name, input]) => ({ id, name, input })),
    runs: calls.map(([, name]) => name),
  };
  return {
    content,
    ...(undecided ? {} : demands),
    ...(stop === undefined ? {} : { stopReason: stop }),
    ...(usage === undefined ? {} : { usage }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(open === undefined ? {} : { open }),
  };
};

/** The writer of a dialect's cases; their ids begin with its name. */
export const casesOf = (dialect: DialectName): CaseWriter => ({
  valid: (id, comment, rows, wire, outcome) => ({
    ...columns(`${dialect}-${id}`, comment, rows),
    ...inputOf(dialect, wire, outcome.ended ?? 'clean'),
    result: 'valid',
    expect: expectOf(outcome),
  }),
  invalid: (id, comment, rows, wire, error, { content = '', ended } = {}) => ({
    ...columns(`${dialect}-${id}`, comment, rows),
    ...inputOf(dialect, wire, ended ?? (error === 'connection' ? 'reset' : 'clean')),
    result: 'invalid',
    error,
    expect: { content, error: true, runs: [] },
  }),
});

/** The same tests with a flag more. */
export const flagged = (flag: Flag, tests: readonly Vector[]): readonly Vector[] =>
  tests.map((test) => ({ ...test, flags: [...test.flags, flag].toSorted() }));

/** A file of vectors. The notes explain the flags that its tests have. */
export function vectorFile(dialect: DialectName, seed: string, tests: readonly Vector[]): VectorFile {
  const used = new Set(tests.flatMap(({ flags }) => flags));
  const explained = Object.entries(notes).filter(([flag]) => used.has(flag));
  return {
    name: `${dialect}.json`,
    vectors: {
      schema: vectorSchema,
      protocol: 'llm',
      revision,
      generator: vectorGenerator('llm', seed),
      notes: Object.fromEntries(explained),
      groups: [{ op: 'llm.decode', tests }],
    },
  };
}
