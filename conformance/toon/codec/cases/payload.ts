/** Cases of what payloads say: objects, required fields, unknown keys, values as parsed JSON, and bare JSON. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import type { TypeName } from './bytes.ts';
import { hex, message, typeNames, utf8 } from './bytes.ts';
import { smallest } from './header.ts';
import { randomJson, randomObject } from './json.ts';
import { acceptable, flagged, invalid, valid, vectorFile } from './table.ts';

const wire = (type: TypeName, json: string): JsonObject => ({ wire: hex(message(type, json)) });

/** JSON values that are no objects. */
export const noObjects: readonly (readonly [id: string, json: string])[] = [
  ['array', '[]'],
  ['array-of-object', '[{}]'],
  ['null', 'null'],
  ['string', '"{}"'],
  ['number', '1'],
  ['true', 'true'],
];

/** "MUST send objects; strict profile SHOULD reject others": of types without required fields, so nothing else is wrong. */
const notObjects: readonly Vector[] = [
  ...noObjects.map(([id, json]) => ['HEARTBEAT', id, json] as const),
  ['CONTEXT_REQUEST', 'request-array', '["file","a"]'] as const,
  ['CONTEXT_RESPONSE', 'response-string', '"file"'] as const,
].map(([type, id, json]) =>
  invalid(`object-${id}`, `${type} whose payload is ${json}`, 45, wire(type, json), 'bad-payload'),
);

/** What each type must have (TOON-35). Source: the published TypeScript codec's types; the examples of "Payload Format". */
export const missing: readonly (readonly [id: string, type: TypeName, lacks: string, payload: JsonObject])[] =
  [
    ['instruction', 'INSTRUCTION', 'instruction', {}],
    ['instruction-other', 'INSTRUCTION', 'instruction', { text: 'hi', Instruction: 'hi' }],
    ['tool-name', 'TOOL_CALL', 'toolName', { args: {} }],
    ['tool-args', 'TOOL_CALL', 'args', { toolName: 't' }],
    ['tool-snake', 'TOOL_CALL', 'toolName', { tool_name: 't', args: {} }],
    ['success', 'TOOL_RESULT', 'success', { data: 'x', duration: 1 }],
    ['status', 'STATUS', 'status', { progress: 0.5 }],
    ['message', 'ERROR', 'message', { code: 'TOOL_FAILED' }],
  ];

/** The same fields, of another type than theirs. */
export const mistyped: readonly (readonly [id: string, type: TypeName, what: string, payload: JsonObject])[] =
  [
    ['instruction-number', 'INSTRUCTION', 'whose instruction is a number', { instruction: 5 }],
    ['instruction-null', 'INSTRUCTION', 'whose instruction is null', { instruction: null }],
    ['instruction-object', 'INSTRUCTION', 'whose instruction is an object', { instruction: { text: 'hi' } }],
    ['tool-name', 'TOOL_CALL', 'whose toolName is an array', { toolName: ['t'], args: {} }],
    ['tool-args-string', 'TOOL_CALL', 'whose args are a string', { toolName: 't', args: '{}' }],
    ['tool-args-array', 'TOOL_CALL', 'whose args are an array', { toolName: 't', args: [] }],
    ['tool-args-null', 'TOOL_CALL', 'whose args are null', { toolName: 't', args: null }],
    ['success-string', 'TOOL_RESULT', 'whose success is a string', { success: 'true' }],
    ['success-number', 'TOOL_RESULT', 'whose success is a number', { success: 1 }],
    ['status', 'STATUS', 'whose status is false', { status: false }],
    ['message', 'ERROR', 'whose message is null', { message: null }],
  ];

