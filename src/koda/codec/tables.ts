/** The messages of Koda as tables. Source: koda_core, engine/event.rs; spec/koda/README.md, Events and Commands. */
import type { MessageKind } from '../messages.ts';
import { record, union, variant } from './shapes.ts';
import type { Fields, Union } from './shapes.ts';

const replacement = record({
  index: 'usize',
  total: 'usize',
  start_line: 'usize',
  old_lines: 'strings',
  new_lines: 'strings',
});

const image = record({ data: 'string', mime_type: 'string' });

const reason = union('kind', [
  variant('complete'),
  variant('cancelled'),
  variant('error', { message: 'string' }),
]);

const preview = union('kind', [
  variant('Edit', { path: 'string', replacements: { list: replacement }, truncated_count: 'usize' }),
  variant('WriteNew', {
    line_count: 'usize',
    byte_count: 'usize',
    first_lines: 'strings',
    truncated: 'bool',
  }),
  variant('WriteOverwrite', {
    old_line_count: 'usize',
    old_byte_count: 'usize',
    new_line_count: 'usize',
    new_byte_count: 'usize',
    first_lines: 'strings',
    truncated: 'bool',
  }),
  variant('DeleteFile', { line_count: 'usize', byte_count: 'usize' }),
  variant('DeleteDir', { recursive: 'bool' }),
  variant('FileNotYetExists'),
  variant('PathNotFound'),
]);

const decision = union('decision', [
  variant('approve'),
  variant('reject'),
  variant('reject_with_feedback', { feedback: 'string' }),
]);

const slash = union('cmd', [
  variant('compact'),
  variant('switch_model', { model: 'string' }),
  variant('switch_provider', { provider: 'string' }),
  variant('list_sessions'),
  variant('delete_session', { id: 'string' }),
  variant('set_trust', { mode: 'string' }),
  variant('cost'),
  variant('memory', { action: { type: { nullable: 'string' }, absent: null } }),
  variant('help'),
  variant('inject_prompt', { text: 'string' }),
]);

const message: Fields = { message: 'string' };
const optionalPreview = { type: { nullable: { union: preview } }, absent: null } as const;

const event = union('type', [
  variant('text_delta', { text: 'string' }),
  variant('text_done'),
  variant('thinking_start'),
  variant('thinking_delta', { text: 'string' }),
  variant('thinking_done'),
  variant('response_start'),
  variant('tool_call_start', { id: 'string', name: 'string', args: 'json', is_sub_agent: 'bool' }),
  variant('tool_call_result', { id: 'string', name: 'string', output: 'string' }),
  variant('tool_output_line', { id: 'string', line: 'string', is_stderr: 'bool' }),
  variant('sub_agent_start', { agent_name: 'string' }),
  variant('approval_request', {
    id: 'string',
    tool_name: 'string',
    detail: 'string',
    preview: optionalPreview,
  }),
  variant('ask_user_request', { id: 'string', question: 'string', options: 'strings' }),
  variant('action_blocked', { tool_name: 'string', detail: 'string', preview: optionalPreview }),
  variant('context_usage', { used: 'usize', max: 'usize' }),
  variant('status_update', {
    model: 'string',
    provider: 'string',
    context_pct: 'f64',
    approval_mode: 'string',
    active_tools: 'usize',
  }),
  variant('footer', {
    prompt_tokens: 'i64',
    completion_tokens: 'i64',
    cache_read_tokens: 'i64',
    thinking_tokens: 'i64',
    total_chars: 'usize',
    elapsed_ms: 'u64',
    rate: 'f64',
    context: 'string',
  }),
  variant('spinner_start', message),
  variant('spinner_stop'),
  variant('turn_start', { turn_id: 'string' }),
  variant('turn_end', { turn_id: 'string', reason: { union: reason } }),
  variant('loop_cap_reached', { cap: 'u32', recent_tools: 'strings' }),
  variant('info', message),
  variant('warn', message),
  variant('error', message),
]);

const command = union('type', [
  variant('user_prompt', { text: 'string', images: { type: { list: image }, absent: [] } }),
  variant('interrupt'),
  variant('ask_user_response', { id: 'string', answer: 'string' }),
  variant('approval_response', { id: 'string', decision: { union: decision } }),
  variant('loop_decision', { action: 'loop-action' }),
  { ...variant('slash_command'), flat: slash },
  variant('quit'),
]);

/** The tables of both kinds of messages. */
export const tables: { readonly [K in MessageKind]: Union } = { event, command };

/** The actions of a loop decision. */
export const loopActions: readonly string[] = ['stop', 'continue50', 'continue200'];
