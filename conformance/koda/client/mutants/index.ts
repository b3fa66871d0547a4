/** All mutants of Koda clients. */
import { editOutgoing, faultsFor, mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { replacing } from '../../shared/mutants/mutant.ts';
import { goesDeaf, hangsUp, splitsAtSeparators } from '../../shared/mutants/receiving.ts';
import { sharedTextFaults } from '../../shared/mutants/texts.ts';
import { answerFaults } from './answers.ts';
import { eventFaults } from './events.ts';
import { idFaults } from './ids.ts';
import { clientWith } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** The mutants of prompts. */
const promptFaults: ClientFaults = {
  'prompts-in-turn': () => {
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
  },
  'prompts-after-a-second': () => {
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
  },
  ...faultsFor(['text_done', 'footer', 'error', 'status_update', 'loop_cap_reached'] as const, (type) => [
    `prompts-at-${type.replaceAll('_', '-')}`,
    () => ({
      input(input, context) {
        if (input.type === 'message' && input.message.type === type)
          context.send({ type: 'user_prompt', text: 'And now?', images: [] });
        return [input];
      },
    }),
  ]),
  'interrupts-first': () => {
    let first = true;
    return editOutgoing((command) => {
      if (!first) return [command];
      first = false;
      return [{ type: 'interrupt' }, command];
    });
  },
};

/** The mutants of texts. */
const textFaults: ClientFaults = {
  ...sharedTextFaults('user_prompt'),
  'leaves-out-images': () => replacing(',"images":[]', ''),
  'leaves-out-answers': () => ({
    writes: (text) => text.replace(/,"answer":"[^"]*"/, ''),
  }),
  'bare-decisions': () => replacing('{"decision":"approve"}', '"approve"'),
  'object-actions': () => replacing('"action":"continue200"', '"action":{"continue200":null}'),
  'numbered-decisions': () => replacing('{"decision":"approve"}', '{"decision":0}'),
  'nested-slash-commands': () =>
    replacing('"cmd":"memory","action":null', '"command":{"cmd":"memory","action":null}'),
};

/** The mutants of the events that a client cannot read. */
const unreadableFaults: ClientFaults = {
  'hangs-up': hangsUp,
  'goes-deaf': goesDeaf,
  'splits-at-separators': splitsAtSeparators,
};

/** Every mutant of the reference client. */
export const clientMutants: () => readonly Mutant[] = mutantsOf(
  'koda/client',
  [textFaults, answerFaults, idFaults, eventFaults, promptFaults, unreadableFaults],
  clientWith,
);
