/**
 * Generators for Fold: messages, directives, and whole sessions as inputs of the machine. Ids come from small pools, so
 * that messages share them.
 */
import fc from 'fast-check';
import { anyMessage, bytes, priority, text } from './arbitrary-messages.ts';
import { directive } from './directive.ts';
import type { Step, ToolStep } from './directive.ts';
import type { SessionInput } from './machine/machine.ts';
import type { AgentMessage, MessageResponse, ServerMessage } from './messages.ts';

/** Any message of an agent, in canonical form. */
export const agentMessages: fc.Arbitrary<AgentMessage> = anyMessage('AgentMessage');

/** Any message of a gateway, in canonical form. */
export const serverMessages: fc.Arbitrary<ServerMessage> = anyMessage('ServerMessage');

const event: fc.Arbitrary<MessageResponse> = anyMessage('MessageResponse');

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
  fc.record({
    usage: fc.record({ input_tokens: fc.nat(100), output_tokens: fc.nat(100) }, { requiredKeys: [] }),
  }),
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
  fc.record({ injection_ack: fc.record({ injection_id: injectionId, accepted: fc.constant(true) }) }),
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
