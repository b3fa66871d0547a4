/** Agents that violate FOLD-A01 to A09 when they register, are refused, or come back. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { RegisterAgent, ServerMessage, Welcome } from '../../../../src/fold/index.ts';
import { tooManyPings } from '../../../../src/kit/world/index.ts';
import { endingAtGoaway, goawayMessage } from '../goaway.ts';
import { editIncoming, editOutgoing, mutant } from './mutant.ts';
import type { AgentFault, FaultContext, Input, Output } from './mutant.ts';

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

/** A mutant whose library ends its streams at a graceful GOAWAY. */
const endsAtGoaway = (made: Mutant): Mutant => ({
  ...made,
  make: (...args) => endingAtGoaway(made.make(...args)),
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
export const registrationMutants: readonly Mutant[] = [
  mutant('FOLD-A01', 'heartbeat-first', 'It sends a heartbeat before it registers.', () =>
    editOutgoing((m, context) => (m.register === undefined ? [m] : [beat(context), m])),
  ),
  mutant('FOLD-A02', 'no-agent-id', 'It registers with an empty agent_id.', () =>
    registers((register) => ({ ...register, agent_id: '' })),
  ),
  mutant('FOLD-A03', 'no-name', 'It registers without a name.', () =>
    registers((register) => ({ ...register, name: '' })),
  ),
  mutant('FOLD-A03', 'no-metadata', 'It registers without any metadata.', () =>
    registers(({ agent_id = '', name = '', protocol_features = [] }) => ({
      agent_id,
      name,
      protocol_features,
    })),
  ),
  mutant('FOLD-A04', 'registers-twice', 'It registers once more after its Welcome.', registersTwice),
  mutant('FOLD-A05', 'heartbeat-before-welcome', 'It sends a heartbeat before its Welcome came.', () =>
    editOutgoing((m, context) => (m.register === undefined ? [m] : [m, beat(context)])),
  ),
  mutant(
    'FOLD-A06',
    'keeps-its-own-id',
    'It goes on under the id it registered when Welcome gives it another.',
    () => welcomed((welcome, context) => ({ ...welcome, agent_id: context.state.agentId })),
  ),
  mutant(
    'FOLD-A07',
    'loops-on-registration-error',
    'It registers every 25 ms under the same id after a RegistrationError.',
    loops(25, (input) => input.type === 'message', false),
  ),
  mutant(
    'FOLD-A07',
    'loops-on-already-exists',
    'It registers every 25 ms under the same id after ALREADY_EXISTS.',
    loops(25, (input) => input.type === 'left', true),
  ),
  mutant(
    'FOLD-A07',
    'loops-slowly',
    'It registers every 335 ms under the same id after ALREADY_EXISTS.',
    loops(335, (input) => input.type === 'left', true),
  ),
  mutant(
    'FOLD-A07',
    'loops-through-new-ids',
    'It registers every 2 ms after a RegistrationError, under a new id each time.',
    loops(2, (input) => input.type === 'message', true),
  ),
  mutant(
    'FOLD-A08',
    'ignores-the-suggestion',
    'It makes up an id of its own when RegistrationError suggests one.',
    () => editIncoming(ignoresSuggestion),
  ),
  mutant(
    'FOLD-A08',
    'gives-up-on-a-suggestion',
    'It gives up when RegistrationError suggests an id.',
    givesUp,
  ),
  mutant(
    'FOLD-A09',
    'never-back',
    'It gives up when its stream is lost.',
    comesBack(() => []),
  ),
  mutant(
    'FOLD-A09',
    'back-too-late',
    'It waits 12 s before it comes back after a loss.',
    comesBack((output) => [{ ...output, ms: 12_000 }]),
  ),
  mutant(
    'FOLD-A09',
    'back-at-once',
    'It comes back without a pause after a loss.',
    comesBack((output) => [{ ...output, ms: 0 }]),
  ),
  mutant(
    'FOLD-A09',
    'dies-of-calm',
    'It gives up at a GOAWAY with too_many_pings.',
    afterEnd(tooManyPings, undefined),
  ),
  mutant(
    'FOLD-A09',
    'storms-after-calm',
    'It comes back without a pause after a GOAWAY with too_many_pings.',
    afterEnd(tooManyPings, 0),
  ),
  endsAtGoaway(
    mutant(
      'FOLD-A09',
      'dies-of-goaway',
      'Its stream ends at a graceful GOAWAY, and it gives up.',
      afterEnd(goawayMessage, undefined),
    ),
  ),
  mutant('FOLD-A09', 'back-as-another', 'It comes back under another agent_id after a loss.', backAsAnother),
  mutant(
    'FOLD-A09',
    'ok-is-goodbye',
    'It takes a stream that ends with status OK for a Shutdown.',
    okIsGoodbye,
  ),
];
