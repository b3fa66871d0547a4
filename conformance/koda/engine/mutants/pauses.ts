/** Engines that do not wait for their client, or take the wrong command for its answer. */
import { answerTypes } from '../../shared/session.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { editCommands, editEvent } from './mutant.ts';
import type { EngineFaults } from './mutant.ts';

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
const impatient: EngineFaults = {
  'approves-after-a-second': losesPatience('approval_request'),
  'answers-after-a-second': losesPatience('ask_user_request'),
  'decides-after-a-second': losesPatience('loop_cap_reached'),
};

/** The mutants of this theme. */
export const pauseFaults: EngineFaults = {
  ...impatient,
  'remembers-approvals': remembersApprovals,
  'runs-before-approval': answersItself('approval_request'),
  'any-approval': mistakes(isStrange('approval_response')),
  'one-approval-id': repeatsId,
  'runs-rejected': () =>
    editCommands((command) => [
      command.type === 'approval_response' ? { ...command, decision: { decision: 'approve' } } : command,
    ]),
  'answers-itself': answersItself('ask_user_request'),
  'any-answer': mistakes(isStrange('ask_user_response')),
  'blank-results': blankResults,
  'ok-for-answers': () =>
    editEvent('tool_call_result', (event) => [event.name === 'AskUser' ? { ...event, output: 'ok' } : event]),
  'goes-on-at-cap': answersItself('loop_cap_reached'),
  'any-command': mistakes(isOther),
  'no-result-of-blanks': noResult((answer) => answer === ''),
  'no-result-of-answers': noResult((answer) => answer !== ''),
  'asks-again': asksAgain,
  'slash-answers': mistakes(({ type }) => type === 'slash_command'),
  'prompt-answers': mistakes(({ type }) => type === 'user_prompt'),
  'newest-tools-first': () =>
    editEvent('loop_cap_reached', (event) => [{ ...event, recent_tools: event.recent_tools.toReversed() }]),
  'no-recent-tools': () => editEvent('loop_cap_reached', (event) => [{ ...event, recent_tools: [] }]),
  'cap-stays': () => {
    let first: number | undefined;
    return editEvent('loop_cap_reached', (event) => [{ ...event, cap: (first ??= event.cap) }]);
  },
  'cap-by-50': () => {
    let cap: number | undefined;
    return editEvent('loop_cap_reached', (event) => {
      cap = cap === undefined ? event.cap : cap + 50;
      return [{ ...event, cap }];
    });
  },
  'cap-of-one-step': () => {
    let n = 0;
    return editEvent('loop_cap_reached', (event) => [n++ === 0 ? event : { ...event, cap: 50 }]);
  },
};
