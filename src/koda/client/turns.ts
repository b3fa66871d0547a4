/** The turns of an engine as the reference client follows them, also where events were lost (KODA-61). */
import { entryOf } from '../../kit/base/index.ts';
import type { EngineEvent } from '../messages.ts';
import { takeRequest } from './requests.ts';
import type { ClientStep, ClientWork } from './state.ts';

/** The events that may come outside of turns: they show no turn (spec/koda/README.md, "A turn"). */
const anyTime: { readonly [T in EngineEvent['type']]?: true } = {
  info: true,
  warn: true,
  error: true,
  status_update: true,
  context_usage: true,
  spinner_start: true,
  spinner_stop: true,
};

export function take(step: ClientStep, event: EngineEvent): void {
  const { work } = step;
  if (work.quit) return;
  if (event.type === 'turn_end') return endTurn(step, event);
  // The turn_end of the turn before was lost.
  if (event.type === 'turn_start') startTurn(step);
  // The turn_start of this turn was lost.
  if (entryOf(anyTime, event.type) === undefined) work.locked = true;
  if (!work.locked) return;
  work.events++;
  if (work.events === work.options.interruptAfter) return interrupt(step);
  if (event.type === 'error') step.tell('error', event.message);
  if (
    event.type === 'approval_request' ||
    event.type === 'ask_user_request' ||
    event.type === 'loop_cap_reached'
  )
    takeRequest(step, event);
}

/** Interrupts the running turn. */
export function interrupt(step: ClientStep): void {
  step.send({ type: 'interrupt' });
}

function startTurn({ work }: ClientStep): void {
  work.locked = true;
  forget(work);
}

/** The requests of a turn end with it: no answer is sent later (KODA-58). */
function forget(work: ClientWork): void {
  work.events = 0;
  work.open.length = 0;
  work.asked.clear();
}

/** The turn has ended: the next prompt is sent (KODA-62). */
function endTurn(step: ClientStep, { reason }: Extract<EngineEvent, { type: 'turn_end' }>): void {
  const { work } = step;
  forget(work);
  const wasLocked = work.locked;
  work.locked = false;
  step.tell('turn', reason.kind === 'error' ? `error: ${reason.message}` : reason.kind);
  // A turn_end without a turn ends nothing.
  if (!wasLocked) return;
  work.ended = true;
  prompt(step);
}

/** Sends the next prompt, unless a turn runs, or the engine does not read. After the last turn the commands follow. */
export function prompt(step: ClientStep): void {
  const { work, link } = step;
  if (work.locked || work.quit || link.full) return;
  const next = work.queue.shift();
  if (next === undefined) return finish(step);
  work.locked = true;
  step.send(next);
}

/** Sends the commands that follow the last turn. */
function finish(step: ClientStep): void {
  const { ended, commands, options } = step.work;
  if (!ended) return;
  for (const command of commands.splice(0)) step.send(command);
  if (options.quitAfterLast) quit(step);
}

/** Ends the session. The engine closes the link. */
export function quit(step: ClientStep): void {
  if (step.work.quit) return;
  step.work.quit = true;
  step.send({ type: 'quit' });
  step.halfClose();
}
