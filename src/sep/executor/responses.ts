/** Responses: their text waits for the sync actions before it, and for the outputs that it names (SEP-28, SEP-54). */
import { valueIn } from './blocks/round.ts';
import type { Round } from './blocks/round.ts';
import type { SepEvent } from '../parser/events.ts';
import { fillResponse } from './fill.ts';
import { producerOf } from './lookup.ts';
import { isSettled, show } from './state.ts';
import type { HeldPiece } from './entry.ts';
import type { ExecutorState, ExecutorStep } from './state.ts';
import { cutReference, referencesIn } from '../values/variables.ts';

/** Takes a piece of a response, or its end. */
export function hold(
  { state, options }: ExecutorStep,
  event: Extract<SepEvent, { type: 'response' | 'response_end' }>,
  round?: Round,
): void {
  const behind = state.queue.length;
  if (options.advice === true) state.responsesAt.add(behind);
  const { final } = event;
  const text = event.type === 'response' ? event.text : '';
  state.held.push({ behind, end: event.type === 'response_end' ? event : undefined, final, round, text });
}

/** Shows the pieces of responses that need to wait no more. */
export function release(step: ExecutorStep): void {
  const { state } = step;
  for (let piece = state.held[state.nextHeld]; piece !== undefined; piece = state.held[state.nextHeld]) {
    if (piece.behind > cleared(state)) return;
    const text = state.openText + piece.text;
    const [certain, open] = piece.end === undefined ? cutReference(text) : [text, ''];
    const shown = showable(state, certain, piece.round);
    showText(step, certain.slice(0, shown), piece);
    if (shown < certain.length) {
      state.openText = '';
      piece.text = certain.slice(shown) + open;
      return;
    }
    state.openText = open;
    if (piece.end !== undefined) {
      show(step, piece.end);
      state.putInResponse = 0;
    }
    state.nextHeld++;
  }
  state.held.length = 0;
  state.nextHeld = 0;
}

/** How many actions are admitted, without a sync one that has not ended. */
const cleared = ({ next, blocker }: ExecutorState): number => (blocker === undefined ? next : next - 1);

/** How much of a text can be shown: all before the first name whose producer has no outcome. */
function showable(state: ExecutorState, text: string, round: Round | undefined): number {
  for (const { name, at } of referencesIn(text)) {
    const producer = valueIn(round, name) === undefined ? producerOf(state, name) : undefined;
    if (producer !== undefined && !isSettled(producer)) return at;
  }
  return text.length;
}

function showText(step: ExecutorStep, written: string, { final, round }: HeldPiece): void {
  if (written === '') return;
  show(step, { type: 'response', text: fillResponse(step, written, round), final });
}
