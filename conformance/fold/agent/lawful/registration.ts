/** Lawful agents that register, are refused, or come back in unusual ways. */
import { allFaults, member, onInput, onReceive, onSend, sendLate } from '../../../../src/kit/suite/index.ts';
import { defaultAgentOptions } from '../../../../src/fold/index.ts';
import type { AgentOptions, RegisterAgent } from '../../../../src/fold/index.ts';
import { endingAtGoaway, goawayMessage, movingAtGoaway } from '../goaway.ts';
import { agentWith } from '../mutants/mutant.ts';
import { afterEnd, onReconnect } from '../mutants/registration.ts';
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

/** Waits this long before it dials again (ms). */
const waits = (ms: (before: number) => number) => (): AgentFault =>
  onReconnect((timer) => [{ ...timer, ms: ms(timer.ms) }]);

/** Gives up at a refusal that suggests no id. */
const givesUp = (): AgentFault => {
  let over = false;
  return allFaults(
    onReceive(member('registration_error', ({ suggested_id = '' }) => void (over ||= suggested_id === ''))),
    onInput('left', ({ status }) => void (over ||= status?.code === 6)),
    onReconnect(() => (over ? [] : undefined)),
  );
};

const lawfulAtGoaway: AgentFaults = {
  'ends-at-goaway': { make: () => endingAtGoaway(agentWith({})()) },
  'back-at-goaway': {
    make: () => endingAtGoaway(agentWith(afterEnd((said) => said === goawayMessage, 0))()),
  },
  'moves-at-goaway': { make: () => movingAtGoaway(agentWith({ options: { metadata: () => ({}) } })()) },
};

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
  'registers-late': () => onSend(sendLate(2000, ({ register: sent }) => sent !== undefined)),
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
