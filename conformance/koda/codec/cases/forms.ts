/**
 * The table of which tests of fields are made: every object that a message holds, with its tags and fields. Source:
 * koda_core, engine/event.rs; spec/koda/README.md, Events and Commands.
 */
import type { MessageKind } from '../../../../src/koda/index.ts';

/** The type of a field. A question mark means that null is a value of it. */
export type FieldType =
  | 'string'
  | 'string?'
  | 'bool'
  | 'usize'
  | 'u64'
  | 'u32'
  | 'i64'
  | 'f64'
  | 'json'
  | 'strings'
  | 'images'
  | 'replacements'
  | 'reason'
  | 'decision'
  | 'preview?'
  | 'action';

/** A member of an object: its name, and its value as JSON text. */
export type Member = readonly [name: string, value: string];

/** A field and a sample of it. */
export interface FormField {
  readonly name: string;
  readonly type: FieldType;
  /** JSON text. */
  readonly sample: string;
}

/** An object in a message. */
export interface Form {
  /** A part of ids. Permanent. */
  readonly name: string;
  readonly kind: MessageKind;
  /** The tags, in the order of the text; a record has no tag. */
  readonly tags: readonly Member[];
  readonly fields: readonly FormField[];
  /** The place of its variant in the Rust declaration, from 0. */
  readonly place: number;
  /** The text of the message that holds the object. */
  readonly around: (object: string) => string;
}

/** Fields as `name:type`, separated by spaces; by tag. */
type Kinds = { readonly [tag: string]: string };

const events: Kinds = {
  text_delta: 'text:string',
  text_done: '',
  thinking_start: '',
  thinking_delta: 'text:string',
  thinking_done: '',
  response_start: '',
  tool_call_start: 'id:string name:string args:json is_sub_agent:bool',
  tool_call_result: 'id:string name:string output:string',
  tool_output_line: 'id:string line:string is_stderr:bool',
  sub_agent_start: 'agent_name:string',
  approval_request: 'id:string tool_name:string detail:string preview:preview?',
  ask_user_request: 'id:string question:string options:strings',
  action_blocked: 'tool_name:string detail:string preview:preview?',
  context_usage: 'used:usize max:usize',
  status_update: 'model:string provider:string context_pct:f64 approval_mode:string active_tools:usize',
  footer:
    'prompt_tokens:i64 completion_tokens:i64 cache_read_tokens:i64 thinking_tokens:i64 total_chars:usize elapsed_ms:u64 rate:f64 context:string',
  spinner_start: 'message:string',
  spinner_stop: '',
  turn_start: 'turn_id:string',
  turn_end: 'turn_id:string reason:reason',
  loop_cap_reached: 'cap:u32 recent_tools:strings',
  info: 'message:string',
  warn: 'message:string',
  error: 'message:string',
};

const reasons: Kinds = { complete: '', cancelled: '', error: 'message:string' };

const previews: Kinds = {
  Edit: 'path:string replacements:replacements truncated_count:usize',
  WriteNew: 'line_count:usize byte_count:usize first_lines:strings truncated:bool',
  WriteOverwrite:
    'old_line_count:usize old_byte_count:usize new_line_count:usize new_byte_count:usize first_lines:strings truncated:bool',
  DeleteFile: 'line_count:usize byte_count:usize',
  DeleteDir: 'recursive:bool',
  FileNotYetExists: '',
  PathNotFound: '',
};

const replacement = 'index:usize total:usize start_line:usize old_lines:strings new_lines:strings';

const commands: Kinds = {
  user_prompt: 'text:string images:images',
  interrupt: '',
  ask_user_response: 'id:string answer:string',
  approval_response: 'id:string decision:decision',
  loop_decision: 'action:action',
  quit: '',
};

const image = 'data:string mime_type:string';

const decisions: Kinds = { approve: '', reject: '', reject_with_feedback: 'feedback:string' };

const slashCommands: Kinds = {
  compact: '',
  switch_model: 'model:string',
  switch_provider: 'provider:string',
  list_sessions: '',
  delete_session: 'id:string',
  set_trust: 'mode:string',
  cost: '',
  memory: 'action:string?',
  help: '',
  inject_prompt: 'text:string',
};

