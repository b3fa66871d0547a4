/** Clients that answer requests wrongly, or not at all. */
import { editIncoming, editOutgoing } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import { mutant } from './mutant.ts';

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
const onceATurn: readonly Mutant[] = [
  mutant(
    'KODA-55',
    'approves-once-a-turn',
    'It answers the first approval_request of a turn alone.',
    answersOnceATurn('approval_request'),
  ),
  mutant(
    'KODA-56',
    'answers-once-a-turn',
    'It answers the first ask_user_request of a turn alone.',
    answersOnceATurn('ask_user_request'),
  ),
  mutant(
    'KODA-57',
    'decides-once-a-turn',
    'It answers the first loop_cap_reached of a turn alone.',
    answersOnceATurn('loop_cap_reached'),
  ),
];

/** The mutants of this theme. */
export const answerFaults: readonly Mutant[] = [
  mutant('KODA-55', 'no-approvals', 'It answers no approval_request.', dropsAnswers('approval_response')),
  mutant('KODA-55', 'leaves-at-approval', 'It closes the stream at an approval_request.', () => ({
    input(input, context) {
      if (input.type === 'message' && input.message.type === 'approval_request') {
        context.close(0, 'left', input.peer);
        return [];
      }
      return [input];
    },
  })),
  mutant('KODA-55', 'approves-no-request', 'Its approvals have an id of no request.', () =>
    editOutgoing((command) => [
      command.type === 'approval_response' ? { ...command, id: `${command.id}-1` } : command,
    ]),
  ),
  mutant('KODA-56', 'answers-no-question', 'Its answers have an id of no question.', () =>
    editOutgoing((command) => [
      command.type === 'ask_user_response' ? { ...command, id: `${command.id}-1` } : command,
    ]),
  ),
  mutant('KODA-56', 'no-answers', 'It answers no ask_user_request.', dropsAnswers('ask_user_response')),
  mutant(
    'KODA-59',
    'needs-options',
    'It answers no question without options.',
    dropsAnswers(
      'ask_user_response',
      (asked) => asked.type === 'ask_user_request' && asked.options.length === 0,
    ),
  ),
  mutant('KODA-57', 'no-decisions', 'It answers no loop_cap_reached.', dropsAnswers('loop_decision')),
  mutant('KODA-58', 'answers-twice', 'It sends each answer twice.', () =>
    editOutgoing((command) => (answers.has(command.type) ? [command, command] : [command])),
  ),
  mutant('KODA-58', 'answers-after-end', 'It answers a second later, also after the end of the turn.', () =>
    answersLate(1000),
  ),
  mutant('KODA-58', 'answers-questions-after-end', 'It answers a question a second later.', () =>
    answersLate(1000, new Set(['ask_user_response'])),
  ),
  mutant('KODA-58', 'decides-after-end', 'It decides about a cap a second later.', () =>
    answersLate(1000, new Set(['loop_decision'])),
  ),
  mutant('KODA-58', 'answers-unasked', 'It approves each call that starts.', () => ({
    input(input, context) {
      if (input.type === 'message' && input.message.type === 'tool_call_start')
        context.send({
          type: 'approval_response',
          id: input.message.id,
          decision: { decision: 'approve' },
        });
      return [input];
    },
  })),
  mutant('KODA-61', 'needs-starts', 'It ignores an approval whose call it has not seen.', needsStarts),
  mutant(
    'KODA-61',
    'needs-turns',
    'It ignores the requests of a turn whose begin it has not seen.',
    needsTurns,
  ),
  mutant(
    'KODA-61',
    'needs-calls',
    'It closes the stream at a result whose call it has not seen.',
    needsCalls,
  ),
  mutant('KODA-55', 'needs-haste', 'It ignores an approval that comes late in its turn.', needsHaste),
  mutant(
    'KODA-55',
    'approves-in-first-turn',
    'It answers no approval_request after the first turn.',
    answersInFirstTurn('approval_request'),
  ),
  mutant(
    'KODA-56',
    'answers-in-first-turn',
    'It answers no ask_user_request after the first turn.',
    answersInFirstTurn('ask_user_request'),
  ),
  mutant(
    'KODA-57',
    'decides-in-first-turn',
    'It answers no loop_cap_reached after the first turn.',
    answersInFirstTurn('loop_cap_reached'),
  ),
  ...onceATurn,
  mutant(
    'KODA-58',
    'answers-behind-its-prompt',
    'It answers 700 ms later, also behind its next prompt.',
    () => answersLate(700),
  ),
];
