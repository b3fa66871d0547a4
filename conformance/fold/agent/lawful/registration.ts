/** Lawful agents that register, are refused, or come back in unusual ways. */
import { defaultAgentOptions } from '../../../../src/fold/index.ts';
import type { AgentOptions, RegisterAgent } from '../../../../src/fold/index.ts';
import { endingAtGoaway, goawayMessage, movingAtGoaway } from '../goaway.ts';
import { editOutgoing, agentWith } from '../mutants/mutant.ts';
import type { OptionedFault, AgentFault, AgentFaults } from '../mutants/mutant.ts';

const { register } = defaultAgentOptions;
const features = ['token_usage', 'tool_states', 'injection', 'cancellation'];

/** Registers with other fields. */
const registering = (fields: Partial<RegisterAgent>): Partial<AgentOptions> => ({
  register: { ...register, ...fields },
});

/** Advertises these features only. */
const advertising = (has: readonly string[]): OptionedFault => ({
  options: registering({ protocol_features: [...has] }),
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

const lawfulAtGoaway: AgentFaults = {
  'ends-at-goaway': { make: () => endingAtGoaway(agentWith({})()) },
  'back-at-goaway': { make: () => endingAtGoaway(agentWith(backAtGoaway)()) },
  'moves-at-goaway': { make: () => movingAtGoaway(agentWith({ options: { metadata: () => ({}) } })()) },
};

/** Peers of this theme. */
export const lawfulRegistrations: AgentFaults = {
  'no-features': advertising([]),
  'only-injection': advertising(['injection']),
  'only-cancellation': advertising(['cancellation']),
  'only-usage': advertising(['token_usage']),
  'only-states': advertising(['tool_states']),
  'no-injection': advertising(features.filter((f) => f !== 'injection')),
  'no-cancellation': advertising(features.filter((f) => f !== 'cancellation')),
  'no-states': advertising(features.filter((f) => f !== 'tool_states')),
  'no-usage': advertising(features.filter((f) => f !== 'token_usage')),
  'unknown-feature': { options: registering({ protocol_features: [...features, 'voice'] }) },
  'features-twice': { options: registering({ protocol_features: [...features, ...features] }) },
  'features-reversed': { options: registering({ protocol_features: features.toReversed() }) },
  'no-capabilities': { options: registering({ capabilities: [] }) },
  'many-capabilities': {
    options: registering({ capabilities: Array.from({ length: 100 }, (_, i) => `skill-${i}`) }),
  },
  workspaces: { options: registering({ metadata: { ...register.metadata, workspaces: ['home', 'work'] } }) },
  git: {
    options: registering({
      metadata: { ...register.metadata, git: { branch: 'main', commit: 'c0ffee', dirty: true, ahead: 2 } },
    }),
  },
  'long-name': { options: registering({ name: 'x'.repeat(10_000) }) },
  'unicode-metadata': {
    options: registering({ name: 'Ωmega 🤖', metadata: { ...register.metadata, hostname: 'hôte' } }),
  },
  'spaces-in-id': { options: { agent_id: 'my agent / 1' } },
  'unicode-id': { options: { agent_id: 'агент-🤖' } },
  'long-id': { options: { agent_id: 'a'.repeat(1000) } },
  'registers-late': registersLater(2000),
  'back-soon': waits((ms) => (ms <= 500 ? 400 : ms)),
  'back-late': waits(() => 6000),
  'back-irregularly': waits((ms) => ms * 1.37 + 13.7),
  'gives-up-when-refused': givesUp,
  unsigned: { options: { metadata: () => ({}) } },
  bearer: { options: { metadata: () => ({ authorization: 'Bearer abc.def.ghi' }) } },
  'no-pings': { options: { keepalive: 3_600_000 } },
  ...lawfulAtGoaway,
  'rare-pings': { options: { keepalive: 5900 } },
};
