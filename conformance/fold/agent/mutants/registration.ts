/** Agents that violate FOLD-A01 to A09 when they register, are refused, or come back. */
import type { RegisterAgent, ServerMessage, Welcome } from '../../../../src/fold/index.ts';
import { tooManyPings } from '../../../../src/kit/world/index.ts';
import { endingAtGoaway, goawayMessage } from '../goaway.ts';
import { editIncoming, editOutgoing, agentWith } from './mutant.ts';
import type { AgentFault, FaultContext, Input, Output, AgentFaults } from './mutant.ts';

/** Edits the register message. */
const registers = (edit: (register: RegisterAgent, context: FaultContext) => RegisterAgent): AgentFault =>
  editOutgoing((m, context) => [m.register === undefined ? m : { register: edit(m.register, context) }]);

const beat = (context: FaultContext): { heartbeat: { timestamp_ms: string } } => ({
  heartbeat: { timestamp_ms: String(Math.floor(context.now)) },
});

const registersTwice = (): AgentFault => {
  let register: RegisterAgent = {};
  return {
    ...editOutgoing((m) => {
      register = m.register ?? register;
      return [m];
    }),
    ...editIncoming((m, context) => {
      if (m.welcome !== undefined)
        context.send({ register: { ...register, agent_id: m.welcome.agent_id ?? '' } });
      return [m];
    }),
  };
};

/** Edits the Welcome that the agent receives. */
const welcomed = (edit: (welcome: Welcome, context: FaultContext) => Welcome): AgentFault =>
  editIncoming((m, context) => [m.welcome === undefined ? m : { welcome: edit(m.welcome, context) }]);

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

const ignoresSuggestion = (m: ServerMessage): readonly ServerMessage[] =>
  m.registration_error === undefined
    ? [m]
    : [{ registration_error: { reason: m.registration_error.reason ?? '' } }];

/** Edits the reconnection after a stream that had its Welcome. */
const comesBack =
  (edit: (output: Output & { type: 'start_timer' }) => readonly Output[]) => (): AgentFault => {
    let ready = false;
    return {
      ...editIncoming((m) => {
        ready ||= m.welcome !== undefined;
        return [m];
      }),
      output(output) {
        if (output.type !== 'start_timer' || output.id !== 'reconnect' || !ready) return [output];
        ready = false;
        return edit(output);
      },
    };
  };

/** Gives up at a refusal that suggests an id. */
const givesUp = (): AgentFault => {
  let over = false;
  return {
    ...editIncoming((m) => {
      over ||= (m.registration_error?.suggested_id ?? '') !== '';
      return [m];
    }),
    output: (output) => (over && output.type === 'start_timer' && output.id === 'reconnect' ? [] : [output]),
  };
};

/** Comes back under another id, unless Welcome assigned an id: that would break FOLD-A06. */
const backAsAnother = (): AgentFault => {
  let kept = false;
  return {
    ...registers((register) =>
      kept ? { ...register, agent_id: `${register.agent_id ?? ''}-again` } : register,
    ),
    ...welcomed((welcome, context) => {
      kept = welcome.agent_id === context.state.agentId;
      return welcome;
    }),
  };
};

const okIsGoodbye = (): AgentFault => ({
  input: (input, { state }) =>
    input.type === 'left' && input.status?.code === 0 && state.phase === 'ready' ? [] : [input],
});

/** Waits this long after a stream whose end names a word (ms); undefined: for ever. */
const afterEnd = (word: string, ms: number | undefined) => (): AgentFault => {
  let named = false;
  return {
    input(input) {
      named = input.type === 'left' && input.status?.message.includes(word) === true;
      return [input];
    },
    output(output) {
      if (!named || output.type !== 'start_timer' || output.id !== 'reconnect') return [output];
      return ms === undefined ? [] : [{ ...output, ms }];
    },
  };
};

/** Mutants of this theme. */
export const registrationFaults: AgentFaults = {
  'heartbeat-first': () =>
    editOutgoing((m, context) => (m.register === undefined ? [m] : [beat(context), m])),
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
    editOutgoing((m, context) => (m.register === undefined ? [m] : [m, beat(context)])),
  'keeps-its-own-id': () => welcomed((welcome, context) => ({ ...welcome, agent_id: context.state.agentId })),
  'loops-on-registration-error': loops(25, (input) => input.type === 'message', false),
  'loops-on-already-exists': loops(25, (input) => input.type === 'left', true),
  'loops-slowly': loops(335, (input) => input.type === 'left', true),
  'loops-through-new-ids': loops(2, (input) => input.type === 'message', true),
  'ignores-the-suggestion': () => editIncoming(ignoresSuggestion),
  'gives-up-on-a-suggestion': givesUp,
  'never-back': comesBack(() => []),
  'back-too-late': comesBack((output) => [{ ...output, ms: 12_000 }]),
  'back-at-once': comesBack((output) => [{ ...output, ms: 0 }]),
  'dies-of-calm': afterEnd(tooManyPings, undefined),
  'storms-after-calm': afterEnd(tooManyPings, 0),
  'dies-of-goaway': {
    make: () => endingAtGoaway(agentWith(afterEnd(goawayMessage, undefined))()),
  },
  'back-as-another': backAsAnother,
  'ok-is-goodbye': okIsGoodbye,
};
