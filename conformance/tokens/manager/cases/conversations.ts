/**
 * Conversations that tests are about. Each message begins with a mark of its own (`<u1>` of the user's first turn,
 * `<a1>` of its answer, `<s>` of the system), so that it is known again wherever it ends up.
 */
import type { JsonObject } from '../../../../src/kit/base/index.ts';

/** Who speaks. */
export type Speaker = 'system' | 'user' | 'assistant';

/** A message with its mark: `chars` UTF-16 units in all, so 10 + ceil(chars / 4) tokens (TOK-25). */
export const say = (role: Speaker, mark: string, chars = 400, filler = 'x'): JsonObject => ({
  role,
  content: `<${mark}> ${filler.repeat(Math.ceil(chars / filler.length))}`.slice(0, chars),
});

/** A turn in which nothing is called; by default 220 tokens. */
export const turn = (n: number, chars = 400): readonly JsonObject[] => [
  say('user', `u${n}`, chars),
  say('assistant', `a${n}`, chars),
];

/** Turns from one number to another. */
export const turns = (from: number, to: number, chars = 400): readonly JsonObject[] =>
  Array.from({ length: to - from + 1 }, (_, i) => turn(from + i, chars)).flat();

/** What came of a call, as it goes back to the model. */
const result = (id: string, content = 'done', isError = false): JsonObject => ({
  id,
  content,
  isError,
});

/** An assistant's message with calls of one tool. */
export const calling = (mark: string, ids: readonly string[], chars = 40): JsonObject => ({
  ...say('assistant', mark, chars),
  toolCalls: ids.map((id) => ({ id, name: 'read', input: { path: `/${id}` } })),
});

/** The user's message with their results. */
export const answering = (ids: readonly string[], content?: string): JsonObject => ({
  role: 'user',
  content: '',
  toolResults: ids.map((id) => result(id, content)),
});

/** A turn with calls of `read`; about 300 tokens. */
export const toolTurn = (
  n: number,
  ids: readonly string[] = [`c${n}`],
  chars = 400,
): readonly JsonObject[] => [
  say('user', `u${n}`, chars),
  calling(`k${n}`, ids),
  answering(ids),
  say('assistant', `a${n}`, chars),
];