const required: readonly Vector[] = [
  ...missing.map(([id, type, lacks, payload]) =>
    invalid(
      `missing-${id}`,
      `${type} without ${lacks}`,
      35,
      wire(type, JSON.stringify(payload)),
      'bad-payload',
    ),
  ),
  ...mistyped.map(([id, type, what, payload]) =>
    invalid(`mistyped-${id}`, `${type} ${what}`, 35, wire(type, JSON.stringify(payload)), 'bad-payload'),
  ),
  invalid('missing-in-array', 'INSTRUCTION in an array', 35, wire('INSTRUCTION', '["hi"]')),
  invalid('missing-in-string', 'INSTRUCTION as a string', 35, wire('INSTRUCTION', '"hi"')),
];

/** The examples of "Payload Format", byte for byte; and what may be left out. */
const whole: readonly Vector[] = (
  [
    [
      'instruction',
      'INSTRUCTION',
      '{ "instruction": "Write unit tests for the UserService class" }',
      { instruction: 'Write unit tests for the UserService class' },
    ],
    [
      'tool-call',
      'TOOL_CALL',
      '{\n  "toolName": "file_read",\n  "args": { "path": "src/services/user.ts" }\n}',
      { toolName: 'file_read', args: { path: 'src/services/user.ts' } },
    ],
    [
      'tool-result',
      'TOOL_RESULT',
      '{\n  "success": true,\n  "data": "export class UserService { ... }",\n  "duration": 12\n}',
      { success: true, data: 'export class UserService { ... }', duration: 12 },
    ],
    [
      'status',
      'STATUS',
      '{\n  "status": "analyzing",\n  "progress": 0.45\n}',
      { status: 'analyzing', progress: 0.45 },
    ],
    [
      'error',
      'ERROR',
      '{\n  "code": "TOOL_FAILED",\n  "message": "File not found: src/missing.ts"\n}',
      { code: 'TOOL_FAILED', message: 'File not found: src/missing.ts' },
    ],
    ['heartbeat', 'HEARTBEAT', '{}', {}],
    [
      'context-request',
      'CONTEXT_REQUEST',
      '{ "type": "file", "path": "src/config.ts" }',
      { type: 'file', path: 'src/config.ts' },
    ],
    [
      'context-response',
      'CONTEXT_RESPONSE',
      '{ "type": "file", "path": "src/config.ts" }',
      { type: 'file', path: 'src/config.ts' },
    ],
  ] as const
).map(([id, type, json, payload]) =>
  valid(`example-${id}`, `the document's example of ${type}`, 42, wire(type, json), { payload }),
);

/** Unknown keys are ignored (TOON-37): whether they come back is the decoder's choice. */
const unknownKeys: readonly Vector[] = typeNames.map((type) => {
  const payload = { ...(JSON.parse(smallest[type]) as JsonObject), x_unknown: { deep: [1, null] }, '': 0 };
  const id = `unknown-keys-${type.toLowerCase().replace('_', '-')}`;
  return valid(id, `${type} with unknown keys`, 37, wire(type, JSON.stringify(payload)), {});
});

