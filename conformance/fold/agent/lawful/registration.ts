/** Lawful agents that register, are refused, or come back in unusual ways. */
import type { LawfulPeer, MakePeer } from '../../../../src/kit/suite/index.ts';
import { defaultAgentOptions } from '../../../../src/fold/index.ts';
import type { AgentOptions, RegisterAgent } from '../../../../src/fold/index.ts';
import { endingAtGoaway, goawayMessage, movingAtGoaway } from '../goaway.ts';
import { editOutgoing } from '../mutants/mutant.ts';
import type { AgentFault } from '../mutants/mutant.ts';
import { documents, lawful } from './lawful.ts';

const { register } = defaultAgentOptions;
const features = ['token_usage', 'tool_states', 'injection', 'cancellation'];

/** Registers with other fields. */
const registering = (fields: Partial<RegisterAgent>): Partial<AgentOptions> => ({
  register: { ...register, ...fields },
});

/** Advertises these features only. */
const advertising = (id: string, title: string, has: readonly string[]): LawfulPeer =>
  lawful(id, title, {
    allowed: `${documents.compatibility}: a gateway learns the features at the registration`,
    options: registering({ protocol_features: [...has] }),
    lacks: features.filter((name) => !has.includes(name)),
  });

/** Registers this much later (ms). */
const registersLater = (ms: number) => (): AgentFault =>
  editOutgoing((m, context) => {
    if (m.register === undefined) return [m];
    context.later(ms, (then) => then.send(m));
    return [];
  });

/** Waits this long before it dials again (ms). */
const waits = (ms: (before: number) => number) => (): AgentFault => ({
  output: (output) => [
    output.type === 'start_timer' && output.id === 'reconnect' ? { ...output, ms: ms(output.ms) } : output,
  ],
});

/** Dials again at once when its stream ended at a graceful GOAWAY. */
const backAtGoaway = (): AgentFault => {
  let goaway = false;
  return {
    input(input) {
      if (input.type === 'left') goaway = input.status?.message === goawayMessage;
      return [input];
    },
    output: (output) => [
      output.type === 'start_timer' && output.id === 'reconnect' && goaway ? { ...output, ms: 0 } : output,
    ],
  };
};

/** Gives up at a refusal that suggests no id. */
const givesUp = (): AgentFault => {
  let over = false;
  return {
    input(input) {
      const refusal = input.type === 'message' ? input.message.registration_error : undefined;
      over ||= refusal !== undefined && (refusal.suggested_id ?? '') === '';
      over ||= input.type === 'left' && input.status?.code === 6;
      return [input];
    },
    output: (output) => (over && output.type === 'start_timer' && output.id === 'reconnect' ? [] : [output]),
  };
};

/** A lawful agent that does something at a graceful GOAWAY. */
const atGoaway = (does: (make: MakePeer) => MakePeer, peer: LawfulPeer): LawfulPeer => ({
  ...peer,
  make: (...args) => does(peer.make(...args)),
});

const streamsEnd = `${documents.page}, Carrier: at a graceful GOAWAY a library may end its streams`;

const lawfulAtGoaway: readonly LawfulPeer[] = [
  atGoaway(
    endingAtGoaway,
    lawful('ends-at-goaway', 'Its streams end at a graceful GOAWAY. It comes back as after a loss.', {
      allowed: streamsEnd,
    }),
  ),
  atGoaway(
    endingAtGoaway,
    lawful('back-at-goaway', 'Its streams end at a graceful GOAWAY. It comes back at once.', {
      allowed: streamsEnd,
      oddity: backAtGoaway,
    }),
  ),
  atGoaway(
    movingAtGoaway,
    lawful('moves-at-goaway', 'At a graceful GOAWAY it opens a new stream, and then leaves the old one.', {
      allowed: `${documents.page}, Carrier: at a graceful GOAWAY an agent may move to a new connection`,
      options: { metadata: () => ({}) },
      lacks: ['ssh_auth'],
    }),
  ),
];

const anyId = `${documents.schema}, message RegisterAgent: agent_id is any string that is not empty`;
const anyMetadata = `${documents.schema}, message AgentMetadata: each field is free text`;
const backoff = `${documents.page}, The directive grammar: waits before a new stream are the agent's own choice between the limits`;

