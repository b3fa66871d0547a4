/** Clients with oddities that the protocol allows. */
import { allFaults, lawfulOf, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import { escaped, tagLast, unknownFields } from '../../shared/mutants/spellings.ts';
import type { ClientFaults } from '../mutants/mutant.ts';
import { clientWith } from '../mutants/mutant.ts';

/** A person: answers two seconds later, and not after the end of the turn. */
const slow = (): ClientFault => {
  let turn = 0;
  return allFaults(
    onReceive('turn_end', () => void turn++),
    onSend((command, context, peer) => {
      if (command.type === 'user_prompt') return;
      const asked = turn;
      context.later(2000, (then) => {
        if (turn === asked) then.send(command, peer);
      });
      return [];
    }),
  );
};

/** Sends slash commands before each prompt but the first. */
const asksForCost = (): ClientFault => {
  let prompts = 0;
  return onSend('user_prompt', (command) =>
    prompts++ > 0 ? [{ type: 'slash_command', cmd: 'cost' }, command] : undefined,
  );
};

/** Waits for the end of the turn once it has stopped it: it shows nothing that comes until then. */
const waitsForEnd = (): ClientFault => {
  let stopped = false;
  return allFaults(
    onReceive(({ type }) => {
      if (type === 'turn_end') stopped = false;
      return stopped ? [] : undefined;
    }),
    onSend('loop_decision', () => void (stopped = true)),
  );
};

const oddities: ClientFaults = {
  slow,
  rejects: { options: { approval: { feedback: 'not now' } } },
  declines: { options: { answer: '' } },
  stops: { options: { cap: 'stop' } },
  'waits-for-end': { fault: waitsForEnd, options: { cap: 'stop' } },
  'checks-shares': () => ({ takes: (text) => !text.includes('"context_pct":1.25') }),
  'asks-for-cost': asksForCost,
  'tag-last': () => ({ writes: tagLast }),
  'unknown-fields': () => ({ writes: unknownFields }),
  escapes: () => ({ writes: escaped }),
};

export const lawfulClients: () => readonly LawfulPeer[] = lawfulOf('koda/client', [oddities], clientWith);
