/** Generators of text and of call arguments: all scripts, escapes, numbers, nesting, and text that looks like framing. */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../kit/base/index.ts';

const tricky = fc.constantFrom(
  'Hello, world',
  'Grüße, 世界, مرحبا, नमस्ते, 👩‍👩‍👧 𝄞',
  'data: [DONE]\n\n',
  'event: message_stop\r\ndata: {}\r\n\r\n',
  '\r',
  '\n',
  ': comment',
  '{"error":"no"}',
  '"}\\',
  '\uFEFFbom',
  '\u2028\u2029\u0000\u007F\u0085',
  '<think>no</think>',
  '\uFFFD',
);

/** Well-formed Unicode text, possibly empty. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 3, arbitrary: tricky },
  { weight: 1, arbitrary: fc.array(tricky, { maxLength: 8 }).map((parts) => parts.join(' ')) },
);

/** Well-formed Unicode text with at least one character that is not a space. */
export const anyWords: fc.Arbitrary<string> = anyText.map((text) => (/\S/.test(text) ? text : `${text}w`));

/** Numbers that JSON.parse and JSON.stringify keep: no -0, no integer beyond 2^53. */
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((n) => (n === 0 ? 0 : n)),
  fc.constantFrom(0, 1, -1, 0.1, 1e-7, 5e-324, 2 ** 53 - 1),
);

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('title', 'path', 'body', 'a', 'naïve', '键', '🔑') },
  { weight: 2, arbitrary: anyText },
  { weight: 1, arbitrary: fc.constantFrom('', '"', '\\', '__proto__', 'constructor', '1', ' ') },
);

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.oneof(anyText, number, fc.boolean(), fc.constant(null), fc.constantFrom('\uD800', 'a\uDC00')),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Arguments of a call: an object that survives JSON as it is. */
export const anyArguments: fc.Arbitrary<JsonObject> = fc.dictionary(key, value, {
  maxKeys: 4,
  noNullPrototype: true,
});
