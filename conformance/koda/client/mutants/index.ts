/** All mutants of Koda clients. */
import { faultsFor, mutantsOf, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { EngineCommand } from '../../../../src/koda/index.ts';
import { replacing } from '../../shared/mutants/mutant.ts';
import { goesDeaf, hangsUp, splitsAtSeparators } from '../../shared/mutants/receiving.ts';
import { sharedTextFaults } from '../../shared/mutants/texts.ts';
import { answerFaults } from './answers.ts';
import { eventFaults } from './events.ts';
import { idFaults } from './ids.ts';
import { clientWith } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

const promptFaults: ClientFaults = {
  'prompts-in-turn': () => {
    let sent = false;
    return onReceive('text_delta', (_, context) => {
      if (!sent) context.later(500, (then) => then.send(prompt));
      sent = true;
    });
  },
  'prompts-after-a-second': () => {
    let turn = '';
    return onReceive(['turn_start', 'turn_end'], ({ type, turn_id }, context) => {
      turn = type === 'turn_start' ? turn_id : '';
      if (type === 'turn_end') return;
      context.later(1000, (then) => {
        if (turn === turn_id) then.send(prompt);
      });
    });
  },
  ...faultsFor(['text_done', 'footer', 'error', 'status_update', 'loop_cap_reached'] as const, (type) => [
    `prompts-at-${type.replaceAll('_', '-')}`,
    () => onReceive(type, (_, context) => context.send(prompt)),
  ]),
  'interrupts-first': () => {
    let first = true;
    return onSend((command) => {
      if (!first) return;
      first = false;
      return [{ type: 'interrupt' }, command];
    });
  },
};

const prompt: EngineCommand = { type: 'user_prompt', text: 'And now?', images: [] };

const textFaults: ClientFaults = {
  ...sharedTextFaults('user_prompt'),
  'leaves-out-images': () => replacing(',"images":[]', ''),
  'leaves-out-answers': () => ({ writes: (text) => text.replace(/,"answer":"[^"]*"/, '') }),
  'bare-decisions': () => replacing('{"decision":"approve"}', '"approve"'),
  'object-actions': () => replacing('"action":"continue200"', '"action":{"continue200":null}'),
  'numbered-decisions': () => replacing('{"decision":"approve"}', '{"decision":0}'),
  'nested-slash-commands': () =>
    replacing('"cmd":"memory","action":null', '"command":{"cmd":"memory","action":null}'),
};

/** Of the events that a client cannot read. */
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
