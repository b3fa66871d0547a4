/** Judges one answer of a testee by the demands of its test. */
import { entryOf, exactText, isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { judgeWire, showsRow } from './facts/facts.ts';
import { difference, readAnswer, shown } from '../../../src/kit/testee/index.ts';
import { bytesDiffer, bytesOf } from './facts/bytes.ts';
import { forbiddenIn, readRle } from './facts/rle.ts';
import type { Rle } from './facts/rle.ts';

/** The demands of a vector on an answer. The request holds its inputs. */
export interface Test {
  /** The requirements that a wrong answer violates. */
  readonly requirements: readonly string[];
  /** `valid`: accept; `invalid`: refuse; `acceptable`: accept or refuse, and an accepted value must be as expected. */
  readonly result: 'valid' | 'invalid' | 'acceptable';
  /** The demanded part of the answer. No other part is judged. */
  readonly expect?: JsonObject | undefined;
  /** The code of the refusal, for testees that claim to give codes. */
  readonly error?: string | undefined;
}

/** The claims of a testee's hello about its answers. */
export interface AnswerClaims {
  /** Whether its refusals carry the codes of the testee protocol. Then the codes are judged. */
  readonly codes?: boolean;
}

/**
 * Judges an answer: `request` is `{id, op, …input}`, `answer` is `{id, ok | error | unsupported}`.
 *
 * @returns undefined for a right answer, else the expectation and the observation
 * @example
 * const request = { op: 'toon.rle.encode', bytes: '41414141' };
 * const test = { requirements: ['TOON-19'], result: 'valid' as const, expect: { bytes: 'ff4104' } };
 * judgeAnswer(test, request, { ok: { bytes: 'ff4104' } }); // undefined
 * judgeAnswer(test, request, { ok: {} }); // 'expected bytes as hex; came nothing'
 */
export function judgeAnswer(
  test: Test,
  request: JsonObject,
  answer: JsonObject,
  manners: AnswerClaims = {},
): string | undefined {
  const said = readCodecAnswer(answer);
  if (typeof said === 'string') return said;
  const { op } = request;
  if (op === 'toon.validate') return judgeValidity(test, said);
  if ('ok' in said) {
    const judge = entryOf(judges, op);
    if (judge === undefined) return `expected an operation of TOON; the request has ${shown(op)}`;
    if (test.result !== 'invalid') return judge(test, request, said.ok);
    const code = test.error === undefined ? '' : ` (${test.error})`;
    return `expected a refusal${code}; came ok with ${shown(said.ok)}`;
  }
  if (test.result === 'valid')
    return `expected ok; came a refusal: code ${shown(said.code)}, message ${shown(said.message)}`;
  return judgeRefusal(test, said, manners);
}

/** Whether a right answer exercises a requirement of its test. */
export function showsRequirement(row: string, request: JsonObject, answer: JsonObject): boolean {
  const { ok } = answer;
  if (request['op'] !== 'toon.encode' || !isObject(ok)) return true;
  const wire = bytesOf(ok['wire']);
  return wire !== undefined && showsRow(row, wire);
}

/** The result or the refusal of an answer; a text: the fault of an answer that has neither. */
type CodecAnswer = { readonly ok: JsonObject } | { readonly code: string; readonly message: string } | string;

/** Reads an answer. An error of null besides ok is a fault. A code or a message that is not a text becomes ''. */
function readCodecAnswer(answer: JsonObject): CodecAnswer {
  if (answer['ok'] !== undefined && answer['error'] === null) return 'expected ok or error; came both';
  const read = readAnswer(answer);
  if (typeof read === 'string' || 'ok' in read) return read;
  const [code = '', message = ''] = [read.code, read.message].map((one) =>
    typeof one === 'string' ? one : '',
  );
  return { code, message };
}

/** Judges the answer of `toon.validate`, where false or a refusal means invalid. */
function judgeValidity({ result, expect }: Test, said: Exclude<CodecAnswer, string>): string | undefined {
  const came = 'ok' in said ? said.ok['valid'] : false;
  if (typeof came !== 'boolean') return `expected valid to be true or false; came ${shown(came)}`;
  if (result === 'acceptable') return undefined;
  const wanted = expect?.['valid'] ?? result === 'valid';
  return came === wanted ? undefined : `expected valid: ${shown(wanted)}; came ${came}`;
}

function judgeRefusal(
  { requirements, error }: Test,
  { code, message }: Exclude<CodecAnswer, string | { readonly ok: JsonObject }>,
  { codes = false }: AnswerClaims,
): string | undefined {
  // TOON-43: "SHOULD name the likely mistake when a frame starts with 0x7B".
  if (requirements.includes('TOON-43') && !/\b(?:json|header)/i.test(message))
    return `expected a message that names the likely mistake, JSON without a header; came ${shown(message)}`;
  if (!codes || error === undefined || code === error) return undefined;
  return `expected a refusal with code ${error}; came ${shown(code)}`;
}

/** Judges the `ok` of an operation. */
type Judge = (test: Test, request: JsonObject, ok: JsonObject) => string | undefined;

const encoded: Judge = ({ requirements, expect }, request, { wire }) => {
  const bytes = bytesOf(wire);
  return bytes === undefined
    ? `expected wire as hex; came ${shown(wire)}`
    : judgeWire(requirements, expect, request, bytes);
};

const decoded: Judge = (test, _, ok) => judgeDecoded('', test, test.expect ?? {}, ok);

function judgeDecoded(at: string, test: Test, expect: JsonObject, ok: JsonObject): string | undefined {
  const { header, payload, trailing, digits } = expect;
  if (isObject(header)) {
    const came = isObject(ok['header']) ? ok['header'] : {};
    for (const [field, wanted] of Object.entries(header)) {
      const wrong = difference(`${at}header.${field}`, wanted, came[field]);
      if (wrong !== undefined) return wrong;
    }
  }
  const rounded = digits === undefined ? undefined : judgeDigits(at, digits, ok['payload']);
  if (rounded !== undefined) return rounded;
  const wrong = payload === undefined ? undefined : difference(`${at}payload`, payload, ok['payload']);
  // Only TOON-44 demands the number of trailing bytes.
  if (wrong !== undefined || trailing === undefined || !test.requirements.includes('TOON-44')) return wrong;
  return difference(`${at}trailing`, trailing, ok['trailing']);
}

/** Judges members of a payload by the JSON text of each, with all digits of its integers (TOON-56). */
function judgeDigits(at: string, wanted: Json, payload: Json | undefined): string | undefined {
  for (const [name, text] of Object.entries(isObject(wanted) ? wanted : {})) {
    const came = isObject(payload) && payload[name] !== undefined ? exactText(payload[name]) : 'nothing';
    if (came !== text) return `${at}payload.${name}: expected ${shown(text)}; came ${came.slice(0, 60)}`;
  }
  return undefined;
}

/** The peculiarity of RLE that each requirement forbids. */
const ruledOut: { readonly [row: string]: keyof Rle['peculiar'] } = {
  'TOON-19': 'run-literal',
  'TOON-20': 'run-split',
  'TOON-22': 'count-zero',
};

const rleEncoded: Judge = ({ requirements, expect }, request, ok) => {
  const came = bytesOf(ok['bytes']);
  if (came === undefined) return `expected bytes as hex; came ${shown(ok['bytes'])}`;
  const wanted = bytesOf(expect?.['bytes']);
  if (wanted !== undefined) return bytesDiffer('bytes', wanted, came);
  const rle = readRle(came);
  if (typeof rle === 'string') return `expected RLE that can be read; ${rle}`;
  const without = expect === undefined ? requirements.map((row) => ruledOut[row] ?? '') : expect['without'];
  const forbidden = forbiddenIn(rle.peculiar, without);
  if (forbidden !== undefined) return forbidden;
  const given = bytesOf(request['bytes']);
  return given === undefined ? undefined : bytesDiffer('once expanded', given, rle.expanded);
};

const rleDecoded: Judge = ({ expect = {} }, _, ok) => {
  const wanted = bytesOf(expect['bytes']);
  const came = bytesOf(ok['bytes']);
  if (came === undefined) return `expected bytes as hex; came ${shown(ok['bytes'])}`;
  return wanted === undefined ? undefined : bytesDiffer('bytes', wanted, came);
};

const streamed: Judge = (test, _, ok) => {
  const { messages, skipped, pending } = test.expect ?? {};
  if (isArray(messages)) {
    const came = isArray(ok['messages']) ? ok['messages'] : [];
    if (came.length !== messages.length) return `expected ${messages.length} messages; came ${came.length}`;
    for (const [i, message] of messages.entries()) {
      const one = came[i];
      const wrong = judgeDecoded(
        `messages[${i}].`,
        test,
        isObject(message) ? message : {},
        isObject(one) ? one : {},
      );
      if (wrong !== undefined) return wrong;
    }
  }
  const counts = Object.entries({ skipped, pending }).filter(([, wanted]) => wanted !== undefined);
  const odd = counts.find(([name, wanted]) => ok[name] !== wanted);
  return odd === undefined ? undefined : difference(odd[0], odd[1] ?? null, ok[odd[0]]);
};

const judges: { readonly [op: string]: Judge } = {
  'toon.encode': encoded,
  'toon.decode': decoded,
  'toon.rle.encode': rleEncoded,
  'toon.rle.decode': rleDecoded,
  'toon.stream': streamed,
};
