// The codec of Koda against JSON.parse, JSON.parse with a compiled schema, and JSON.stringify, on the lines of a session.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

const words =
  'the engine reads the file compares each line and says at once which of them it must change'.split(' ');

/** Prose of at least so many characters, always the same. */
function proseMaker() {
  let seed = 7;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  return (length) => {
    const parts = [];
    for (let size = 0; size < length; size += parts[parts.length - 1].length + 1)
      parts.push(words[next() % words.length]);
    return parts.join(' ');
  };
}

/** The events of one turn: mostly text, some calls with arguments, a footer. */
function turnOf(prose, n) {
  const call = (id) => [
    {
      type: 'tool_call_start',
      id,
      name: 'Edit',
      args: { path: 'src/index.ts', old: prose(40), count: n, all: false },
      is_sub_agent: false,
    },
    { type: 'tool_output_line', id, line: prose(50), is_stderr: false },
    { type: 'tool_call_result', id, name: 'Edit', output: prose(120) },
  ];
  const iteration = (id) => [
    { type: 'context_usage', used: 4400 + n, max: 200_000 },
    { type: 'spinner_start', message: 'Thinking' },
    { type: 'spinner_stop' },
    { type: 'response_start' },
    ...Array.from({ length: 25 }, (_, i) => ({
      type: 'text_delta',
      text: i % 8 === 7 ? `${prose(20)}\n- "${prose(16)}"` : prose(30),
    })),
    { type: 'text_done' },
    ...call(id),
  ];
  const turn = `6f9619ff-8b86-d011-b42d-${String(n).padStart(12, '0')}`;
  const counts = { prompt_tokens: 8812, completion_tokens: 251, cache_read_tokens: 4096, thinking_tokens: 0 };
  return [
    { type: 'turn_start', turn_id: turn },
    ...iteration(`call_${n}a`),
    ...iteration(`call_${n}b`),
    {
      type: 'footer',
      ...counts,
      total_chars: 1830,
      elapsed_ms: 43_200,
      rate: 5.8,
      context: '8.8k/200k (4%)',
    },
    { type: 'turn_end', turn_id: turn, reason: { kind: 'complete' } },
  ];
}

/** The commands of one turn. */
const commandsOf = (prose, n) => [
  { type: 'user_prompt', text: prose(120), images: [] },
  { type: 'approval_response', id: `approval-${n}`, decision: { decision: 'approve' } },
  { type: 'slash_command', cmd: 'memory', action: null },
];

/** A validator compiled from our schema, whose unions get a discriminator: ajv then tries one variant alone. */
function validatorOf(kind) {
  const schema = JSON.parse(readFileSync(`spec/koda/${kind}.schema.json`, 'utf8'), (_, value) => {
    const tags = value?.oneOf?.[0]?.properties ?? {};
    const propertyName = Object.keys(tags).find((name) => tags[name].const !== undefined);
    return propertyName === undefined ? value : { ...value, discriminator: { propertyName } };
  });
  return new Ajv({ discriminator: true, allowUnionTypes: true }).compile(schema);
}

/** The rows of the codec of Koda. */
export async function kodaCodecRows({ row, pair }) {
  const { decodeText, encodeText } = await import('../../dist/src/koda/codec.js');
  const prose = proseMaker();
  const session = Array.from({ length: 500 }, (_, n) => [
    ...turnOf(prose, n).map((message) => ['event', message]),
    ...commandsOf(prose, n).map((message) => ['command', message]),
  ]).flat();
  const lines = session.map(([kind, message]) => [kind, JSON.stringify(message)]);
  const valid = { event: validatorOf('event'), command: validatorOf('command') };
  const each = (items, run) => () => {
    let done = 0;
    for (const [kind, item] of items) if (run(kind, item)) done++;
    if (done !== items.length) throw new Error(`${items.length - done} of ${items.length} failed`);
  };
  const decode = each(lines, (kind, text) => decodeText(kind, text).ok);
  const parse = each(lines, (_, text) => JSON.parse(text) !== null);
  const parseAndCheck = each(lines, (kind, text) => valid[kind](JSON.parse(text)));
  const encode = each(session, (kind, message) => encodeText(kind, message) !== '');
  const stringify = each(session, (_, message) => JSON.stringify(message) !== '');
  const name = 'Koda codec';
  row(`${name}, decode`, 'JSON.parse', '≥ 0.35', pair(decode, parse, lines.length), 'messages');
  row(
    `${name}, decode`,
    'JSON.parse and ajv',
    '≥ 1.5',
    pair(decode, parseAndCheck, lines.length),
    'messages',
  );
  row(`${name}, encode`, 'JSON.stringify', '≥ 0.8', pair(encode, stringify, lines.length), 'messages');
}