/** Samples of texts that a codec may check (KODA-22). */
const checkedTexts: { readonly [name: string]: string } = { data: 'aGk=', mime_type: 'image/png' };

/** A sample of each type. The number of a field makes the values of a message differ. */
const samples: { readonly [T in FieldType]: (name: string, at: number) => string } = {
  string: (name) => JSON.stringify(checkedTexts[name] ?? `a ${name}`),
  'string?': (name) => JSON.stringify(`a ${name}`),
  bool: () => 'true',
  usize: (_, at) => String(at + 7),
  u64: (_, at) => String(at + 7),
  u32: (_, at) => String(at + 7),
  i64: (_, at) => String(-at - 7),
  f64: () => '0.5',
  json: () => '{"command":"cargo test"}',
  strings: (name) => JSON.stringify([`a ${name}`, '']),
  images: () => '[{"data":"aGk=","mime_type":"image/png"}]',
  replacements: () => '[{"index":1,"total":2,"start_line":3,"old_lines":["old"],"new_lines":["new",""]}]',
  reason: () => '{"kind":"complete"}',
  decision: () => '{"decision":"reject"}',
  'preview?': () => '{"kind":"DeleteDir","recursive":false}',
  action: () => '"stop"',
};

const fieldsOf = (fields: string): readonly FormField[] =>
  fields
    .split(' ')
    .filter((field) => field !== '')
    .map((field, at) => {
      const [name = '', type = ''] = field.split(':');
      return { name, type: type as FieldType, sample: samples[type as FieldType](name, at) };
    });

const messageForms = (kind: MessageKind, kinds: Kinds): readonly Form[] =>
  Object.entries(kinds).map(([tag, fields], place) => ({
    name: tag,
    kind,
    place,
    tags: [['type', JSON.stringify(tag)]],
    fields: fieldsOf(fields),
    around: (object) => object,
  }));

/** The forms of a part of a message, which is in the place of {}. */
const partForms = (
  name: string,
  kind: MessageKind,
  tagName: string,
  kinds: Kinds,
  message: string,
): readonly Form[] =>
  Object.entries(kinds).map(([tag, fields], place) => ({
    name: `${name}-${tag}`,
    kind,
    place,
    tags: [[tagName, JSON.stringify(tag)]],
    fields: fieldsOf(fields),
    around: (object) => message.replace('{}', () => object),
  }));

const recordForm = (name: string, kind: MessageKind, fields: string, message: string): Form => ({
  name,
  kind,
  place: 0,
  tags: [],
  fields: fieldsOf(fields),
  around: (object) => message.replace('{}', () => object),
});

const slashForms: readonly Form[] = Object.entries(slashCommands).map(([tag, fields], place) => ({
  name: `slash-${tag}`,
  kind: 'command',
  place,
  tags: [
    ['type', '"slash_command"'],
    ['cmd', JSON.stringify(tag)],
  ],
  fields: fieldsOf(fields),
  around: (object) => object,
}));

/** Every object that a message can hold, once. */
export const forms: readonly Form[] = [
  ...messageForms('event', events),
  ...partForms('reason', 'event', 'kind', reasons, '{"type":"turn_end","turn_id":"t","reason":{}}'),
  ...partForms(
    'preview',
    'event',
    'kind',
    previews,
    '{"type":"approval_request","id":"p","tool_name":"Edit","detail":"d","preview":{}}',
  ),
  recordForm(
    'replacement',
    'event',
    replacement,
    '{"type":"action_blocked","tool_name":"Edit","detail":"d","preview":{"kind":"Edit","path":"p","replacements":[{}],"truncated_count":0}}',
  ),
  ...messageForms('command', commands),
  recordForm('image', 'command', image, '{"type":"user_prompt","text":"x","images":[{}]}'),
  ...partForms(
    'decision',
    'command',
    'decision',
    decisions,
    '{"type":"approval_response","id":"a","decision":{}}',
  ),
  ...slashForms,
];
