/** KODA-01, 02, 12, 16, 18 to 21, 79 and 80: the texts that a target sends. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { PendingEvent, Rule } from '../../../../src/kit/judge/index.ts';
import { isObject } from '../../../../src/kit/base/index.ts';
import { awaitedOfSeparated } from '../awaited.ts';
import type { Session } from '../session.ts';
import { openSessions } from './session-rule.ts';
import type { KodaView } from '../view.ts';

/**
 * A rule that messages with `shows` exercise, and messages with a fault of the requirement violate. `pending`: the messages
 * that a session awaits for it.
 */
const textRule = (
  requirement: string,
  shows: (event: TraceEvent) => boolean,
  pending?: (view: KodaView, session: Session) => readonly PendingEvent[],
): Rule<KodaView> =>
  rule({
    requirement,
    listens: ['sent', 'unreadable'],
    start: () => null,
    step(_, event, { fault, session }: KodaView) {
      // A message that a fault of the kit has cut is not the target's.
      if (session === undefined || session.disturbed) return undefined;
      if (fault?.requirement === requirement) return violated(event, fault.message);
      return event.kind === 'message' && shows(event) ? exercised(event) : undefined;
    },
    *pending(_, view) {
      if (pending === undefined) return;
      for (const session of openSessions(view)) yield* pending(view, session);
    },
  });

const always = (): boolean => true;
const hasType =
  (...types: readonly string[]) =>
  ({ data }: TraceEvent): boolean =>
    typeof data['type'] === 'string' && types.includes(data['type']);

/** Whether a message has an object with a tag of its own. */
const hasTagged = ({ data }: TraceEvent): boolean =>
  isObject(data['reason']) || isObject(data['decision']) || isObject(data['preview']);

/** The rules of the texts of both sides. */
export const textRules: readonly Rule<KodaView>[] = [
  textRule('KODA-01', always),
  textRule('KODA-02', always),
  textRule('KODA-16', always),
  textRule('KODA-18', hasTagged),
  textRule('KODA-20', always),
  textRule('KODA-79', always, awaitedOfSeparated),
  textRule('KODA-80', always),
];

/** The rules of the texts of engines alone. */
export const eventTextRules: readonly Rule<KodaView>[] = [
  textRule('KODA-12', hasType('footer', 'status_update', 'context_usage', 'loop_cap_reached')),
];

/** The rules of the texts of clients alone. */
export const commandTextRules: readonly Rule<KodaView>[] = [
  textRule('KODA-19', hasType('loop_decision')),
  textRule('KODA-82', hasType('slash_command')),
];