/** TOOL_RESULTs: `data` is any JSON, written as it stands here, and read as parsed JSON (TOON-42). */
const values: readonly Vector[] = (
  [
    ['order', 'keys in any order', '{"z":1,"a":2,"10":3,"9":4}', { z: 1, a: 2, 10: 3, 9: 4 }],
    ['nested', 'values in values', '[[[{"a":[{"b":{}}]}]]]', [[[{ a: [{ b: {} }] }]]]],
    ['deep', '20 arrays in each other', `${'['.repeat(20)}${']'.repeat(20)}`, nest(20)],
    ['numbers', 'numbers', '[0,-1,1.5,-0.25,1e2,1E+2,125e-3]', [0, -1, 1.5, -0.25, 100, 100, 0.125]],
    ['one-point-zero', '1.0 is 1', '[1.0,1]', [1, 1]],
    [
      'large-integers',
      'integers of 53 bits',
      '[9007199254740991,-9007199254740991]',
      [2 ** 53 - 1, 1 - 2 ** 53],
    ],
    ['small-float', 'a small number', '[5e-324]', [5e-324]],
    ['large-float', 'a large number', '[1.7976931348623157e308]', [1.7976931348623157e308]],
    ['words', 'words', '[true,false,null]', [true, false, null]],
    ['empty', 'what is empty', '["",[],{},{"":""}]', ['', [], {}, { '': '' }]],
    [
      'escapes',
      'all escapes',
      '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u001F\\u00e9\\ud83d\\ude00"',
      '"\\/\b\f\n\r\t\u0000\u001f\u00e9\u{1f600}',
    ],
    [
      'unicode',
      'text that is no ASCII',
      '"\u00e9\u20ac\u{1f600} \u05d0\u4e2d"',
      '\u00e9\u20ac\u{1f600} \u05d0\u4e2d',
    ],
    ['not-normal', 'e-acute as two characters stays two', '"e\u0301"', 'e\u0301'],
    ['separators', 'U+2028 and U+2029', '"\u2028\u2029"', '\u2028\u2029'],
    ['proto', 'a key that is special in JavaScript', '{"__proto__":{"a":1}}', { ['__proto__']: { a: 1 } }],
    [
      'constructor',
      'keys that objects have',
      '{"constructor":1,"toString":2}',
      { constructor: 1, toString: 2 },
    ],
    ['html', 'what HTML takes for its own', '"</script><!--&amp;"', '</script><!--&amp;'],
    ['digits', 'a string of digits stays a string', '"007"', '007'],
  ] as readonly (readonly [string, string, string, Json])[]
).map(([id, what, json, data]) =>
  valid(`value-${id}`, what, 42, wire('TOOL_RESULT', `{"success":true,"data":${json}}`), {
    payload: { success: true, data },
  }),
);

function nest(depth: number): Json {
  let value: Json = [];
  for (let i = 1; i < depth; i++) value = [value];
  return value;
}

/** Where parsers of JSON differ, and the documents say nothing. */
const differing: readonly Vector[] = flagged('lenient', [
  acceptable('value-same-key', 'a key twice', 42, wire('TOOL_RESULT', '{"success":true,"success":true}'), {
    payload: { success: true },
  }),
  acceptable(
    'value-lone-surrogate',
    'half a surrogate pair, escaped',
    42,
    wire('TOOL_RESULT', '{"success":true,"data":"\\ud800"}'),
    {},
  ),
]);

/** Bare JSON, sent as if there were no header: refused, and the refusal should say so (TOON-43). */
const bare: readonly Vector[] = flagged(
  'bare-json',
  ['{"instruction":"hi"}', '{}', '{"toolName":"file_read","args":{"path":"src/services/user.ts"}}\n'].map(
    (json, i) => ({
      ...invalid(`bare-json-${i + 1}`, 'JSON without a header', 43, { wire: hex(utf8(json)) }),
      expect: { hint: true },
    }),
  ),
);

function random(seed: string, random: Random): readonly Vector[] {
  const call = (n: number): Vector => {
    const payload = { toolName: 'any', args: randomObject(random, 3) };
    const id = `payload-random-${seed}-call-${n}`;
    return valid(id, 'a TOOL_CALL with any args', 42, wire('TOOL_CALL', JSON.stringify(payload)), {
      payload,
    });
  };
  const result = (n: number): Vector => {
    const payload = { success: random.below(2) === 0, data: randomJson(random, 4) };
    const id = `payload-random-${seed}-result-${n}`;
    const comment = 'a TOOL_RESULT with any data';
    return valid(id, comment, 42, wire('TOOL_RESULT', JSON.stringify(payload, undefined, n % 3)), {
      payload,
    });
  };
  return flagged('random', Array.from({ length: 7 }, (_, n) => [call(n + 1), result(n + 1)]).flat());
}

/** payload.json */
export const payloadCases = (seed: string, source: Random): VectorFile =>
  vectorFile('payload', seed, [
    [
      'toon.decode',
      [
        ...whole,
        ...values,
        ...differing,
        ...unknownKeys,
        ...required,
        ...notObjects,
        ...bare,
        ...random(seed, source),
      ],
    ],
  ]);
