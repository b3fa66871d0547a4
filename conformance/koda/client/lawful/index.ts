/** Clients with oddities that the protocol allows. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { client } from '../../../../src/koda/index.ts';
import { faultyClient } from '../../shared/mutants/mutant.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import { escaped, tagLast, unknownFields } from '../../shared/mutants/spellings.ts';
import { clientOptions } from '../../shared/peers.ts';

const lawful = (
  id: string,
  title: string,
  allowed: string,
  oddity: () => ClientFault,
  {
    options = {},
    unseen = {},
  }: { readonly options?: JsonObject; readonly unseen?: LawfulPeer['unseen'] } = {},
): LawfulPeer => ({
  id,
  title,
  allowed,
  make: (given) => faultyClient(client(clientOptions({ ...given, ...options })), oddity()),
  unseen,
});

const readingSection = 'spec/koda/README.md, Reading';
const commandSection = 'spec/koda/README.md, Commands';

/** A person: answers two seconds later, and not after the end of the turn. */
const slow = (): ClientFault => {
  let turn = 0;
  return {
    input(input) {
      if (input.type === 'message' && input.message.type === 'turn_end') turn++;
      return [input];
    },
    output(output, context) {
      if (output.type !== 'send' || output.message.type === 'user_prompt') return [output];
      const { message, peer } = output;
      const asked = turn;
      context.later(2000, (then) => {
        if (turn === asked) then.send(message, peer);
      });
      return [];
    },
  };
};

/** Sends slash commands before each prompt but the first. */
const asksForCost = (): ClientFault => {
  let prompts = 0;
  return {
    output: (output) =>
      output.type === 'send' && output.message.type === 'user_prompt' && prompts++ > 0
        ? [{ ...output, message: { type: 'slash_command', cmd: 'cost' } }, output]
        : [output],
  };
};

/** Waits for the end of the turn once it has stopped it: it shows nothing that comes until then. */
const waitsForEnd = (): ClientFault => {
  let stopped = false;
  return {
    input(input) {
      if (input.type === 'message' && input.message.type === 'turn_end') stopped = false;
      return stopped && input.type === 'message' ? [] : [input];
    },
    output(output) {
      stopped ||= output.type === 'send' && output.message.type === 'loop_decision';
      return [output];
    },
  };
};

const plain = (): ClientFault => ({});

/** Clients that no rule may blame. */
export const lawfulClients: readonly LawfulPeer[] = [
  lawful('slow', 'It answers after two seconds.', 'spec/koda/README.md, A turn', slow, {
    unseen: { 'KODA-82': 'its slash command comes too late' },
  }),
  lawful('rejects', 'It rejects each call with feedback.', commandSection, plain, {
    options: { approval: { feedback: 'not now' } },
  }),
  lawful('declines', 'It declines each question.', 'KODA-56', plain, { options: { answer: '' } }),
  lawful('stops', 'It stops at the cap.', commandSection, plain, { options: { cap: 'stop' } }),
  lawful(
    'waits-for-end',
    'It stops at the cap, and answers nothing until the turn ends.',
    'spec/koda/README.md, Decisions, 17',
    waitsForEnd,
    {
      options: { cap: 'stop' },
    },
  ),
  lawful('checks-shares', 'It drops a status with a context_pct above 1.', 'KODA-22', () => ({
    takes: (text) => !text.includes('"context_pct":1.25'),
  })),
  lawful('asks-for-cost', 'It sends a slash command between two turns.', commandSection, asksForCost),
  lawful('tag-last', 'It writes the tag of a message behind its fields.', readingSection, () => ({
    writes: tagLast,
  })),
  lawful('unknown-fields', 'Its commands have fields that nobody knows.', readingSection, () => ({
    writes: unknownFields,
  })),
  lawful('escapes', 'It escapes all characters outside of ASCII.', readingSection, () => ({
    writes: escaped,
  })),
];
