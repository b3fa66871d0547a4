/**
 * Every new word has a place in a scenario: what a list says is played, and no SDK of June 2025 had, is in an answer of a
 * scenario of clients, as a stream and as a body.
 */
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../src/kit/base/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import { checkScript } from '../../../src/llm/script/check.ts';
import type { DialectName } from '../../../src/llm/index.ts';
import { playedAnswers } from '../../../src/llm/played/index.ts';
import { scenes } from '../client/turns.ts';
import { vocabularyOf } from '../drift/vocabulary.ts';
import { isUsed, listOf } from './lists.ts';

/** The SDKs of June 2025, and the day on which words were read at a source that is no SDK. */
const old = /^(?:0\.54\.0|5\.5\.0|1\.5\.0|2026-11-27)$/;

/** Words that no script says: those of a WebSocket are in scenarios of servers; a compaction has a path of its own. */
const elsewhere: ReadonlySet<string> = new Set([
  'previous_response_not_found',
  'invalid_stream_id',
  'websocket_stream_limit_reached',
  'response.compaction',
]);

const nameOf = (kind: string, word: string): string => `${kind} ${word}`;

/** The words of the answers of all scenes in a dialect, in their streams and in their bodies. */
function wordsOf(dialect: DialectName): Record<'stream' | 'body', ReadonlySet<string>> {
  const words = { stream: new Set<string>(), body: new Set<string>() };
  const { read } = vocabularyOf(dialect);
  const answers = scenes()
    .filter(([, one]) => one === dialect)
    .flatMap(([{ turns }]) => turns.flatMap(({ answer, later = [] }) => [answer, ...later]));
  for (const answer of answers) {
    const script = checkScript({ title: 'one answer', turns: [{ ...answer, times: 1 }] });
    if (!script.ok) throw new Error(script.error.message);
    for (const { units, body } of playedAnswers(script.value, dialect, seededRandom)) {
      const found = units.flatMap(({ data }) => (isObject(data) ? read(data, true) : []));
      for (const { kind, word } of found) words.stream.add(nameOf(kind, word));
      if (body === undefined) continue;
      for (const { kind, word } of read(body, false)) words.body.add(nameOf(kind, word));
    }
  }
  return words;
}

/** The dialects whose SDKs of June 2025 were read. */
const dated = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const;

describe.each(dated)('%s', (dialect) => {
  const { words, places = [] } = listOf(dialect);
  const played = wordsOf(dialect);
  const fresh = words.filter(
    (word) => isUsed(word, 'played') && !old.test(word.since) && !elsewhere.has(word.word),
  );

  it.each(['stream', 'body'] as const)('has each new word in a scenario, in a %s', (form) => {
    const kinds = new Set(places.filter(({ in: only = form }) => only === form).map(({ kind }) => kind));
    const missing = fresh.filter(
      ({ kind, word }) => kinds.has(kind) && !played[form].has(nameOf(kind, word)),
    );
    expect(missing.map(({ kind, word }) => nameOf(kind, word))).toEqual([]);
  });
});
