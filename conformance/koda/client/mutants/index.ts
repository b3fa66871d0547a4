/** All mutants of Koda clients. */
import { editOutgoing } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { client } from '../../../../src/koda/index.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import { clientOptions } from '../../shared/peers.ts';
import { faultyClient, replacing } from '../../shared/mutants/mutant.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import { goesDeaf, hangsUp, splitsAtSeparators } from '../../shared/mutants/receiving.ts';
import { textMutants } from '../../shared/mutants/texts.ts';

/**
 * Makes a mutant of the reference client.
 *
 * @param breaks the requirement that it breaks
 * @param fault makes a new fault for each run
 */
const mutant = (breaks: string, id: string, title: string, fault: () => ClientFault): Mutant => ({
  id,
  breaks,
  title,
  make: (given) => faultyClient(client(clientOptions(given)), fault()),
});

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

/** The mutants of answers. */
const answerFaults: readonly Mutant[] = [
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
];

/** The mutants of prompts. */
const promptFaults: readonly Mutant[] = [
  mutant('KODA-62', 'prompts-in-turn', 'It sends a prompt half a second after the begin of a text.', () => {
    let sent = false;
    return {
      input(input, context) {
        if (!sent && input.type === 'message' && input.message.type === 'text_delta') {
          sent = true;
          context.later(500, (then) => then.send({ type: 'user_prompt', text: 'And now?', images: [] }));
        }
        return [input];
      },
    };
  }),
  ...(['text_done', 'footer'] as const).map((type) =>
    mutant('KODA-62', `prompts-at-${type.replace('_', '-')}`, `It sends a prompt at ${type}.`, () => ({
      input(input, context) {
        if (input.type === 'message' && input.message.type === type)
          context.send({ type: 'user_prompt', text: 'And now?', images: [] });
        return [input];
      },
    })),
  ),
  mutant('KODA-78', 'interrupts-first', 'It sends an interrupt before its first prompt.', () => {
    let first = true;
    return editOutgoing((command) => {
      if (!first) return [command];
      first = false;
      return [{ type: 'interrupt' }, command];
    });
  }),
];

/** The mutants of texts. */
const textFaults: readonly Mutant[] = [
  ...textMutants('user_prompt').map(({ breaks, id, title, writes }) =>
    mutant(breaks, id, title, () => ({ writes })),
  ),
  mutant('KODA-02', 'leaves-out-images', 'It leaves out images where there are none.', () =>
    replacing(',"images":[]', ''),
  ),
  mutant('KODA-02', 'leaves-out-answers', 'It leaves out the answer to a question.', () => ({
    writes: (text) => text.replace(/,"answer":"[^"]*"/, ''),
  })),
  mutant('KODA-18', 'bare-decisions', 'It writes a decision as a string.', () =>
    replacing('{"decision":"approve"}', '"approve"'),
  ),
  mutant('KODA-19', 'object-actions', 'It writes the action of a loop_decision as an object.', () =>
    replacing('"action":"continue200"', '"action":{"continue200":null}'),
  ),
  mutant('KODA-20', 'numbered-decisions', 'It writes the tag of a decision as a number.', () =>
    replacing('{"decision":"approve"}', '{"decision":0}'),
  ),
  mutant('KODA-82', 'nested-slash-commands', 'It nests the fields of a slash command.', () =>
    replacing('"cmd":"memory","action":null', '"command":{"cmd":"memory","action":null}'),
  ),
];

/** Every mutant of the reference client. */
export const clientMutants: readonly Mutant[] = [
  ...textFaults,
  ...answerFaults,
  ...promptFaults,
  mutant('KODA-65', 'hangs-up', 'It closes the stream at an event that it cannot read.', hangsUp),
  mutant('KODA-65', 'goes-deaf', 'It reads nothing after an event that it cannot read.', goesDeaf),
  mutant(
    'KODA-79',
    'splits-at-separators',
    'It ends the line of an event at U+2028, too.',
    splitsAtSeparators,
  ),
];
