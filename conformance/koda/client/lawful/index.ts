/** Clients with oddities that the protocol allows. */
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import { escaped, tagLast, unknownFields } from '../../shared/mutants/spellings.ts';
import type { ClientFaults } from '../mutants/mutant.ts';
import { clientWith } from '../mutants/mutant.ts';

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

const oddities: ClientFaults = {
  slow: slow,
  rejects: { options: { approval: { feedback: 'not now' } } },
  declines: { options: { answer: '' } },
  stops: { options: { cap: 'stop' } },
  'waits-for-end': { fault: waitsForEnd, options: { cap: 'stop' } },
  'checks-shares': () => ({
    takes: (text) => !text.includes('"context_pct":1.25'),
  }),
  'asks-for-cost': asksForCost,
  'tag-last': () => ({
    writes: tagLast,
  }),
  'unknown-fields': () => ({
    writes: unknownFields,
  }),
  escapes: () => ({
    writes: escaped,
  }),
};

/** The lawful clients. */
export const lawfulClients: () => readonly LawfulPeer[] = lawfulOf('koda/client', [oddities], clientWith);
