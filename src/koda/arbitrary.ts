/**
 * Generators for Koda: events and commands in canonical form (as the codec decodes them), and hostile texts, which are
 * texts of messages with a few edits.
 */
import fc from 'fast-check';
import type { Json } from '../kit/base/index.ts';
import { encodeText } from './codec.ts';
import type {
  ApprovalDecision,
  DiffPreview,
  EngineCommand,
  EngineEvent,
  ImageAttachment,
  Integer,
  MessageKind,
  Messages,
  Replacement,
  TurnEndReason,
} from './messages.ts';

/** Any text without lone surrogates, among them the texts that break implementations. */
const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    '__proto__',
    '\uFEFFx',
    '\0',
    '\u2028',
    '\u007F',
    '𝄞',
    '"',
    '\\',
    '\\ud800',
    'a\nb',
    '1e400',
  ),
);

const texts = fc.array(text, { maxLength: 3 });
const optionalText: fc.Arbitrary<string | null> = fc.option(text);
const bool = fc.boolean();

/** An integer from `least` to `most`, in the form of messages: digits beyond 2^53 - 1. */
const integer = (least: bigint, most: bigint): fc.Arbitrary<Integer> =>
  fc
    .oneof(
      fc.bigInt({ min: least, max: most }),
      fc.integer({ min: 0, max: 5000 }).map(BigInt),
      fc.constantFrom(least, most, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n),
    )
    .map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : String(n)));

const usize = integer(0n, 2n ** 64n - 1n);
const i64 = integer(-(2n ** 63n), 2n ** 63n - 1n);
const u32 = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constantFrom(0, 200, 2 ** 32 - 1));

/** A finite double. Its text may be spelled with an exponent. */
const float = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  fc.integer({ min: 0, max: 1000 }),
  fc.constantFrom(5e-324, 1e21, 0.1, Number.MAX_SAFE_INTEGER),
);

const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }) as fc.Arbitrary<Json>;

/** Any JSON, among it the names that break implementations. Its numbers are doubles that JSON.stringify writes exactly. */
const args: fc.Arbitrary<Json> = fc.oneof(
  json,
  fc.dictionary(fc.oneof(text, fc.constantFrom('constructor', 'toString', '0')), json, {
    noNullPrototype: true,
  }),
  json.map((value) => JSON.parse(`{"__proto__":${JSON.stringify(value)},"command":"ls"}`) as Json),
);

const replacement: fc.Arbitrary<Replacement> = fc.record(
  { index: usize, total: usize, start_line: usize, old_lines: texts, new_lines: texts },
  { noNullPrototype: true },
);

/** An object with these members. */
const record = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>;

/** The previews of changes to files, of all kinds. */
const somePreview: fc.Arbitrary<DiffPreview> = fc.oneof(
  record({
    kind: fc.constant('Edit' as const),
    path: text,
    replacements: fc.array(replacement, { maxLength: 2 }),
    truncated_count: usize,
  }),
  record({
    kind: fc.constant('WriteNew' as const),
    line_count: usize,
    byte_count: usize,
    first_lines: texts,
    truncated: bool,
  }),
  record({
    kind: fc.constant('WriteOverwrite' as const),
    old_line_count: usize,
    old_byte_count: usize,
    new_line_count: usize,
    new_byte_count: usize,
    first_lines: texts,
    truncated: bool,
  }),
  record({ kind: fc.constant('DeleteFile' as const), line_count: usize, byte_count: usize }),
  record({ kind: fc.constant('DeleteDir' as const), recursive: bool }),
  record({ kind: fc.constantFrom('FileNotYetExists' as const, 'PathNotFound' as const) }),
);

const preview = fc.option(somePreview);

const reason: fc.Arbitrary<TurnEndReason> = fc.oneof(
  record({ kind: fc.constantFrom('complete' as const, 'cancelled' as const) }),
  record({ kind: fc.constant('error' as const), message: text }),
);

/** The members of each event besides its tag. */
const events: { readonly [T in EngineEvent['type']]: { readonly [name: string]: fc.Arbitrary<unknown> } } = {
  text_done: {},
  thinking_start: {},
  thinking_done: {},
  response_start: {},
  spinner_stop: {},
  text_delta: { text },
  thinking_delta: { text },
  spinner_start: { message: text },
  info: { message: text },
  warn: { message: text },
  error: { message: text },
  turn_start: { turn_id: text },
  turn_end: { turn_id: text, reason },
  sub_agent_start: { agent_name: text },
  context_usage: { used: usize, max: usize },
  tool_call_start: { id: text, name: text, args, is_sub_agent: bool },
  tool_output_line: { id: text, line: text, is_stderr: bool },
  tool_call_result: { id: text, name: text, output: text },
  ask_user_request: { id: text, question: text, options: texts },
  approval_request: { id: text, tool_name: text, detail: text, preview },
  action_blocked: { tool_name: text, detail: text, preview },
  status_update: {
    model: text,
    provider: text,
    context_pct: float,
    approval_mode: text,
    active_tools: usize,
  },
  footer: {
    prompt_tokens: i64,
    completion_tokens: i64,
    cache_read_tokens: i64,
    thinking_tokens: i64,
    total_chars: usize,
    elapsed_ms: usize,
    rate: float,
    context: text,
  },
  loop_cap_reached: { cap: u32, recent_tools: texts },
};

