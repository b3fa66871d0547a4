/** Engines that begin, fill or end their turns wrongly. */
import { allFaults, holdUntil, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { drops } from './mutant.ts';
import type { EventOf, EngineFaults } from './mutant.ts';

/** Replaces the id of each turn, in its turn_start and its turn_end. */
const renames = (nameOf: (n: number) => string) => (): EngineFault => {
  let n = 0;
  return onSend(['turn_start', 'turn_end'], (event) => [
    { ...event, turn_id: nameOf(event.type === 'turn_start' ? ++n : n) },
  ]);
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
    return onSend((event) => {
      if (event.type === 'turn_start') [id, cut] = [event.turn_id, false];
      if (cut) return [];
      cut = isCut(event);
      return cut ? [event, ...ends(id)] : undefined;
    });
  };

const isSimpleError = (event: EngineEvent): boolean =>
  event.type === 'error' && event.message === 'a plugin failed';

/** Sends the turn_end of a turn after the turn_start of the next one. */
function overlaps(): EngineFault {
  let prompts = 0;
  return allFaults(
    onReceive('user_prompt', () => void prompts++),
    onSend(
      holdUntil(
        ({ type }) => type === 'turn_end' && --prompts > 0,
        (event, held) => (event.type === 'turn_start' ? [event, ...held] : undefined),
      ),
    ),
  );
}

/** Ends as cancelled each turn that has a footer, and drops the footer. */
function cancelsAll(): EngineFault {
  let dropped = false;
  return onSend(['footer', 'turn_end'], (event) => {
    const cancels = dropped && event.type === 'turn_end';
    dropped = event.type === 'footer';
    if (dropped) return [];
    return cancels ? [{ ...event, reason: { kind: 'cancelled' } }] : undefined;
  });
}

/** Ends as complete each turn that was cancelled while it worked. */
function completesAll(): EngineFault {
  let paused = false;
  return onSend((event) => {
    if (event.type.endsWith('_request') || event.type === 'loop_cap_reached') paused = true;
    if (event.type === 'turn_start') paused = false;
    return event.type === 'turn_end' && event.reason.kind === 'cancelled' && !paused
      ? [{ ...event, reason: { kind: 'complete' } }]
      : undefined;
  });
}

/** Runs each prompt that comes while a turn runs twice. */
function runsTwice(): EngineFault {
  let turns = 0;
  return allFaults(
    // A second wait for an interrupt would never end.
    onReceive('user_prompt', (prompt) =>
      turns === 0 || prompt.text.includes('cancel_point') ? undefined : [prompt, prompt],
    ),
    onSend(['turn_start', 'turn_end'], ({ type }) => void (turns += type === 'turn_start' ? 1 : -1)),
  );
}

/** Cancels the turn that follows a cancelled one. */
function cancelsNext(): EngineFault {
  let cancelled = false;
  let id = '';
  return onSend((event) => {
    if (event.type === 'turn_start' && cancelled) {
      id = event.turn_id;
      return [event, { type: 'turn_end', turn_id: id, reason: { kind: 'cancelled' } }];
    }
    const dropped = id !== '';
    if (event.type === 'turn_end') {
      id = '';
      cancelled = !dropped && event.reason.kind === 'cancelled';
    }
    return dropped ? [] : undefined;
  });
}

/** Ends as an error, without a footer, each turn after a failed one. */
function failsOn(): EngineFault {
  let failed: EventOf<'turn_end'>['reason'] | undefined;
  return onSend(['footer', 'turn_end'], (event) => {
    if (event.type === 'footer') return failed && [];
    if (event.reason.kind === 'error') failed = event.reason;
    return failed && [{ ...event, reason: failed }];
  });
}

/** Keeps an interrupt that comes while no turn runs, for the next turn. */
function keepsInterrupts(): EngineFault {
  let busy = false;
  let kept = false;
  return allFaults(
    onReceive(({ type }) => {
      if (type === 'user_prompt') busy = true;
      if (type === 'interrupt') kept ||= !busy;
    }),
    onSend(['footer', 'turn_end'], (event) => {
      const cancels = kept;
      if (event.type === 'footer') return cancels ? [] : undefined;
      busy = kept = false;
      return cancels ? [{ ...event, reason: { kind: 'cancelled' } }] : undefined;
    }),
  );
}

/** Drops prompts, or takes them in another order. */
const queues =
  (take: (waiting: EngineCommand[], atInterrupt: boolean) => EngineCommand | undefined) =>
  (): EngineFault => {
    let busy = false;
    let waiting: EngineCommand[] = [];
    return allFaults(
      onReceive(['interrupt', 'user_prompt'], (command) => {
        if (command.type === 'interrupt') {
          if (take(waiting, true) === undefined) waiting = [];
          return;
        }
        if (busy) waiting.push(command);
        const isFirst = !busy;
        busy = true;
        return isFirst ? undefined : [];
      }),
      onSend('turn_end', (_, context) => {
        const next = take(waiting, false);
        busy = next !== undefined;
        waiting = waiting.filter((one) => one !== next);
        if (next !== undefined) context.tell(next);
      }),
    );
  };

export const turnFaults: EngineFaults = {
  'other-turn-id': () =>
    onSend('turn_end', (event) => [{ ...event, turn_id: `${event.turn_id.slice(0, -4)}0000` }]),
  'never-ends': () => onSend('turn_end', ({ reason }) => (reason.kind === 'complete' ? [] : undefined)),
  'text-after-end': () => onSend('turn_end', (event) => [event, { type: 'text_delta', text: 'late' }]),
  'counted-turn-ids': renames((n) => `turn-${n}`),
  'one-turn-id': renames(() => '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'),
  overlaps,
  'failed-as-complete': () =>
    onSend('turn_end', (event) =>
      event.reason.kind === 'error' ? [{ ...event, reason: { kind: 'complete' } }] : undefined,
    ),
  'fails-on': failsOn,
  'keeps-interrupts': keepsInterrupts,
  'complete-as-cancelled': cancelsAll,
  'cancelled-as-complete': completesAll,
  'error-ends-turn': cutsAfter(isSimpleError, (turn_id) => [
    { type: 'turn_end', turn_id, reason: { kind: 'error', message: 'a plugin failed' } },
  ]),
  'error-is-the-last': cutsAfter(isSimpleError, () => []),
  'no-context-usage': () => drops('context_usage'),
  'silent-compaction': () => onSend('context_usage', ({ used }) => (used === 17 ? [] : undefined)),
  'keeps-one': queues((waiting, atInterrupt) => (atInterrupt ? waiting[0] : waiting.splice(0)[0])),
  'last-in-first-out': queues((waiting) => waiting.at(-1)),
  'runs-twice': runsTwice,
  'interrupt-empties-queue': queues((waiting, atInterrupt) => (atInterrupt ? undefined : waiting[0])),
  'interrupt-lasts': cancelsNext,
};
