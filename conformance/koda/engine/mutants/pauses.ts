/** Engines that do not wait for their client, or take the wrong command for its answer. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { answerTypes } from '../../shared/session.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { editCommands, editEvent, mutant } from './mutant.ts';

/** The command that answers a request; undefined for other events. */
function answerTo(event: EngineEvent): EngineCommand | undefined {
  switch (event.type) {
    case 'approval_request':
      return { type: 'approval_response', id: event.id, decision: { decision: 'approve' } };
    case 'ask_user_request':
      return { type: 'ask_user_response', id: event.id, answer: 'SQLite' };
    case 'loop_cap_reached':
      return { type: 'loop_decision', action: 'continue200' };
    default:
      return undefined;
  }
}

/** Answers the requests of one type itself, at once. */
const answersItself = (type: EngineEvent['type']): (() => EngineFault) => {
  return () => ({
    output(output, context) {
      const answer =
        output.type === 'send' && output.message.type === type ? answerTo(output.message) : undefined;
      if (answer !== undefined) context.tell(answer);
      return [output];
    },
  });
};

/** Answers the requests of one type itself, a second later. */
const losesPatience = (type: EngineEvent['type']): (() => EngineFault) => {
  return () => ({
    output(output, context) {
      const answer =
        output.type === 'send' && output.message.type === type ? answerTo(output.message) : undefined;
      if (answer !== undefined) context.later(1000, (then) => then.tell(answer));
      return [output];
    },
  });
};

/** Asks about the first call of a tool alone, and approves the others itself. */
const remembersApprovals = (): EngineFault => {
  const asked = new Set<string>();
  return {
    output(output, context) {
      if (output.type !== 'send' || output.message.type !== 'approval_request') return [output];
      const { tool_name: name } = output.message;
      const answer = answerTo(output.message);
      if (!asked.has(name) || answer === undefined) {
        asked.add(name);
        return [output];
      }
      context.tell(answer);
      return [];
    },
  };
};

/** Takes some other commands for the answer to the open request. */
const mistakes = (
  isTaken: (command: EngineCommand, answer: EngineCommand) => boolean,
): (() => EngineFault) => {
  return () => {
    let open: EngineCommand | undefined;
    return {
      output(output) {
        if (output.type !== 'send') return [output];
        open = answerTo(output.message) ?? (output.message.type === 'turn_end' ? undefined : open);
        return [output];
      },
      input(input) {
        if (input.type !== 'message' || open === undefined) return [input];
        const answer = open;
        if (input.message.type === answer.type && !isTaken(input.message, answer)) open = undefined;
        if (!isTaken(input.message, answer)) return [input];
        open = undefined;
        return [{ ...input, message: answer }];
      },
    };
  };
};

const answers: ReadonlySet<string> = new Set(Object.values(answerTypes));

const isStranger = (command: EngineCommand, answer: EngineCommand): boolean =>
  command.type === answer.type && 'id' in command && 'id' in answer && command.id !== answer.id;

/** Whether a command answers another request than the open one, of one type. */
const isStrange =
  (type: EngineCommand['type']) =>
  (command: EngineCommand, answer: EngineCommand): boolean =>
    command.type === type && isStranger(command, answer);

/** Gives all its approval_requests one id. */
const repeatsId = (): EngineFault => {
  const one = '11111111-1111-4111-8111-111111111111';
  let own = '';
  return {
    output(output) {
      if (output.type !== 'send' || output.message.type !== 'approval_request') return [output];
      own = output.message.id;
      return [{ ...output, message: { ...output.message, id: one } }];
    },
    input: (input) =>
      input.type === 'message' && input.message.type === 'approval_response' && input.message.id === one
        ? [{ ...input, message: { ...input.message, id: own } }]
        : [input],
  };
};

const isOther = (command: EngineCommand, answer: EngineCommand): boolean =>
  command.type !== answer.type && answers.has(command.type);

/** Sends blank results after a blank answer. */
const blankResults = (): EngineFault => {
  let blank = false;
  return {
    input(input) {
      if (input.type === 'message' && input.message.type === 'ask_user_response')
        blank = input.message.answer.trim() === '';
      return [input];
    },
    output(output) {
      if (!blank || output.type !== 'send' || output.message.type !== 'tool_call_result') return [output];
      blank = false;
      return [{ ...output, message: { ...output.message, output: '' } }];
    },
  };
};

/** Sends no result of a question: after a blank answer, or after another one. */
const noResult = (isDropped: (answer: string) => boolean) => (): EngineFault => {
  let dropped = false;
  return {
    input(input) {
      if (input.type === 'message' && input.message.type === 'ask_user_response')
        dropped = isDropped(input.message.answer.trim());
      return [input];
    },
    output: (output) =>
      dropped &&
      output.type === 'send' &&
      output.message.type === 'tool_call_result' &&
      output.message.name === 'AskUser'
        ? []
        : [output],
  };
};