/** Events of all 24 types, in canonical form. */
export const eventArbitrary: fc.Arbitrary<EngineEvent> = fc.oneof(
  ...Object.entries(events).map(
    ([type, members]) =>
      fc.record(
        { type: fc.constant(type), ...members },
        { noNullPrototype: true },
      ) as fc.Arbitrary<EngineEvent>,
  ),
);

const image: fc.Arbitrary<ImageAttachment> = record({
  data: fc.oneof(fc.base64String({ maxLength: 12 }), text),
  mime_type: text,
});

const decision: fc.Arbitrary<ApprovalDecision> = fc.oneof(
  record({ decision: fc.constantFrom('approve' as const, 'reject' as const) }),
  record({ decision: fc.constant('reject_with_feedback' as const), feedback: text }),
);

const slash = { type: fc.constant('slash_command' as const) };

/** Commands of all 7 types and 10 slash commands, in canonical form. */
export const commandArbitrary: fc.Arbitrary<EngineCommand> = fc.oneof(
  record({ type: fc.constant('user_prompt' as const), text, images: fc.array(image, { maxLength: 2 }) }),
  record({ type: fc.constantFrom('interrupt' as const, 'quit' as const) }),
  record({ type: fc.constant('ask_user_response' as const), id: text, answer: text }),
  record({ type: fc.constant('approval_response' as const), id: text, decision }),
  record({
    type: fc.constant('loop_decision' as const),
    action: fc.constantFrom('stop' as const, 'continue50' as const, 'continue200' as const),
  }),
  record({
    ...slash,
    cmd: fc.constantFrom('compact' as const, 'list_sessions' as const, 'cost' as const, 'help' as const),
  }),
  record({ ...slash, cmd: fc.constant('switch_model' as const), model: text }),
  record({ ...slash, cmd: fc.constant('switch_provider' as const), provider: text }),
  record({ ...slash, cmd: fc.constant('delete_session' as const), id: text }),
  record({ ...slash, cmd: fc.constant('set_trust' as const), mode: text }),
  record({ ...slash, cmd: fc.constant('memory' as const), action: optionalText }),
  record({ ...slash, cmd: fc.constant('inject_prompt' as const), text }),
);

/** The messages of both kinds. */
export const messageArbitrary: { readonly [K in MessageKind]: fc.Arbitrary<Messages[K]> } = {
  event: eventArbitrary,
  command: commandArbitrary,
};

/** Tokens that change what a text means. */
const tokens: readonly string[] = [
  ', : " \\ { } [ ] {} [] null true "x" "type": "kind": "text":"", "__proto__":{"x":1},',
  '0 -0 -1 1.0 1e2 1e400 01 .5 4294967296 9007199254740993 18446744073709551616',
  '"\\ud800" "\\ud834\\udd1e" \ud800 \0 \uFEFF',
  '"complete" ["complete"] {"kind":0} "stop" {"stop":null} {"cmd":"help"}',
].flatMap((line) => ['', ' ', ...line.split(' ')]);

/** One edit of a text: what follows `at` loses `remove` tokens or characters, and gains `insert`. */
interface Edit {
  readonly by: 'token' | 'character';
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

const edit: fc.Arbitrary<Edit> = record<Edit>({
  by: fc.constantFrom('token' as const, 'character' as const),
  at: fc.nat(0xffff),
  remove: fc.nat(3),
  insert: fc.oneof(
    fc.constantFrom(...tokens),
    json.map((value) => JSON.stringify(value)),
    text,
  ),
});

/** The texts of messages of this kind with up to three edits: tokens or characters are removed, inserted or repeated. */
export const hostileTextArbitrary = (kind: MessageKind): fc.Arbitrary<string> =>
  kind === 'event'
    ? hostile(eventArbitrary, (message) => encodeText('event', message))
    : hostile(commandArbitrary, (message) => encodeText('command', message));

const hostile = <M>(messages: fc.Arbitrary<M>, encode: (message: M) => string): fc.Arbitrary<string> =>
  fc
    .tuple(messages, fc.array(edit, { maxLength: 3 }))
    .map(([message, edits]) => edits.reduce(edited, encode(message)));

function edited(source: string, { by, at, remove, insert }: Edit): string {
  const parts = by === 'token' ? (source.match(/"(?:[^"\\]|\\.)*"|[-+.\w]+|[^]/g) ?? []) : Array.from(source);
  const start = at % (parts.length + 1);
  // An edit that changes nothing repeats the parts instead.
  const inserted = insert === '' && remove === 0 ? parts.slice(start, start + 2).join('') : insert;
  return parts.toSpliced(start, remove, inserted).join('');
}
