/** What a scenario of clients is made of: turns that are asked for, and what the provider answers to each. */
import type { JsonObject, ScenarioStep } from '../../../../src/kit/base/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';

/** One `llm.turn`, and the provider's answers to its requests. */
export interface CaseTurn {
  /** Answers the first request: a turn of a script, without its match. */
  readonly answer: JsonObject;
  /** Answers to requests that follow; absent: a short text, however many come. */
  readonly later?: readonly JsonObject[];
  /** Fields of the request beside those that all have, or instead of them. */
  readonly asks?: JsonObject;
  /** What rules are to know of it. */
  readonly about?: JsonObject;
  /** What is done between the request and the end of the answer. */
  readonly meanwhile?: readonly ScenarioStep[];
  /** Instead of waiting for the answer as usual. */
  readonly awaits?: readonly ScenarioStep[];
}

/** One kind of situation, played in every dialect that has it. */
export interface Case {
  readonly name: string;
  /** Such as `is cut by the limit in the middle of a tool call`: what follows "A client that". */
  readonly title: string;
  /** Those that have it; absent: all. */
  readonly dialects?: readonly DialectName[];
  /** Features beside the dialect's own. */
  readonly features?: readonly string[];
  readonly exercises: readonly string[] | ((dialect: DialectName) => readonly string[]);
  readonly turns: (dialect: DialectName) => readonly CaseTurn[];
}

/** All dialects but these. */
export const without = (...others: readonly DialectName[]): readonly DialectName[] =>
  dialects.filter((name) => !others.includes(name));

/** A text in which cuts inside characters show. */
export const unicode = 'Grüße aus Zürich: 日本語, naïve café, 👩‍🚀 and 🎉.';

/** A call of the tool `write_note`. */
export const write = (input: JsonObject): JsonObject => ({ tool_call: { name: 'write_note', input } });

/** The same, with arguments as text, whatever that is. */
export const writeRaw = (text: string): JsonObject => ({
  tool_call: { name: 'write_note', arguments: text },
});

/** A call of the tool `read_note`. */
export const read = (title: string): JsonObject => ({ tool_call: { name: 'read_note', input: { title } } });

/** Text. */
export const say = (text: string): JsonObject => ({ text });

/** The arguments that are cut: every class of JSON, in several parameters. */
export const note: JsonObject = {
  title: 'Ein "Titel"',
  body: 'line one\nline two, é and 日本',
  priority: 12_345,
  ratio: -0.25,
  pinned: true,
  parent: null,
  tags: ['a', 'b\\c', { deep: [1, false] }],
};
