/** The parts of a scenario for clients: the turns that it asks for, and the provider's answers. */
import type { JsonObject, ScenarioStep } from '../../../../src/kit/base/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';

/** One `llm.turn`, and the provider's answers to its requests. */
export interface CaseTurn {
  /** Answers the first request: a turn of a script, without its match. */
  readonly answer: JsonObject;
  /** Answers to the requests that follow. By default each gets a short text. */
  readonly later?: readonly JsonObject[];
  /** Fields of the request that are added to the common fields, or replace them. */
  readonly asks?: JsonObject;
  /** Facts about the turn for rules. */
  readonly about?: JsonObject;
  /** Steps between the request and the end of the answer. */
  readonly meanwhile?: readonly ScenarioStep[];
  /** Replaces the usual step that waits for the answer. */
  readonly awaits?: readonly ScenarioStep[];
}

/** A situation that is played in every dialect in which it can occur. */
export interface Case {
  readonly name: string;
  /** The title without the dialect, such as `the limit cuts the only tool call`. */
  readonly title: string;
  /** The dialects in which it can occur. The default is all. */
  readonly dialects?: readonly DialectName[];
  /** Features that it needs in addition to the dialect's. */
  readonly features?: readonly string[];
  readonly exercises: readonly string[] | ((dialect: DialectName) => readonly string[]);
  readonly turns: (dialect: DialectName) => readonly CaseTurn[];
}

/** All dialects except these. */
export const dialectsExcept = (...others: readonly DialectName[]): readonly DialectName[] =>
  dialects.filter((name) => !others.includes(name));

/** A text with characters of several bytes, so that cuts inside characters are visible. */
export const unicode = 'Grüße aus Zürich: 日本語, naïve café, 👩‍🚀 and 🎉.';

/** A call of the tool `write_note`. */
export const writeNote = (input: JsonObject): JsonObject => ({ tool_call: { name: 'write_note', input } });

/** A call of the tool `write_note` with any text as arguments. */
export const writeRaw = (text: string): JsonObject => ({
  tool_call: { name: 'write_note', arguments: text },
});

/** A call of the tool `read_note`. */
export const readNote = (title: string): JsonObject => ({
  tool_call: { name: 'read_note', input: { title } },
});

/** A call of the tool `list_notes`, which has no parameters. */
export const listNotes: JsonObject = { tool_call: { name: 'list_notes', input: {} } };

/** Text. */
export const textStep = (text: string): JsonObject => ({ text });

/** The arguments that are cut. They contain every kind of JSON value, in several parameters. */
export const cutArguments: JsonObject = {
  title: 'Ein "Titel"',
  body: 'line one\nline two, é and 日本',
  priority: 12_345,
  ratio: -0.25,
  pinned: true,
  parent: null,
  tags: ['a', 'b\\c', { deep: [1, false] }],
};
