/** Inputs of the gateway's role for its laws: few streams and ids, so that they meet. */
import fc from 'fast-check';
import type { Metadata, RoleInput } from '../../kit/base/index.ts';
import type { Timed } from '../../kit/laws/index.ts';
import { agentTalk } from '../arbitrary.ts';
import type { GatewayCommand } from './gateway.ts';
import { paths } from './gateway.test-helper.ts';
import type { AgentMessage, MessageResponse } from '../messages.ts';
import type { OperatorRequest } from '../operator.ts';
import type { GatewayIn, PackMessage } from '../stream-codecs.ts';

/** What befalls a gateway. */
export type Input = RoleInput<GatewayIn, GatewayCommand>;

/** Streams by what they are for; the name says it. */
const peer = fc.constantFrom('a1', 'a2', 'a3', 'p1', 'p2', 'r1', 'r2', 'o1', 'o2', 'o3', 'o4', 'o5', 'o6');
const kinds: { readonly [letter: string]: string } = {
  a: paths.agent,
  p: paths.pack,
  r: paths.pack_result,
  o: paths.operator,
};
/** What a stream of this name is opened with. */
export const metadataOf = (name: string): Metadata => ({ ':path': kinds[name[0] ?? ''] ?? '' });

/** The ids that the gateway's counter gives, and some that it does not. */
const id = fc.oneof(
  fc.integer({ min: 1, max: 14 }).map((n) => `id-${n}`),
  fc.constantFrom('', 'nobody', '__proto__'),
);
const agentId = fc.constantFrom('x', 'y', '');
const toolName = fc.constantFrom('open', 'gated', 'nothing');
const word = fc.constantFrom('', 'alpha', '{}', '1');
const features = fc.subarray(['injection', 'cancellation', 'token_usage', 'more']);

/** An agent's response, about one of the gateway's requests. */
const aimed = fc.tuple(agentTalk, id).map(([message, request_id]): AgentMessage => {
  if (message.response === undefined) return message;
  // Its event stays; only whose it is changes.
  return { response: { ...message.response, request_id } as MessageResponse };
});

const agentSays: fc.Arbitrary<AgentMessage> = fc.oneof(
  { weight: 6, arbitrary: aimed },
  {
    weight: 2,
    arbitrary: fc.record({
      register: fc.record({
        agent_id: agentId,
        protocol_features: features,
        capabilities: fc.subarray(['net']),
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      execute_pack_tool: fc.record({ request_id: word, tool_name: toolName, input_json: word }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ injection_ack: fc.record({ injection_id: id, accepted: fc.boolean() }) }),
  },
);

const definition = fc.record({
  name: toolName,
  required_capabilities: fc.subarray(['net']),
  timeout_seconds: fc.integer(),
});
const packSays: fc.Arbitrary<PackMessage> = fc.oneof(
  fc.record({ manifest: fc.record({ pack_id: word, tools: fc.array(definition, { maxLength: 2 }) }) }),
  fc.record({ tool_response: fc.record({ request_id: id, output_json: word }) }),
  fc.record({ tool_response: fc.record({ request_id: id, error: word }) }),
);

const maybe = { requiredKeys: [] };
const flag = fc.boolean();
const operatorSays: fc.Arbitrary<OperatorRequest> = fc
  .oneof<fc.Arbitrary<object>[]>(
    fc.record({ send: fc.record({ content: fc.constant('x'), thread_id: word, agent_id: agentId }) }),
    fc.record({ send: fc.record({ content: fc.constant('x') }) }),
    fc.record({ cancel: fc.record({ request_id: id, thread_id: word, reason: word }, maybe) }),
    fc.record({
      inject: fc.record({ agent_id: agentId, content: word, priority: fc.constant('deferred') }, maybe),
    }),
    fc.record({
      approve: fc.record({ agent_id: agentId, tool_id: fc.constantFrom('tool-1', 'tool-2'), approved: flag }),
    }),
    fc.constantFrom({ agents: {} }, { stats: {} }, { events: {} }, { thread_usage: { thread_id: 'alpha' } }),
    fc.record({ shutdown: fc.record({ reason: word }) }),
    fc.jsonValue({ maxDepth: 2 }).map((value) => ({ send: value })),
    fc.dictionary(word, fc.anything()),
  )
  // What an edge passes on unread.
  .map((call) => call as OperatorRequest);

const said = fc.oneof(
  fc.tuple(fc.constantFrom('a1', 'a2', 'a3'), agentSays),
  fc.tuple(fc.constantFrom('a1', 'a2'), agentSays),
  fc.tuple(fc.constantFrom('p1', 'p2', 'r1', 'r2'), packSays),
  fc.tuple(fc.constantFrom('o1', 'o2', 'o3', 'o4', 'o5', 'o6'), operatorSays),
  fc.tuple(peer, fc.oneof<fc.Arbitrary<GatewayIn>[]>(agentSays, packSays, operatorSays)),
);

const timerId = fc
  .tuple(
    fc.constantFrom('cancel', 'approval', 'pack', 'injection', 'stalled', 'stop', '__proto__', ''),
    fc.oneof(id, peer),
  )
  .map(([kind, key]) => `${kind}:${key}`);

/** An input that may come; timers apart. */
export const common: fc.Arbitrary<Input> = fc.oneof(
  { weight: 8, arbitrary: said.map(([name, message]): Input => ({ type: 'message', peer: name, message })) },
  {
    weight: 4,
    arbitrary: peer.map((name): Input => ({ type: 'opened', peer: name, metadata: metadataOf(name) })),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('full', 'drained'), peer }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('left', 'half_close'), peer }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('undecodable'), peer, reason: word }) },
);

