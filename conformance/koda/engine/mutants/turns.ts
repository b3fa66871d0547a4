/** Engines that begin, fill or end their turns wrongly. */
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { dropEvents, editEvent, editEvents } from './mutant.ts';
import type { EventOf, EngineFaults } from './mutant.ts';

/** Replaces the id of each turn, in its turn_start and its turn_end. */
const renames = (nameOf: (n: number) => string): (() => EngineFault) => {
  return () => {
    let n = 0;
    return editEvents((event) => {
      if (event.type === 'turn_start') return [{ ...event, turn_id: nameOf(++n) }];
      return [event.type === 'turn_end' ? { ...event, turn_id: nameOf(n) } : event];
    });
  };
};

/** Drops the rest of a turn after an event; `ends`: the turn_end that it sends at once. */
const cutsAfter =
  (
    isCut: (event: EngineEvent) => boolean,
    ends: (id: string) => readonly EngineEvent[],
  ): (() => EngineFault) =>
  () => {
    let id = '';
    let cut = false;
    return editEvents((event) => {
      if (event.type === 'turn_start') [id, cut] = [event.turn_id, false];
      if (cut) return [];
      cut = isCut(event);
      return cut ? [event, ...ends(id)] : [event];
    });
  };

const isSimpleError = (event: EngineEvent): boolean =>
  event.type === 'error' && event.message === 'a plugin failed';

/** Sends the turn_end of a turn after the turn_start of the next one. */
function overlaps(): EngineFault {
  let held: EngineEvent | undefined;
  let prompts = 0;
  return {
    input(input) {
      if (input.type === 'message' && input.message.type === 'user_prompt') prompts++;
      return [input];
    },
    output(output) {
      if (output.type !== 'send') return [output];
      const event = output.message;
      if (event.type === 'turn_end' && --prompts > 0) {
        held = event;
        return [];
      }
      if (event.type !== 'turn_start' || held === undefined) return [output];
      const late = held;
      held = undefined;
      return [output, { ...output, message: late }];
    },
  };
}

/** Ends as cancelled each turn that has a footer, and drops the footer. */
function cancelsAll(): EngineFault {
  let dropped = false;
  return editEvents((event) => {
    if (event.type === 'footer') {
      dropped = true;
      return [];
    }
    if (event.type !== 'turn_end' || !dropped) return [event];
    dropped = false;
    return [{ ...event, reason: { kind: 'cancelled' } }];
  });
}

/** Ends as complete each turn that was cancelled while it worked. */
function completesAll(): EngineFault {
  let paused = false;
  return editEvents((event) => {
    if (event.type.endsWith('_request') || event.type === 'loop_cap_reached') paused = true;
    if (event.type === 'turn_start') paused = false;
    return event.type === 'turn_end' && event.reason.kind === 'cancelled' && !paused
      ? [{ ...event, reason: { kind: 'complete' } }]
      : [event];
  });
}

/** Runs each prompt that comes while a turn runs twice. */
function runsTwice(): EngineFault {
  let turns = 0;
  return {
    input(input) {
      if (input.type !== 'message' || input.message.type !== 'user_prompt' || turns === 0) return [input];
      // A second wait for an interrupt would never end.
      return input.message.text.includes('cancel_point') ? [input] : [input, input];
    },
    output(output) {
      if (output.type === 'send' && output.message.type === 'turn_start') turns++;
      if (output.type === 'send' && output.message.type === 'turn_end') turns--;
      return [output];
    },
  };
}

/** Cancels the turn that follows a cancelled one. */
function cancelsNext(): EngineFault {
  let cancelled = false;
  let id = '';
  return editEvents((event) => {
    if (event.type === 'turn_start' && cancelled) {
      id = event.turn_id;
      return [event, { type: 'turn_end', turn_id: id, reason: { kind: 'cancelled' } }];
    }
    if (event.type !== 'turn_end') return id === '' ? [event] : [];
    const dropped = id !== '';
    id = '';
    cancelled = !dropped && event.reason.kind === 'cancelled';
    return dropped ? [] : [event];
  });
}

