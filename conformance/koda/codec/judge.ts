/** Judges an answer of a codec for one row: whether it accepts or refuses, the form of the text it sends, and its value. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { exercisedUnless, mismatch, readAnswer, shown } from '../../../src/kit/testee/index.ts';
import type { Demand, Judgement } from '../../../src/kit/testee/index.ts';
import { decodeText } from '../../../src/koda/index.ts';
import type { MessageKind } from '../../../src/koda/index.ts';
import { messageDifference } from './message-difference.ts';
import { readSent } from './sent.ts';

/** The claims of a testee's hello about its answers. */
export interface AnswerClaims {
  /** Whether its refusals have the codes of the operations. Only then codes are judged. */
  readonly codes: boolean;
}

/**
 * Judges an answer for a row that its test lists: `request` is `{id, op, kind, text}`.
 *
 * @example
 * const request = { op: 'koda.decode', kind: 'event', text: '{"type":"context_usage","used":1,"max":2}' };
 * const test = { result: 'valid' as const, expect: { text: request.text } };
 * judgeAnswer('KODA-10', test, request, { ok: { text: '{"max":2,"used":1,"type":"context_usage"}' } }); // 'exercised'
 * judgeAnswer('KODA-10', test, request, { error: { code: 'bad-json' } }); // { violated: 'expected ok; came a refusal: code "bad-json", message nothing' }
 */
export function judgeAnswer(
  row: string,
  test: Demand,
  request: JsonObject,
  answer: JsonObject,
  { codes }: AnswerClaims = { codes: false },
): Judgement {
  const read = readAnswer(answer);
  if (typeof read === 'string') return { violated: read };
  const { result, error } = test;
  if ('ok' in read) {
    const { text } = read.ok;
    if (result === 'invalid') return mismatch('a refusal', `ok with text ${shown(text)}`);
    if (typeof text !== 'string') return mismatch('text as a string', shown(text));
    return judgeSent(row, test, request, text);
  }
  const { code, message } = read;
  if (result === 'valid') return mismatch('ok', `a refusal: code ${shown(code)}, message ${shown(message)}`);
  if (!codes || error === undefined || code === error) return 'exercised';
  return mismatch(`a refusal with code ${error}`, shown(code));
}

/**
 * Rows that judge only the form of a sent text, or only whether a text is accepted. The values of the message are judged by
 * another row of its test, or of a test with the same message.
 */
const valueless: readonly string[] = [
  'KODA-01',
  'KODA-09',
  'KODA-12',
  'KODA-16',
  'KODA-18',
  'KODA-19',
  'KODA-20',
  'KODA-21',
];

/** Judges the text of a message that the testee sends. */
function judgeSent(row: string, { result, expect }: Demand, { kind }: JsonObject, text: string): Judgement {
  const wanted = expect?.['text'];
  // Nothing is demanded of an input that may be accepted or refused.
  if (wanted === undefined && result === 'acceptable') return 'exercised';
  // A recording of a newer kit may have tests that this kit does not know.
  if (!isKind(kind) || typeof wanted !== 'string') return undefined;
  const expected = decodeText(kind, wanted);
  if (!expected.ok) return undefined;
  const { decoded, fault } = readSent(kind, text);
  if (fault?.row === row) return { violated: fault.message };
  if (result === 'valid' && valueless.includes(row) && fault?.row === undefined) return 'exercised';
  if (decoded !== undefined) return exercisedUnless(messageDifference(expected.value, decoded));
  if (fault?.row === undefined) return { violated: fault?.message ?? '' };
  return { unknowable: `the sent text cannot be read (${fault.row}: ${fault.message})` };
}

const isKind = (kind: unknown): kind is MessageKind => kind === 'event' || kind === 'command';
