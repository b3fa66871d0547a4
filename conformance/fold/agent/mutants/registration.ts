/** Agents that violate FOLD-A01 to A09 when they register, are refused, or come back. */
import { allFaults, member, onInput, onOutput, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { Replacement } from '../../../../src/kit/suite/index.ts';
import type { RegisterAgent, Welcome } from '../../../../src/fold/index.ts';
import { tooManyPings } from '../../../../src/kit/world/index.ts';
import { endingAtGoaway, goawayMessage } from '../goaway.ts';
import { agentWith } from './mutant.ts';
import type { AgentFault, FaultContext, Input, Output, AgentFaults } from './mutant.ts';

/** Edits the register message. */
const registers = (edit: (register: RegisterAgent, context: FaultContext) => RegisterAgent): AgentFault =>
  onSend(member('register', (register, context: FaultContext) => [edit(register, context)]));

const beat = (context: FaultContext): { heartbeat: { timestamp_ms: string } } => ({
  heartbeat: { timestamp_ms: String(Math.floor(context.now)) },
});

const registersTwice = (): AgentFault => {
  let register: RegisterAgent = {};
  return allFaults(
    onSend(member('register', (sent) => void (register = sent))),
    onReceive(
      member('welcome', ({ agent_id = '' }, context) =>
        context.send({ register: { ...register, agent_id } }),
      ),
    ),
  );
};

/** Edits the Welcome that the agent receives. */
const welcomed = (edit: (welcome: Welcome, context: FaultContext) => Welcome): AgentFault =>
  onReceive(member('welcome', (welcome, context: FaultContext) => [edit(welcome, context)]));

/** Edits the waits before the agent dials again. */
export const onReconnect = (edit: (timer: Timer) => Replacement<Output>): AgentFault =>
  onOutput('start_timer', (timer) => (timer.id === 'reconnect' ? edit(timer) : undefined));

type Timer = Output & { type: 'start_timer' };

const isRefusal = (input: Input): boolean =>
  (input.type === 'message' && input.message.registration_error !== undefined) ||
  (input.type === 'left' && input.status?.code === 6);

/** Dials again every `every` ms after a refusal without a suggestion that `counts`. `told`: the role also sees the refusal. */
const loops = (every: number, counts: (input: Input) => boolean, told: boolean) => (): AgentFault => {
  let refused = false;
  return {
    input(input) {
      if (input.type === 'message' && input.message.welcome !== undefined) refused = false;
      const suggests =
        input.type === 'message' && (input.message.registration_error?.suggested_id ?? '') !== '';
      if (!isRefusal(input) || suggests || !counts(input)) return [input];
      refused = true;
      return told || input.type === 'left' ? [input] : [];
    },
    output: (output) => [output.type === 'start_timer' && refused ? { ...output, ms: every } : output],
  };
};

/** Edits the reconnection after a stream that had its Welcome. */
const comesBack = (edit: (timer: Timer) => readonly Output[]) => (): AgentFault => {
  let ready = false;
  return allFaults(
    onReceive(member('welcome', () => void (ready = true))),
    onReconnect((timer) => {
      if (!ready) return;
      ready = false;
      return edit(timer);
    }),
  );
};

/** Gives up at a refusal that suggests an id. */
const givesUp = (): AgentFault => {
  let over = false;
  return allFaults(
    onReceive(member('registration_error', ({ suggested_id = '' }) => void (over ||= suggested_id !== ''))),
    onReconnect(() => (over ? [] : undefined)),
  );
};

/** Comes back under another id, unless Welcome assigned an id: that would break FOLD-A06. */
const backAsAnother = (): AgentFault => {
  let kept = false;
  return allFaults(
    registers((register) =>
      kept ? { ...register, agent_id: `${register.agent_id ?? ''}-again` } : register,
    ),
    welcomed((welcome, context) => {
      kept = welcome.agent_id === context.state.agentId;
      return welcome;
    }),
  );
};

const okIsGoodbye = (): AgentFault =>
  onInput('left', ({ status }, { state }) =>
    status?.code === 0 && state.phase === 'ready' ? [] : undefined,
  );

/** Waits this long after a stream whose end fits (ms); undefined: for ever. */
export const afterEnd = (fits: (said: string) => boolean, ms: number | undefined) => (): AgentFault => {
  let named = false;
  return allFaults(
    onInput('left', ({ status }) => void (named = fits(status?.message ?? ''))),
    onReconnect((timer) => {
      if (!named) return;
      return ms === undefined ? [] : [{ ...timer, ms }];
    }),
  );
};

const saysCalm = (said: string): boolean => said.includes(tooManyPings);

export const registrationFaults: AgentFaults = {
  'heartbeat-first': () =>
    onSend((m, context) => (m.register === undefined ? undefined : [beat(context), m])),
  'no-agent-id': () => registers((register) => ({ ...register, agent_id: '' })),
  'no-name': () => registers((register) => ({ ...register, name: '' })),
  'no-metadata': () =>
    registers(({ agent_id = '', name = '', protocol_features = [] }) => ({
      agent_id,
      name,
      protocol_features,
    })),
  'registers-twice': registersTwice,
  'heartbeat-before-welcome': () =>
    onSend((m, context) => (m.register === undefined ? undefined : [m, beat(context)])),
  'keeps-its-own-id': () => welcomed((welcome, context) => ({ ...welcome, agent_id: context.state.agentId })),
  'loops-on-registration-error': loops(25, (input) => input.type === 'message', false),
  'loops-on-already-exists': loops(25, (input) => input.type === 'left', true),
  'loops-slowly': loops(335, (input) => input.type === 'left', true),
  'loops-through-new-ids': loops(2, (input) => input.type === 'message', true),
  'ignores-the-suggestion': () => onReceive(member('registration_error', ({ reason = '' }) => [{ reason }])),
  'gives-up-on-a-suggestion': givesUp,
  'never-back': comesBack(() => []),
  'back-too-late': comesBack((output) => [{ ...output, ms: 12_000 }]),
  'back-at-once': comesBack((output) => [{ ...output, ms: 0 }]),
  'dies-of-calm': afterEnd(saysCalm, undefined),
  'storms-after-calm': afterEnd(saysCalm, 0),
  'dies-of-goaway': {
    make: () => endingAtGoaway(agentWith(afterEnd((said) => said.includes(goawayMessage), undefined))()),
  },
  'back-as-another': backAsAnother,
  'ok-is-goodbye': okIsGoodbye,
};