/** Ends as an error, without a footer, each turn after a failed one. */
function failsOn(): EngineFault {
  let failed: EventOf<'turn_end'>['reason'] | undefined;
  return editEvents((event) => {
    if (event.type === 'footer' && failed !== undefined) return [];
    if (event.type !== 'turn_end') return [event];
    if (event.reason.kind === 'error') failed = event.reason;
    return [{ ...event, reason: failed ?? event.reason }];
  });
}

/** Keeps an interrupt that comes while no turn runs, for the next turn. */
function keepsInterrupts(): EngineFault {
  let busy = false;
  let kept = false;
  return {
    input(input) {
      if (input.type === 'message' && input.message.type === 'user_prompt') busy = true;
      if (input.type === 'message' && input.message.type === 'interrupt') kept ||= !busy;
      return [input];
    },
    output(output) {
      if (output.type !== 'send') return [output];
      const { message } = output;
      if (kept && message.type === 'footer') return [];
      if (message.type !== 'turn_end') return [output];
      busy = false;
      if (!kept) return [output];
      kept = false;
      return [{ ...output, message: { ...message, reason: { kind: 'cancelled' } } }];
    },
  };
}

/** Drops prompts, or takes them in another order. */
const queues = (
  take: (waiting: EngineCommand[], atInterrupt: boolean) => EngineCommand | undefined,
): (() => EngineFault) => {
  return () => {
    let busy = false;
    let waiting: EngineCommand[] = [];
    return {
      input(input) {
        if (input.type !== 'message') return [input];
        if (input.message.type === 'interrupt' && take(waiting, true) === undefined) waiting = [];
        if (input.message.type !== 'user_prompt') return [input];
        if (!busy) {
          busy = true;
          return [input];
        }
        waiting.push(input.message);
        return [];
      },
      output(output, context) {
        if (output.type === 'send' && output.message.type === 'turn_end') {
          const next = take(waiting, false);
          busy = next !== undefined;
          if (next !== undefined) {
            waiting = waiting.filter((one) => one !== next);
            context.tell(next);
          }
        }
        return [output];
      },
    };
  };
};

/** The mutants of this theme. */
export const turnFaults: EngineFaults = {
  'other-turn-id': () =>
    editEvent('turn_end', (event) => [{ ...event, turn_id: `${event.turn_id.slice(0, -4)}0000` }]),
  'never-ends': () => editEvent('turn_end', (event) => (event.reason.kind === 'complete' ? [] : [event])),
  'text-after-end': () => editEvent('turn_end', (event) => [event, { type: 'text_delta', text: 'late' }]),
  'counted-turn-ids': renames((n) => `turn-${n}`),
  'one-turn-id': renames(() => '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'),
  overlaps: overlaps,
  'failed-as-complete': () =>
    editEvent('turn_end', (event) => [
      event.reason.kind === 'error' ? { ...event, reason: { kind: 'complete' } } : event,
    ]),
  'fails-on': failsOn,
  'keeps-interrupts': keepsInterrupts,
  'complete-as-cancelled': cancelsAll,
  'cancelled-as-complete': completesAll,
  'error-ends-turn': cutsAfter(isSimpleError, (turn_id) => [
    { type: 'turn_end', turn_id, reason: { kind: 'error', message: 'a plugin failed' } },
  ]),
  'error-is-the-last': cutsAfter(isSimpleError, () => []),
  'no-context-usage': () => dropEvents('context_usage'),
  'silent-compaction': () => editEvent('context_usage', (event) => (event.used === 17 ? [] : [event])),
  'keeps-one': queues((waiting, atInterrupt) => (atInterrupt ? waiting[0] : waiting.splice(0)[0])),
  'last-in-first-out': queues((waiting) => waiting.at(-1)),
  'runs-twice': runsTwice,
  'interrupt-empties-queue': queues((waiting, atInterrupt) => (atInterrupt ? undefined : waiting[0])),
  'interrupt-lasts': cancelsNext,
};
