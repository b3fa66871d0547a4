/** Generators for inputs of Fold's roles: messages, ends, timers and commands, each with its time. */
import fc from 'fast-check';
import type { PeerCommand, RoleInput } from '../kit/base/index.ts';
import type { AgentMessage, ServerMessage } from './messages.ts';
import { word, gatewayTalk, agentTalk } from './arbitrary.ts';

const peer = fc.constantFrom('agent-0', 'agent-1', 'agent-2', 'elsewhere');
const status = fc.record({ code: fc.nat(16), message: word });
const timers = fc.constantFrom('turn:r1', 'turn:r2', 'wait:r1', 'wait:r2', 'reconnect', 'agent-0', 'nobody');

/** Inputs of any role other than messages and commands, on known and unknown links. */
const carrierInput: fc.Arbitrary<RoleInput<never, never>> = fc.oneof(
  fc.constant({ type: 'started' }),
  fc.record({ type: fc.constantFrom('opened', 'headers'), peer, metadata: fc.constant({}) }),
  fc.record({ type: fc.constant('undecodable'), peer, reason: word }),
  fc.record({ type: fc.constantFrom('half_close', 'full', 'drained'), peer }),
  fc.record({ type: fc.constant('left'), peer, status }, { requiredKeys: ['type', 'peer'] }),
  fc.record({ type: fc.constant('timer'), id: timers }),
  fc.record({ type: fc.constant('effect'), id: word, result: fc.constant(null) }),
);

/** Inputs with their times; half of the lists begin with `first`. */
function timed<I>(inputs: fc.Arbitrary<I>, first: readonly I[]): fc.Arbitrary<readonly Timed<I>[]> {
  const rest = fc.array(fc.record({ input: inputs, after: fc.nat(600) }), { maxLength: 40 });
  return fc.tuple(fc.boolean(), rest).map(([orderly, more]) => {
    let now = 0;
    const start = orderly ? first.map((input) => ({ input, after: 0 })) : [];
    return [...start, ...more].map(({ input, after }) => ({ input, now: (now += after) }));
  });
}

/** An input and its time (ms). */
export interface Timed<I> {
  readonly input: I;
  readonly now: number;
}

const toAgent = fc.record({ type: fc.constant('message'), peer, message: gatewayTalk });
const toGateway = fc.record({ type: fc.constant('message'), peer, message: agentTalk });

/** Inputs of the agent's role. */
export const agentInputs: fc.Arbitrary<readonly Timed<RoleInput<ServerMessage, never>>[]> = timed(
  fc.oneof<fc.Arbitrary<RoleInput<ServerMessage, never>>[]>(toAgent, toAgent, carrierInput),
  [
    { type: 'started' },
    { type: 'opened', peer: 'agent-0', metadata: {} },
    { type: 'message', peer: 'agent-0', message: { welcome: { agent_id: 'a' } } },
  ],
);

type Command = PeerCommand<ServerMessage>;

const command = fc.oneof<fc.Arbitrary<Command>[]>(
  fc.record({ do: fc.constant('send'), message: gatewayTalk }),
  fc.record({ do: fc.constant('raw'), bytes: fc.uint8Array({ maxLength: 8 }) }),
  fc.record({ do: fc.constant('end'), status }),
);
const commandInput = fc.record({ type: fc.constant('command'), command });

/** Inputs of the simulated gateway's role. */
export const gatewayInputs: fc.Arbitrary<readonly Timed<RoleInput<AgentMessage, Command>>[]> = timed(
  fc.oneof<fc.Arbitrary<RoleInput<AgentMessage, Command>>[]>(toGateway, carrierInput, commandInput),
  [{ type: 'started' }, { type: 'opened', peer: 'agent-0', metadata: {} }],
);
