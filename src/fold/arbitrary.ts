/**
 * Generators for Fold: messages in canonical form (as decoding returns them, without default values), directives, and
 * whole sessions as inputs of the machine. Ids come from small pools, so that messages share them.
 */
import fc from 'fast-check';
import { directive } from './directive.ts';
import type { Step, ToolStep } from './directive.ts';
import type { SessionInput } from './machine/machine.ts';
import { InjectionPriorityNames, ToolStateNames, usageCounts } from './messages.ts';
import type {
  AgentMessage,
  MessageResponse,
  PackToolResult,
  ServerMessage,
  TokenCounts,
} from './messages.ts';

/** Any text that UTF-8 can encode, with texts that many implementations get wrong. */
const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '__proto__', '\uFFFD', '\uFEFFx', '\0', '\u2028', 'é'.repeat(100), '𝄞'),
);
/** A text other than the default. */
const some = text.filter((t) => t !== '');
const texts = fc.array(text, { minLength: 1, maxLength: 3 });
const yes = fc.constant(true);
const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((b) => Buffer.from(b).toString('base64'));
const int32 = fc
  .oneof(fc.integer(), fc.constantFrom(1, -1, 127, 128, 2147483647, -2147483648))
  .filter((n) => n !== 0);
const int64 = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(2n ** 53n + 1n, -1n, 2n ** 63n - 1n),
  )
  .filter((n) => n !== 0n)
  .map(String);

/** A name of the enum other than the first, which is the default; or an unknown number. */
const enumOf = <N extends string>(names: readonly N[]): fc.Arbitrary<N | number> =>
  fc.oneof(fc.constantFrom(...names.slice(1)), fc.constantFrom(names.length, 99, -1, 2147483647));

/** A message in which any field can be absent. */
const fields = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T, never>(model, { requiredKeys: [] });

const toolUse = fields({ id: some, name: some, input_json: some });
const file = fields({ filename: some, mime_type: some, data: bytes });
const git = fields({ branch: some, commit: some, dirty: yes, remote: some, ahead: int32, behind: int32 });
const metadata = fields({
  working_directory: some,
  git,
  hostname: some,
  os: some,
  workspaces: texts,
  backend: some,
});
const packCall = fields({ request_id: some, tool_name: some, input_json: some });
const register = fields({
  agent_id: some,
  name: some,
  capabilities: texts,
  metadata,
  protocol_features: texts,
});
const counts = Object.fromEntries(usageCounts.map((name) => [name, int32])) as Record<
  keyof TokenCounts,
  typeof int32
>;
const usage = fields<TokenCounts>(counts);

const event: fc.Arbitrary<MessageResponse> = fc.oneof(
  fc.record({ thinking: text }),
  fc.record({ text }),
  fc.record({ tool_use: toolUse }),
  fc.record({ tool_result: fields({ id: some, output: some, is_error: yes }) }),
  fc.record({ done: fields({ full_response: some }) }),
  fc.record({ error: text }),
  fc.record({ file }),
  fc.record({ tool_approval_request: toolUse }),
  fc.record({ session_init: fields({ session_id: some }) }),
  fc.record({ session_orphaned: fields({ reason: some }) }),
  fc.record({ usage }),
  fc.record({ tool_state: fields({ id: some, state: enumOf(ToolStateNames), detail: text }) }),
  fc.record({ cancelled: fields({ reason: some }) }),
  fc.constant({}),
);
const response = fc
  .tuple(fields({ request_id: some }), event)
  .map(([id, e]): MessageResponse => ({ ...id, ...e }));

/** Any message of an agent, in canonical form. */
export const agentMessages: fc.Arbitrary<AgentMessage> = fc.oneof(
  fc.record({ register }),
  fc.record({ response }),
  fc.record({ response }),
  fc.record({ heartbeat: fields({ timestamp_ms: int64 }) }),
  fc.record({ injection_ack: fields({ injection_id: some, accepted: yes, reason: text }) }),
  fc.record({ execute_pack_tool: packCall }),
  fc.constant({}),
);

