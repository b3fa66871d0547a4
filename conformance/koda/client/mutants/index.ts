/** All mutants of Koda clients. */
import { editOutgoing } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { replacing } from '../../shared/mutants/mutant.ts';
import { goesDeaf, hangsUp, splitsAtSeparators } from '../../shared/mutants/receiving.ts';
import { textMutants } from '../../shared/mutants/texts.ts';
import { answerFaults } from './answers.ts';
import { eventFaults } from './events.ts';
import { idFaults } from './ids.ts';
import { mutant } from './mutant.ts';

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
  mutant('KODA-62', 'prompts-after-a-second', 'It sends a prompt a second after the turn_start.', () => {
    let turn = '';
    return {
      input(input, context) {
        if (input.type !== 'message') return [input];
        const { message } = input;
        if (message.type === 'turn_end') turn = '';
        if (message.type !== 'turn_start') return [input];
        turn = message.turn_id;
        context.later(1000, (then) => {
          if (turn === message.turn_id) then.send({ type: 'user_prompt', text: 'And now?', images: [] });
        });
        return [input];
      },
    };
  }),
  ...(['text_done', 'footer', 'error', 'status_update', 'loop_cap_reached'] as const).map((type) =>
    mutant('KODA-62', `prompts-at-${type.replaceAll('_', '-')}`, `It sends a prompt at ${type}.`, () => ({
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
  ...idFaults,
  ...eventFaults,
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
