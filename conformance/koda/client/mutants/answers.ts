/** Clients that answer requests wrongly, or not at all. */
import { allFaults, onReceive, onSend, sendLate } from '../../../../src/kit/suite/index.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** Drops the commands of a type that an event asks for. */
const dropsAnswers =
  (type: EngineCommand['type'], isDropped: (asked: EngineEvent) => boolean = () => true) =>
  (): ClientFault => {
    let asked: EngineEvent | undefined;
    return allFaults(
      onReceive((event) => void (asked = event)),
      onSend(type, () => (asked !== undefined && isDropped(asked) ? [] : undefined)),
    );
  };

const answers = ['approval_response', 'ask_user_response', 'loop_decision'] as const;

/** Ignores the approvals of calls whose tool_call_start it has not seen. */
function needsStarts(): ClientFault {
  const started = new Set<string>();
  let turns = 0;
  return onReceive((event) => {
    if (event.type === 'turn_start') turns++;
    if (event.type === 'turn_end') turns--;
    if (event.type === 'tool_call_start') started.add(event.name);
    const lost = event.type === 'approval_request' && (turns > 1 || !started.has(event.tool_name));
    return lost ? [] : undefined;
  });
}

/** Ignores the requests of a turn whose turn_start it has not seen. */
function needsTurns(): ClientFault {
  let runs = false;
  return onReceive(({ type }) => {
    if (type === 'turn_start') runs = true;
    if (type === 'turn_end') runs = false;
    return !runs && (type.endsWith('_request') || type === 'loop_cap_reached') ? [] : undefined;
  });
}

/** Ignores the approvals that come more than a second after the turn_start. */
function needsHaste(): ClientFault {
  let begun = 0;
  return onReceive(['turn_start', 'approval_request'], ({ type }, { now }) => {
    if (type === 'turn_start') begun = now;
    return now - begun > 1000 ? [] : undefined;
  });
}

/** Ignores the requests of a type in the turns after the first one. */
const answersInFirstTurn = (type: EngineEvent['type']) => (): ClientFault => {
  let ended = false;
  return onReceive((event) => {
    ended ||= event.type === 'turn_end';
    return ended && event.type === type ? [] : undefined;
  });
};

/** Ignores the requests of a type after the first one of a turn. */
const answersOnceATurn = (type: EngineEvent['type']) => (): ClientFault => {
  let answered = false;
  return onReceive((event) => {
    if (event.type === 'turn_start') answered = false;
    if (event.type !== type) return;
    const again = answered;
    answered = true;
    return again ? [] : undefined;
  });
};

/** Closes the stream at a result whose call it has not seen. */
function needsCalls(): ClientFault {
  const started = new Set<string>();
  return onReceive(['tool_call_start', 'tool_call_result'], ({ type, id }, context, peer) => {
    if (type === 'tool_call_start') started.add(id);
    if (started.has(id)) return;
    context.close(1, `no call ${id}`, peer);
    return [];
  });
}

export const answerFaults: ClientFaults = {
  'no-approvals': dropsAnswers('approval_response'),
  'leaves-at-approval': () =>
    onReceive('approval_request', (_, context, peer) => {
      context.close(0, 'left', peer);
      return [];
    }),
  'approves-no-request': () =>
    onSend('approval_response', (command) => [{ ...command, id: `${command.id}-1` }]),
  'answers-no-question': () =>
    onSend('ask_user_response', (command) => [{ ...command, id: `${command.id}-1` }]),
  'no-answers': dropsAnswers('ask_user_response'),
  'needs-options': dropsAnswers(
    'ask_user_response',
    (asked) => asked.type === 'ask_user_request' && asked.options.length === 0,
  ),
  'no-decisions': dropsAnswers('loop_decision'),
  'answers-twice': () => onSend(answers, (command) => [command, command]),
  'answers-after-end': () => onSend(answers, sendLate(1000)),
  'answers-questions-after-end': () => onSend('ask_user_response', sendLate(1000)),
  'decides-after-end': () => onSend('loop_decision', sendLate(1000)),
  'answers-unasked': () =>
    onReceive('tool_call_start', ({ id }, context) =>
      context.send({ type: 'approval_response', id, decision: { decision: 'approve' } }),
    ),
  'needs-starts': needsStarts,
  'needs-turns': needsTurns,
  'needs-calls': needsCalls,
  'needs-haste': needsHaste,
  'approves-in-first-turn': answersInFirstTurn('approval_request'),
  'answers-in-first-turn': answersInFirstTurn('ask_user_request'),
  'decides-in-first-turn': answersInFirstTurn('loop_cap_reached'),
  'approves-once-a-turn': answersOnceATurn('approval_request'),
  'answers-once-a-turn': answersOnceATurn('ask_user_request'),
  'decides-once-a-turn': answersOnceATurn('loop_cap_reached'),
  'answers-behind-its-prompt': () => onSend(answers, sendLate(700)),
};
