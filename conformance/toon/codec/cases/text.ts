/** Cases of payloads that are no text or no JSON: faults of UTF-8, faults of JSON, byte-order marks. */
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import type { Bytes } from './bytes.ts';
import { hex, message, utf8 } from './bytes.ts';
import { acceptable, flagged, invalid, valid, vectorFile } from './table.ts';

/** An INSTRUCTION whose text has these bytes in it. */
const within = (...bytes: readonly number[]): string =>
  hex(message('INSTRUCTION', [...utf8('{"instruction":"a'), ...bytes, ...utf8('b"}')]));

/** "The payload is a UTF-8 JSON-encoded byte string". Source: TOON Protocol Specification; what is none: RFC 3629, 3. */
const badUtf8: readonly Vector[] = (
  [
    ['continuation-80', 'a continuation byte alone', [0x80]],
    ['continuation-bf', 'a continuation byte alone', [0xbf]],
    ['latin1', 'e-acute as ISO 8859-1 has it', [0xe9]],
    ['two-cut', 'the first of two bytes', [0xc3]],
    ['three-cut-1', 'the first of three bytes', [0xe2]],
    ['three-cut-2', 'two of three bytes', [0xe2, 0x82]],
    ['four-cut-1', 'the first of four bytes', [0xf0]],
    ['four-cut-2', 'two of four bytes', [0xf0, 0x9f]],
    ['four-cut-3', 'three of four bytes', [0xf0, 0x9f, 0x98]],
    ['overlong-c080', 'U+0000 in two bytes', [0xc0, 0x80]],
    ['overlong-c1bf', 'U+007F in two bytes', [0xc1, 0xbf]],
    ['overlong-e0', 'U+07FF in three bytes', [0xe0, 0x9f, 0xbf]],
    ['overlong-f0', 'U+FFFF in four bytes', [0xf0, 0x8f, 0xbf, 0xbf]],
    ['overlong-slash', 'a slash in two bytes', [0xc0, 0xaf]],
    ['surrogate-high', 'the surrogate U+D800', [0xed, 0xa0, 0x80]],
    ['surrogate-low', 'the surrogate U+DFFF', [0xed, 0xbf, 0xbf]],
    ['surrogate-pair', 'U+1F600 as two surrogates (CESU-8)', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ['above-10ffff', 'U+110000', [0xf4, 0x90, 0x80, 0x80]],
    ['five-bytes', 'a sequence of five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
    ['fe', 'the byte 0xFE', [0xfe]],
    ['ff', 'the byte 0xFF', [0xff]],
  ] as const
).map(([id, what, bytes]) =>
  invalid(`utf8-${id}`, `${what} in a string`, 10, { wire: within(...bytes) }, 'bad-utf8'),
);

/** Code points at the edges of UTF-8's lengths and ranges. */
const goodUtf8: readonly Vector[] = [
  0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x1_0000, 0x10_ffff,
].map((point) => {
  const character = String.fromCodePoint(point);
  return valid(
    `utf8-u${point.toString(16)}`,
    `U+${point.toString(16).toUpperCase().padStart(4, '0')} in a string`,
    42,
    { wire: within(...utf8(character)) },
    { payload: { instruction: `a${character}b` } },
  );
});

const instruction = (json: string): string => hex(message('INSTRUCTION', json));

/** What RFC 8259 does not allow; some parsers do. Each has the field that an INSTRUCTION must have. */
const badJson: readonly Vector[] = (
  [
    ['nan', 'NaN', '{"instruction":"hi","n":NaN}'],
    ['infinity', 'Infinity', '{"instruction":"hi","n":Infinity}'],
    ['minus-infinity', '-Infinity', '{"instruction":"hi","n":-Infinity}'],
    ['undefined', 'undefined', '{"instruction":"hi","n":undefined}'],
    ['python-literals', 'True as Python has it', '{"instruction":"hi","n":True}'],
    ['trailing-comma', 'a comma before the brace', '{"instruction":"hi",}'],
    ['leading-comma', 'a comma after the brace', '{,"instruction":"hi"}'],
    ['trailing-comma-array', 'a comma before the bracket', '{"instruction":"hi","n":[1,]}'],
    ['single-quotes', 'single quotes', "{'instruction':'hi'}"],
    ['bare-key', 'a key without quotes', '{instruction:"hi"}'],
    ['comment', 'a comment', '{"instruction":"hi"/* now */}'],
    ['line-comment', 'a comment', '{"instruction":"hi"} // now'],
    ['two-values', 'two values', '{"instruction":"hi"}{"instruction":"ho"}'],
    ['two-lines', 'two values on two lines', '{"instruction":"hi"}\n{"instruction":"ho"}'],
    ['extra-brace', 'a brace too many', '{"instruction":"hi"}}'],
    ['nul-after', 'a zero byte after the value', '{"instruction":"hi"}\0'],
    ['cut-string', 'a string without its end', '{"instruction":"hi'],
    ['cut-object', 'an object without its end', '{"instruction":"hi"'],
    ['cut-array', 'an array without its end', '{"instruction":"hi","n":[1'],
    ['missing-colon', 'no colon', '{"instruction" "hi"}'],
    ['newline-in-string', 'a line feed in a string', '{"instruction":"h\ni"}'],
    ['tab-in-string', 'a tab in a string', '{"instruction":"h\ti"}'],
    ['nul-in-string', 'a zero byte in a string', '{"instruction":"h\0i"}'],
    ['escape-x', 'the escape \\x', '{"instruction":"\\x41"}'],
    ['escape-u-cut', 'the escape \\u with two digits', '{"instruction":"\\u41"}'],
    ['escape-at-end', 'a backslash before the last quote', '{"instruction":"hi\\"}'],
    ['leading-zero', 'a number that begins with 0', '{"instruction":"hi","n":01}'],
    ['plus', 'a number that begins with +', '{"instruction":"hi","n":+1}'],
    ['hex', 'a number in hex', '{"instruction":"hi","n":0x1}'],
    ['no-fraction', 'a number that ends with its point', '{"instruction":"hi","n":1.}'],
    ['no-integer', 'a number that begins with its point', '{"instruction":"hi","n":.5}'],
    ['no-exponent', 'a number that ends with its e', '{"instruction":"hi","n":1e}'],
    ['lone-minus', 'a minus alone', '{"instruction":"hi","n":-}'],
    ['no-break-space', 'a no-break space as white space', '{"instruction":\u00a0"hi"}'],
    ['form-feed', 'a form feed as white space', '{"instruction":\f"hi"}'],
    ['bom-within', 'a byte-order mark between values', '{"instruction":\ufeff"hi"}'],
    ['word', 'a word', 'instruction'],
    ['url-form', 'a form, as URLs have them', 'instruction=hi'],
    ['yaml', 'YAML', 'instruction: hi'],
  ] as const
).map(([id, what, json]) => invalid(`json-${id}`, what, 11, { wire: instruction(json) }, 'bad-json'));

/** "MUST reject empty": a type without required fields, so that nothing else is wrong. */
const empty: readonly Vector[] = (
  [
    ['empty', 'no payload at all; {} is two bytes', ''],
    ['space', 'a space', ' '],
    ['white', 'nothing but white space', ' \t\r\n'],
    ['nul', 'a zero byte', '\0'],
    ['quote', 'a quote', '"'],
    ['brace', 'an opening brace', '{'],
  ] as const
).map(([id, what, json]) =>
  invalid(`json-${id}`, what, 11, { wire: hex(message('HEARTBEAT', json)) }, 'bad-json'),
);

/** White space that RFC 8259, 2 allows, and a codec compares payloads as parsed JSON (TOON-42). */
const white: readonly Vector[] = (
  [
    ['before', ' \t\r\n{"instruction":"hi"}'],
    ['after', '{"instruction":"hi"} \t\r\n'],
    ['between', '{ "instruction"\t:\r\n"hi" }'],
  ] as const
).map(([id, json]) =>
  valid(
    `json-white-${id}`,
    `white space ${id}`,
    42,
    { wire: instruction(json) },
    { payload: { instruction: 'hi' } },
  ),
);

const bom: Bytes = [0xef, 0xbb, 0xbf];

/** A sender must not write one, a receiver may take one (TOON-12); a second one is no JSON. */
const marks: readonly Vector[] = [
  ...flagged('lenient', [
    acceptable(
      'bom',
      'a byte-order mark before the JSON',
      12,
      { wire: hex(message('INSTRUCTION', bom.concat(utf8('{"instruction":"hi"}')))) },
      { payload: { instruction: 'hi' } },
    ),
    acceptable(
      'bom-heartbeat',
      'a byte-order mark before {}',
      12,
      { wire: hex(message('HEARTBEAT', bom.concat(utf8('{}')))) },
      { payload: {} },
    ),
  ]),
  invalid(
    'bom-twice',
    'two byte-order marks',
    11,
    { wire: hex(message('HEARTBEAT', bom.concat(bom, utf8('{}')))) },
    'bad-json',
  ),
  invalid(
    'bom-alone',
    'a byte-order mark and nothing else',
    11,
    { wire: hex(message('HEARTBEAT', bom)) },
    'bad-json',
  ),
];

/** text.json */
export const textCases = (seed: string): VectorFile =>
  vectorFile('text', seed, [
    ['toon.decode', [...badUtf8, ...goodUtf8, ...badJson, ...empty, ...white, ...marks]],
  ]);