/** Peers of this theme. */
export const lawfulRegistrations: readonly LawfulPeer[] = [
  advertising('no-features', 'It advertises no feature.', []),
  advertising('only-injection', 'It advertises injection alone.', ['injection']),
  advertising('only-cancellation', 'It advertises cancellation alone.', ['cancellation']),
  advertising('only-usage', 'It advertises token_usage alone.', ['token_usage']),
  advertising('only-states', 'It advertises tool_states alone.', ['tool_states']),
  advertising(
    'no-injection',
    'It advertises all features but injection.',
    features.filter((f) => f !== 'injection'),
  ),
  advertising(
    'no-cancellation',
    'It advertises all features but cancellation.',
    features.filter((f) => f !== 'cancellation'),
  ),
  advertising(
    'no-states',
    'It advertises all features but tool_states.',
    features.filter((f) => f !== 'tool_states'),
  ),
  advertising(
    'no-usage',
    'It advertises all features but token_usage.',
    features.filter((f) => f !== 'token_usage'),
  ),
  lawful('unknown-feature', 'It advertises a feature that the kit does not know.', {
    allowed: `${documents.compatibility}: protocol_features are free strings; unknown ones are ignored`,
    options: registering({ protocol_features: [...features, 'voice'] }),
  }),
  lawful('features-twice', 'It lists its features twice.', {
    allowed: `${documents.schema}, message RegisterAgent: protocol_features is a repeated string`,
    options: registering({ protocol_features: [...features, ...features] }),
  }),
  lawful('features-reversed', 'It lists its features in another order.', {
    allowed: `${documents.schema}, message RegisterAgent: protocol_features has no order`,
    options: registering({ protocol_features: features.toReversed() }),
  }),
  lawful('no-capabilities', 'It registers without capabilities.', {
    allowed: `${documents.schema}, message RegisterAgent: capabilities can be empty`,
    options: registering({ capabilities: [] }),
  }),
  lawful('many-capabilities', 'It registers with a hundred capabilities.', {
    allowed: `${documents.schema}, message RegisterAgent: capabilities is a repeated string`,
    options: registering({ capabilities: Array.from({ length: 100 }, (_, i) => `skill-${i}`) }),
  }),
  lawful('workspaces', 'It registers with workspaces.', {
    allowed: anyMetadata,
    options: registering({ metadata: { ...register.metadata, workspaces: ['home', 'work'] } }),
  }),
  lawful('git', 'It registers with the state of a git repository.', {
    allowed: `${documents.schema}, message GitInfo`,
    options: registering({
      metadata: { ...register.metadata, git: { branch: 'main', commit: 'c0ffee', dirty: true, ahead: 2 } },
    }),
  }),
  lawful('long-name', 'Its name has 10,000 characters.', {
    allowed: `${documents.schema}, message RegisterAgent: name is any string`,
    options: registering({ name: 'x'.repeat(10_000) }),
  }),
  lawful('unicode-metadata', 'Its metadata are not ASCII.', {
    allowed: anyMetadata,
    options: registering({ name: 'Ωmega 🤖', metadata: { ...register.metadata, hostname: 'hôte' } }),
  }),
  lawful('spaces-in-id', 'Its agent_id has spaces and a slash.', {
    allowed: anyId,
    options: { agent_id: 'my agent / 1' },
  }),
  lawful('unicode-id', 'Its agent_id is not ASCII.', { allowed: anyId, options: { agent_id: 'агент-🤖' } }),
  lawful('long-id', 'Its agent_id has 1,000 characters.', {
    allowed: anyId,
    options: { agent_id: 'a'.repeat(1000) },
  }),
  lawful('registers-late', 'It registers 2 s after its stream opened.', {
    allowed: `${documents.page}, Connection: the first message is RegisterAgent, at no stated time`,
    oddity: registersLater(2000),
  }),
  lawful('back-soon', 'It comes back 60 ms after a loss, and 500 ms after a refusal.', {
    allowed: backoff,
    oddity: waits((ms) => (ms <= 500 ? 400 : ms)),
  }),
  lawful('back-late', 'It waits 6 s before it comes back.', { allowed: backoff, oddity: waits(() => 6000) }),
  lawful('back-irregularly', 'Its waits before it comes back are not whole numbers.', {
    allowed: backoff,
    oddity: waits((ms) => ms * 1.37 + 13.7),
  }),
  lawful('gives-up-when-refused', 'It gives up when it is refused without a suggestion.', {
    allowed: `${documents.schema}, message RegistrationError, as the published agents use it: an agent may give up`,
    oddity: givesUp,
  }),
  lawful('unsigned', 'It signs no stream.', {
    allowed: `${documents.page}, Carrier: credentials are optional`,
    options: { metadata: () => ({}) },
    lacks: ['ssh_auth'],
  }),
  lawful('bearer', 'It opens its streams with a bearer token.', {
    allowed: `${documents.page}, Carrier: credentials are of one of two kinds`,
    options: { metadata: () => ({ authorization: 'Bearer abc.def.ghi' }) },
    lacks: ['ssh_auth'],
  }),
  lawful('no-pings', 'It sends no HTTP/2 pings.', {
    allowed: `${documents.page}, Carrier: an agent need not ping`,
    options: { keepalive: 3_600_000 },
    unseen: { 'FOLD-A56': 'it sends no pings' },
  }),
  ...lawfulAtGoaway,
  lawful('rare-pings', 'It pings every 5.9 s.', {
    allowed: `${documents.page}, Carrier: pings at least 5 s apart`,
    options: { keepalive: 5900 },
  }),
];
