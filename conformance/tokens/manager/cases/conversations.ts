/**
 * Conversations for tests. Each message begins with a unique mark (`<u1>`: the user's first turn, `<a1>`: its answer,
 * `<s>`: the system), so that a fact can find it in any result.
 */
import type { JsonObject } from '../../../../src/kit/base/index.ts';

/** The role of a message. */
export type Speaker = 'system' | 'user' | 'assistant';

/** A message with its mark: `chars` UTF-16 units in all, so 10 + ceil(chars / 4) tokens (TOK-25). */
export const say = (role: Speaker, mark: string, chars = 400, filler = 'x'): JsonObject => ({
  role,
  content: `<${mark}> ${filler.repeat(Math.ceil(chars / filler.length))}`.slice(0, chars),
});

/** A turn without calls. The default is 220 tokens. */
export const turn = (n: number, chars = 400): readonly JsonObject[] => [
  say('user', `u${n}`, chars),
  say('assistant', `a${n}`, chars),
];

/** Turns from one number to another. */
export const turns = (from: number, to: number, chars = 400): readonly JsonObject[] =>
  Array.from({ length: to - from + 1 }, (_, i) => turn(from + i, chars)).flat();

/** The result of a call. */
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

/** A turn with calls of `read`, of about 300 tokens. */
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
