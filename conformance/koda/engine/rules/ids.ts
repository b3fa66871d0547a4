/** KODA-24: the ids of turns, approvals and questions. */
import { exercised, forgetOldest, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { isOpen } from './approvals.ts';
import { isUuid } from './turns.ts';

/** The most ids that are kept. */
const idsKept = 4096;

const areFreshUuids = rule({
  requirement: 'KODA-24',
  listens: ['event.turn_start', 'event.approval_request', 'event.ask_user_request'],
  start: () => new Set<string>(),
  step(seen, event, { session }: KodaView): Findings {
    const message = engineEvent(event);
    const id = 'turn_id' in message ? message.turn_id : 'id' in message ? message.id : '';
    const again = seen.has(id);
    seen.add(id);
    forgetOldest(seen, idsKept);
    // KODA-39 judges an approval_request with the id of an open one.
    if (message.type === 'approval_request' && session?.turn !== undefined && isOpen(session.turn, id))
      return undefined;
    if (again) return violated(event, `expected a fresh id; ${id} was used before`);
    return isUuid(id) ? exercised(event) : violated(event, `expected a UUID as id; came ${id.slice(0, 60)}`);
  },
});

export const idRules: readonly Rule<KodaView>[] = [areFreshUuids];
