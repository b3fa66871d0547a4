/** Clients that answer requests wrongly, or not at all. */
import { editIncoming, editOutgoing } from '../../../../src/kit/suite/index.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** Drops the commands of a type that an event asks for. */
const dropsAnswers = (
  type: EngineCommand['type'],
  isDropped: (asked: EngineEvent) => boolean = () => true,
) => {
  return (): ClientFault => {
    let asked: EngineEvent | undefined;
    return {
      input(input) {
        if (input.type === 'message') asked = input.message;
        return [input];
      },
      output: (output) =>
        output.type === 'send' && output.message.type === type && asked !== undefined && isDropped(asked)
          ? []
          : [output],
    };
  };
};

const answers: ReadonlySet<string> = new Set(['approval_response', 'ask_user_response', 'loop_decision']);

/** Sends each answer of some types later. */
const answersLate = (ms: number, types: ReadonlySet<string> = answers): ClientFault => ({
  output(output, context) {
    if (output.type !== 'send' || !types.has(output.message.type)) return [output];
    const { message, peer } = output;
    context.later(ms, (then) => then.send(message, peer));
    return [];
  },
});

/** Ignores the approvals of calls whose tool_call_start it has not seen. */
function needsStarts(): ClientFault {
  const started = new Set<string>();
  let turns = 0;
  return {
    input(input) {
      if (input.type !== 'message') return [input];
      const { message } = input;
      if (message.type === 'turn_start') turns++;
      if (message.type === 'turn_end') turns--;
      if (message.type === 'tool_call_start') started.add(message.name);
      const lost = message.type === 'approval_request' && (turns > 1 || !started.has(message.tool_name));
      return lost ? [] : [input];
    },
  };
}

/** Ignores the requests of a turn whose turn_start it has not seen. */
function needsTurns(): ClientFault {
  let runs = false;
  return {
    input(input) {
      if (input.type !== 'message') return [input];
      const { type } = input.message;
      if (type === 'turn_start') runs = true;
      if (type === 'turn_end') runs = false;
      return !runs && (type.endsWith('_request') || type === 'loop_cap_reached') ? [] : [input];
    },
  };
}

/** Ignores the approvals that come more than a second after the turn_start. */
function needsHaste(): ClientFault {
  let begun = 0;
  return {
    input(input, { now }) {
      if (input.type !== 'message') return [input];
      if (input.message.type === 'turn_start') begun = now;
      return input.message.type === 'approval_request' && now - begun > 1000 ? [] : [input];
    },
  };
}

/** Ignores the requests of a type in the turns after the first one. */
const answersInFirstTurn = (type: EngineEvent['type']) => (): ClientFault => {
  let ended = false;
  return editIncoming((event) => {
    ended ||= event.type === 'turn_end';
    return ended && event.type === type ? [] : [event];
  });
};

/** Ignores the requests of a type after the first one of a turn. */
const answersOnceATurn = (type: EngineEvent['type']) => (): ClientFault => {
  let answered = false;
  return editIncoming((event) => {
    if (event.type === 'turn_start') answered = false;
    if (event.type !== type) return [event];
    const isNew = !answered;
    answered = true;
    return isNew ? [event] : [];
  });
};

/** Closes the stream at a result whose call it has not seen. */
function needsCalls(): ClientFault {
  const started = new Set<string>();
  return {
    input(input, context) {
      if (input.type !== 'message') return [input];
      const { message, peer } = input;
      if (message.type === 'tool_call_start') started.add(message.id);
      if (message.type !== 'tool_call_result' || started.has(message.id)) return [input];
      context.close(1, `no call ${message.id}`, peer);
      return [];
    },
  };
}

/** Clients that take the second request of a turn for the first one. */
const onceATurn: ClientFaults = {
  'approves-once-a-turn': answersOnceATurn('approval_request'),
  'answers-once-a-turn': answersOnceATurn('ask_user_request'),
  'decides-once-a-turn': answersOnceATurn('loop_cap_reached'),
};

/** The mutants of this theme. */
export const answerFaults: ClientFaults = {
  'no-approvals': dropsAnswers('approval_response'),
  'leaves-at-approval': () => ({
    input(input, context) {
      if (input.type === 'message' && input.message.type === 'approval_request') {
        context.close(0, 'left', input.peer);
        return [];
      }
      return [input];
    },
  }),
  'approves-no-request': () =>
    editOutgoing((command) => [
      command.type === 'approval_response' ? { ...command, id: `${command.id}-1` } : command,
    ]),
  'answers-no-question': () =>
    editOutgoing((command) => [
      command.type === 'ask_user_response' ? { ...command, id: `${command.id}-1` } : command,
    ]),
  'no-answers': dropsAnswers('ask_user_response'),
  'needs-options': dropsAnswers(
    'ask_user_response',
    (asked) => asked.type === 'ask_user_request' && asked.options.length === 0,
  ),
  'no-decisions': dropsAnswers('loop_decision'),
  'answers-twice': () =>
    editOutgoing((command) => (answers.has(command.type) ? [command, command] : [command])),
  'answers-after-end': () => answersLate(1000),
  'answers-questions-after-end': () => answersLate(1000, new Set(['ask_user_response'])),
  'decides-after-end': () => answersLate(1000, new Set(['loop_decision'])),
  'answers-unasked': () => ({
    input(input, context) {
      if (input.type === 'message' && input.message.type === 'tool_call_start')
        context.send({
          type: 'approval_response',
          id: input.message.id,
          decision: { decision: 'approve' },
        });
      return [input];
    },
  }),
  'needs-starts': needsStarts,
  'needs-turns': needsTurns,
  'needs-calls': needsCalls,
  'needs-haste': needsHaste,
  'approves-in-first-turn': answersInFirstTurn('approval_request'),
  'answers-in-first-turn': answersInFirstTurn('ask_user_request'),
  'decides-in-first-turn': answersInFirstTurn('loop_cap_reached'),
  ...onceATurn,
  'answers-behind-its-prompt': () => answersLate(700),
};