const tool = fields({
  name: some,
  description: some,
  input_schema_json: some,
  required_capabilities: texts,
  timeout_seconds: int32,
});
const welcome = fields({
  server_id: some,
  agent_id: some,
  instance_id: some,
  principal_id: some,
  available_tools: fc.array(tool, { minLength: 1, maxLength: 2 }),
  mcp_token: some,
  mcp_endpoint: some,
  secrets: fc.dictionary(text, text, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
});
const sendMessage = fields({
  request_id: some,
  thread_id: some,
  sender: some,
  content: some,
  attachments: fc.array(file, { minLength: 1, maxLength: 2 }),
});
const priority = enumOf(InjectionPriorityNames);
const answer: fc.Arbitrary<PackToolResult> = fc.oneof(
  fc.record({ output_json: text }),
  fc.record({ error: text }),
  fc.constant({}),
);
const packResult = fc
  .tuple(fields({ request_id: some }), answer)
  .map(([id, a]): PackToolResult => ({ ...id, ...a }));

/** Any message of a gateway, in canonical form. */
export const serverMessages: fc.Arbitrary<ServerMessage> = fc.oneof(
  fc.record({ welcome }),
  fc.record({ send_message: sendMessage }),
  fc.record({ shutdown: fields({ reason: some }) }),
  fc.record({ tool_approval: fields({ id: some, approved: yes, approve_all: yes }) }),
  fc.record({ registration_error: fields({ reason: some, suggested_id: some }) }),
  fc.record({ inject_context: fields({ injection_id: some, content: some, priority, source: text }) }),
  fc.record({ cancel_request: fields({ request_id: some, reason: text }) }),
  fc.record({ pack_tool_result: packResult }),
  fc.constant({}),
);

/** A short text, sometimes empty. */
export const word: fc.Arbitrary<string> = fc.constantFrom('alpha', 'beta', 'gamma', 'délta', '');
const toolStep: fc.Arbitrary<ToolStep> = fc.record(
  {
    name: word,
    input: fc.jsonValue({ maxDepth: 1 }),
    approval: fc.boolean(),
    approval_timeout_ms: fc.nat(2000),
    hold: fc.boolean(),
    outcome: fc.constantFrom('ok', 'fail', 'timeout'),
    output: word,
  },
  { requiredKeys: ['name'] },
);

/** One valid step of the directive grammar. */
export const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ think: word }),
  fc.record({ say: word, times: fc.nat(40) }, { requiredKeys: ['say'] }),
  fc.record({ wait_ms: fc.nat(2000) }),
  fc.record({ hold: fc.constant<true>(true) }),
  fc.record({ tool: toolStep }),
  fc.record({ usage: fields({ input_tokens: fc.nat(100), output_tokens: fc.nat(100) }) }),
  fc.record({ file: fc.record({ filename: word, mime_type: word, base64: bytes }) }),
  fc.record({ session: fc.constantFrom('init', 'orphaned') }),
  fc.record({
    pack_tool: fc.record({ name: word, input: fc.jsonValue({ maxDepth: 1 }) }, { requiredKeys: ['name'] }),
  }),
  fc.record({ heartbeat: fc.constant<true>(true) }),
  fc.record({ fail: word }),
  fc.record({ echo_injections: fc.constant<true>(true) }),
  fc.record({ reject_injections: word }),
);

/** A directive, as the content of a SendMessage. */
export const directives: fc.Arbitrary<string> = fc.array(steps, { maxLength: 6 }).map(directive);

const requestId = fc.constantFrom('r1', 'r2', 'r3');
const toolId = fc.constantFrom('tool-1', 'tool-2', 'tool-3');
const injectionId = fc.constantFrom('i1', 'i2', 'i3');
const packId = fc.constantFrom('pack-1', 'pack-2');
const content = fc.oneof({ weight: 4, arbitrary: directives }, { weight: 1, arbitrary: text });

const sent = fc.record({ request_id: requestId, thread_id: fc.constantFrom('', 't1', 't2'), content });
const injected = fc.record({ injection_id: injectionId, content: fc.constantFrom('release', 'x'), priority });

/** Messages of a gateway to a working agent, with few ids, so that decisions, cancels and repeats match requests. */
export const gatewayTalk: fc.Arbitrary<ServerMessage> = fc.oneof(
  fc.record({ send_message: sent }),
  fc.record({ inject_context: injected }),
  fc.record({ cancel_request: fc.record({ request_id: requestId, reason: word }) }),
  fc.record({ tool_approval: fc.record({ id: toolId, approved: fc.boolean(), approve_all: fc.boolean() }) }),
  fc.record({ pack_tool_result: fc.record({ request_id: packId, output_json: word }) }),
  fc.record({ welcome: fc.record({ agent_id: fc.constantFrom('a', 'b') }) }),
  serverMessages,
);

/** Gives an event the id of a request and, if it has one, of a tool. */
function withIds([request_id, id, e]: [string, string, MessageResponse]): MessageResponse {
  if (e.tool_use !== undefined) return { request_id, tool_use: { ...e.tool_use, id } };
  if (e.tool_state !== undefined) return { request_id, tool_state: { ...e.tool_state, id } };
  if (e.tool_result !== undefined) return { request_id, tool_result: { ...e.tool_result, id } };
  return { ...e, request_id };
}

const responses = fc.record({ response: fc.tuple(requestId, toolId, event).map(withIds) });

/** Messages of a working agent, with the same few ids. */
export const agentTalk: fc.Arbitrary<AgentMessage> = fc.oneof(
  responses,
  responses,
  responses,
  fc.record({ injection_ack: fc.record({ injection_id: injectionId, accepted: yes }) }),
  fc.record({ execute_pack_tool: fc.record({ request_id: packId }) }),
  agentMessages,
);

const exchanged = fc.oneof(
  fc.record({ from: fc.constant('agent'), message: agentTalk }),
  fc.record({ from: fc.constant('gateway'), message: gatewayTalk }),
);

/** The end of a stream, as an input of the machine. */
export const closing: fc.Arbitrary<SessionInput> = fc
  .constantFrom('agent', 'gateway')
  .map((from) => ({ from, closed: true, seq: 1000, at: 1000 }));

const sessionInput = fc.oneof({ weight: 40, arbitrary: exchanged }, { weight: 1, arbitrary: closing });

/** Inputs of the session machine, in order of time: with or without a registration, some with an end among them. */
export const sessions: fc.Arbitrary<readonly SessionInput[]> = fc
  .tuple(fc.boolean(), fc.array(sessionInput, { maxLength: 40 }))
  .map(([registered, inputs]) => {
    const first = { from: 'agent', message: { register: { agent_id: 'a' } } } as const;
    return [...(registered ? [first] : []), ...inputs].map((input, i) => ({ ...input, seq: i, at: i }));
  });