export const rare: fc.Arbitrary<Input> = fc.oneof(
  fc.constant<Input>({ type: 'started' }),
  fc.record({ type: fc.constant('timer'), id: fc.oneof(timerId, word) }),
  fc.record({
    type: fc.constant('effect'),
    id: fc.constantFrom('ledger:1', 'ledger:3', 'ledger:5', 'append:id-1'),
    result: fc.constantFrom<unknown[]>([], {}, null, undefined, { error: 'disk' }, 'text'),
  }),
  fc.record({ type: fc.constant('command'), command: fc.constant<GatewayCommand>({ do: 'shutdown' }) }),
);

/** Two agents, a pack and their streams, before anything odd happens. */
const orderly: readonly Input[] = [
  { type: 'started' },
  ...['a1', 'a2', 'p1', 'o1', 'o2', 'o3'].map((name): Input => ({
    type: 'opened',
    peer: name,
    metadata: metadataOf(name),
  })),
  ...(['x', 'y'] as const).map((agent_id, i): Input => {
    const register = { agent_id, protocol_features: ['injection', 'cancellation'] };
    return { type: 'message', peer: `a${i + 1}`, message: { register } };
  }),
  { type: 'message', peer: 'p1', message: { manifest: { pack_id: 'p', tools: [{ name: 'open' }] } } },
  { type: 'message', peer: 'o1', message: { send: { content: 'x', sender: '' } } },
  { type: 'message', peer: 'o2', message: { events: {} } },
];

/** Inputs and their times; half of them begin in good order. */
export const inputs = (
  more: fc.Arbitrary<Input>,
): fc.Arbitrary<readonly Timed<GatewayIn, GatewayCommand>[]> =>
  fc
    .tuple(
      fc.boolean(),
      fc.array(fc.record({ input: more, after: fc.nat(8000) }), { maxLength: 60, size: 'max' }),
    )
    .map(([begun, rest]) => {
      let now = 0;
      const first = begun ? orderly.map((input) => ({ input, after: 0 })) : [];
      return [...first, ...rest].map(({ input, after }) => ({ input, now: (now += after) }));
    });
