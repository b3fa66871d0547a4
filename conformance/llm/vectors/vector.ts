/** Makes a vector of LLM streams of what its case table says: a response on the wire, and what it comes to. */
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { listArgument, numberArgument, textArgument, textBuilders } from '../../../src/kit/spec/index.ts';
import type { Case, CaseBuilders, Vector } from '../../../src/kit/spec/index.ts';
import { vectorOf } from '../../../src/kit/testee/index.ts';
import type { Drawn } from './draw.ts';

/** How a dialect stands on the wire: as the text of a body, or as messages of LM Studio's channel. */
export interface DialectWire {
  /** Its parts, for case tables. */
  readonly builders: CaseBuilders;
  /** A drawn generation. */
  readonly wireOf: (drawn: Drawn) => Json;
  /** Makes a body of its parts, joined; absent: they are the body. */
  readonly whole?: (text: string) => string;
  /** Whether it is messages. */
  readonly isMessages?: boolean;
  /** Whether nothing is shown of a call that the limit cut. */
  readonly hidesCutCalls?: boolean;
}

/** The parts of a wire, whatever lists they stand in. */
const partsOf = (wire: Json | undefined): readonly Json[] =>
  Array.isArray(wire) ? (wire as readonly Json[]).flatMap(partsOf) : [wire ?? ''];

const textOf = (wire: Json | undefined): string => partsOf(wire).map(textArgument).join('');

/** Builders of any dialect: they change what others make. */
const editing: CaseBuilders = {
  ...textBuilders,
  replace: (wire, from, to) => textOf(wire).replaceAll(textArgument(from), textOf(to)),
  replaceFirst: (wire, from, to) => textOf(wire).replace(textArgument(from), textOf(to)),
  /** A part of a text (in UTF-16 units), or of a list of messages. */
  cut(wire, from, to) {
    const parts = partsOf(wire);
    const whole = parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
    return whole.slice(numberArgument(from), numberArgument(to, Infinity));
  },
};

/** What the case tables of a dialect are made with. */
export const buildersOf = ({ builders }: DialectWire): CaseBuilders => ({ ...editing, ...builders });

function inputOf({ whole, isMessages }: DialectWire, { dialect, wire, ended, error }: Case): JsonObject {
  const text = (): string => (whole === undefined ? textOf(wire) : whole(textOf(wire)));
  return {
    dialect: dialect ?? null,
    status: 200,
    ...(isMessages === true ? { messages: partsOf(wire) } : { body: text() }),
    ended: ended ?? (error === 'connection' ? 'reset' : 'clean'),
  };
}

/** Text and calls that are not named are none, and demanded to be none; `calls` are `[id, name, input]`. */
function expectOf({ content, calls, stop, usage, thinking, open, undecided, error }: Case): JsonObject {
  if (error !== undefined) return { content: content ?? '', error: true, runs: [] };
  const made = listArgument(calls).map(listArgument);
  const demands = {
    toolCalls: made.map(([id = null, name = null, input = null]) => ({ id, name, input })),
    runs: made.map(([, name = null]) => name),
  };
  return {
    content: content ?? '',
    // Where the wire does not tell what became of the last call, nothing is demanded of the calls.
    ...(undecided === true ? {} : demands),
    ...(stop === undefined ? {} : { stopReason: stop }),
    ...(usage === undefined ? {} : { usage }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(open === undefined ? {} : { open }),
  };
}

/** Columns that a vector has as its case table says them. */
const columns: readonly string[] = ['id', 'comment', 'requirements', 'flags', 'result', 'error'];

/** The vector of a test. */
export const llmVector = (wire: DialectWire, test: Case): Vector =>
  vectorOf({
    ...Object.fromEntries(Object.entries(test).filter(([name]) => columns.includes(name))),
    ...inputOf(wire, test),
    expect: expectOf(test),
  });
