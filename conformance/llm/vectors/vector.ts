/** Makes a vector of LLM streams from a case: a response on the wire, and its expected result. */
import { isArray } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { listArgument, numberArgument, textArgument, textBuilders } from '../../../src/kit/spec/index.ts';
import type { Case, CaseBuilders, Vector } from '../../../src/kit/spec/index.ts';
import { vectorOf } from '../../../src/kit/testee/index.ts';
import type { DrawnGeneration } from './draw.ts';

/** The wire form of a dialect: the text of a body, or the messages of LM Studio's channel. */
export interface DialectWire {
  /** Builders of its parts, for case tables. */
  readonly builders: CaseBuilders;
  /** The wire form of a drawn generation. */
  readonly wireOf: (drawn: DrawnGeneration) => Json;
  /** Makes a body from its joined parts. By default the joined parts are the body. */
  readonly whole?: (text: string) => string;
  /** Whether the wire form is messages. */
  readonly isMessages?: boolean;
  /** Whether the wire form is bytes, as hexadecimal digits. */
  readonly isBinary?: boolean;
  /** Whether a call that the limit cut does not appear on the wire. */
  readonly hidesCutCalls?: boolean;
}

/** The parts of a wire form, flattened. */
const partsOf = (wire: Json | undefined): readonly Json[] =>
  isArray(wire) ? wire.flatMap(partsOf) : [wire ?? ''];

const textOf = (wire: Json | undefined): string => partsOf(wire).map(textArgument).join('');

/** Builders for all dialects. They change the output of other builders. */
const editing: CaseBuilders = {
  ...textBuilders,
  replace: (wire, from, to) => textOf(wire).replaceAll(textArgument(from), textOf(to)),
  replaceFirst: (wire, from, to) => textOf(wire).replace(textArgument(from), textOf(to)),
  /** A part of a text (in UTF-16 units) or of a list of messages. */
  cut(wire, from, to) {
    const parts = partsOf(wire);
    const whole = parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
    return whole.slice(numberArgument(from), numberArgument(to, Infinity));
  },
};

/** The builders for the case tables of a dialect. */
export const buildersOf = ({ builders }: DialectWire): CaseBuilders => ({ ...editing, ...builders });

function inputOf(
  { whole, isMessages, isBinary }: DialectWire,
  { dialect, wire, ended, error }: Case,
): JsonObject {
  const text = (): string => (whole === undefined ? textOf(wire) : whole(textOf(wire)));
  return {
    dialect: dialect ?? null,
    status: 200,
    ...(isMessages === true ? { messages: partsOf(wire) } : { [isBinary === true ? 'hex' : 'body']: text() }),
    ended: ended ?? (error === 'connection' ? 'reset' : 'clean'),
  };
}

/**
 * The expected result. Text and calls that a case does not name are expected to be empty. `calls` are `[id, name,
 * input]`. An input that is a text is that of a custom tool.
 */
function expectOf({ content, calls, stop, usage, thinking, open, undecided, error }: Case): JsonObject {
  if (error !== undefined) return { content: content ?? '', error: true, runs: [] };
  const made = listArgument(calls).map(listArgument);
  const demands = {
    toolCalls: made.map(([id = null, name = null, input = null]) => ({
      id,
      name,
      input,
      ...(typeof input === 'string' ? { custom: true } : {}),
    })),
    runs: made.map(([, name = null]) => name),
  };
  return {
    content: content ?? '',
    // When the wire does not show the end of the last call, the calls are not compared.
    ...(undecided === true ? {} : demands),
    ...(stop === undefined ? {} : { stopReason: stop }),
    ...(usage === undefined ? {} : { usage }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(open === undefined ? {} : { open }),
  };
}

/** Columns that are copied from the case table to the vector. */
const columns: readonly string[] = ['id', 'comment', 'requirements', 'flags', 'result', 'error'];

/** Makes the vector of a case. */
export const llmVector = (wire: DialectWire, test: Case): Vector =>
  vectorOf({
    ...Object.fromEntries(Object.entries(test).filter(([name]) => columns.includes(name))),
    ...inputOf(wire, test),
    expect: expectOf(test),
  });