/** Asks once more, with a new id, at a slash command in a pause. */
const asksAgain = (): EngineFault => {
  let open: EngineEvent | undefined;
  return {
    output(output) {
      if (output.type !== 'send') return [output];
      if (output.message.type.endsWith('_request')) open = output.message;
      if (output.message.type === 'tool_call_result' || output.message.type === 'turn_end') open = undefined;
      return [output];
    },
    input(input, context) {
      if (input.type === 'message' && input.message.type === 'slash_command' && open !== undefined)
        context.send({ ...open, id: '0f8fad5b-d9cb-469f-a165-70867728950e' } as EngineEvent);
      return [input];
    },
  };
};

/** Engines that go on a second after a request, without its answer. */
const impatient: readonly Mutant[] = [
  mutant(
    'KODA-40',
    'approves-after-a-second',
    'It approves a call after a second.',
    losesPatience('approval_request'),
  ),
  mutant(
    'KODA-43',
    'answers-after-a-second',
    'It answers a question after a second.',
    losesPatience('ask_user_request'),
  ),
  mutant(
    'KODA-44',
    'decides-after-a-second',
    'It goes on at a cap after a second.',
    losesPatience('loop_cap_reached'),
  ),
];

/** The mutants of this theme. */
export const pauseFaults: readonly Mutant[] = [
  ...impatient,
  mutant('KODA-40', 'remembers-approvals', 'It asks once about each tool.', remembersApprovals),
  mutant(
    'KODA-40',
    'runs-before-approval',
    'It runs a call before it is approved.',
    answersItself('approval_request'),
  ),
  mutant(
    'KODA-40',
    'any-approval',
    'It takes an approval with any id.',
    mistakes(isStrange('approval_response')),
  ),
  mutant('KODA-24', 'one-approval-id', 'All its approval_requests have the same UUID.', repeatsId),
  mutant('KODA-41', 'runs-rejected', 'It runs a call that was rejected.', () =>
    editCommands((command) => [
      command.type === 'approval_response' ? { ...command, decision: { decision: 'approve' } } : command,
    ]),
  ),
  mutant(
    'KODA-43',
    'answers-itself',
    'It does not wait for the answer to a question.',
    answersItself('ask_user_request'),
  ),
  mutant(
    'KODA-43',
    'any-answer',
    'It takes an answer with any id.',
    mistakes(isStrange('ask_user_response')),
  ),
  mutant('KODA-73', 'blank-results', 'The result of a question without an answer is blank.', blankResults),
  mutant('KODA-84', 'ok-for-answers', 'The result of a question is ok, whatever the answer.', () =>
    editEvent('tool_call_result', (event) => [event.name === 'AskUser' ? { ...event, output: 'ok' } : event]),
  ),
  mutant(
    'KODA-44',
    'goes-on-at-cap',
    'It does not wait for the decision about the cap.',
    answersItself('loop_cap_reached'),
  ),
  mutant(
    'KODA-47',
    'any-command',
    'It takes the answer to another request for the answer to the open one.',
    mistakes(isOther),
  ),
  mutant(
    'KODA-73',
    'no-result-of-blanks',
    'It sends no result of a question without an answer.',
    noResult((answer) => answer === ''),
  ),
  mutant(
    'KODA-84',
    'no-result-of-answers',
    'It sends no result of a question with an answer.',
    noResult((answer) => answer !== ''),
  ),
  mutant('KODA-47', 'asks-again', 'It asks once more at a slash command in a pause.', asksAgain),
  mutant(
    'KODA-47',
    'slash-answers',
    'It takes a slash command for the answer to the open request.',
    mistakes(({ type }) => type === 'slash_command'),
  ),
  mutant(
    'KODA-47',
    'prompt-answers',
    'It takes a prompt for the answer to the open request.',
    mistakes(({ type }) => type === 'user_prompt'),
  ),
  mutant('KODA-46', 'newest-tools-first', 'Its recent_tools have the newest first.', () =>
    editEvent('loop_cap_reached', (event) => [{ ...event, recent_tools: event.recent_tools.toReversed() }]),
  ),
  mutant('KODA-46', 'no-recent-tools', 'Its recent_tools are empty.', () =>
    editEvent('loop_cap_reached', (event) => [{ ...event, recent_tools: [] }]),
  ),
  mutant('KODA-74', 'cap-stays', 'Its cap is always the first one.', () => {
    let first: number | undefined;
    return editEvent('loop_cap_reached', (event) => [{ ...event, cap: (first ??= event.cap) }]);
  }),
  mutant('KODA-74', 'cap-by-50', 'It adds 50 to its cap, whatever the decision.', () => {
    let cap: number | undefined;
    return editEvent('loop_cap_reached', (event) => {
      cap = cap === undefined ? event.cap : cap + 50;
      return [{ ...event, cap }];
    });
  }),
  mutant('KODA-74', 'cap-of-one-step', 'Its cap is the number that was added last.', () => {
    let n = 0;
    return editEvent('loop_cap_reached', (event) => [n++ === 0 ? event : { ...event, cap: 50 }]);
  }),
];
