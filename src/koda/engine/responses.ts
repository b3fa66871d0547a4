/** The responses of the reference engine: each begins with its context, streams a thought and an answer, and ends. */
import { nextStep } from './state.ts';
import type { EngineStep, Turn } from './state.ts';

/** Begins a response: its messages are assembled, and the model is asked (KODA-28). */
export function beginResponse(step: EngineStep, turn: Turn): void {
  finishResponse(step, turn);
  sendContext(step);
  step.send({ type: 'spinner_start', message: 'Thinking' });
  turn.spinning = true;
  turn.response.stage = 'begun';
  turn.response.hasCall = false;
}

/** Ends a response that has no text yet: text_done comes all the same (KODA-34). */
export function finishResponse(step: EngineStep, turn: Turn): void {
  const { stage } = turn.response;
  if (stage !== 'begun' && stage !== 'thought') return;
  stopSpinner(step, turn);
  endText(step, turn);
}

/** The text of the response is complete. */
function endText(step: EngineStep, { response }: Turn): void {
  step.send({ type: 'text_done' });
  response.textOpen = false;
  response.stage = 'done';
}

/** Says how much of the context window is used. */
export function sendContext(step: EngineStep): void {
  const { used, options } = step.work;
  step.send({ type: 'context_usage', used, max: options.contextMax });
}

/** The first output of a response stops its spinner. */
export function stopSpinner(step: EngineStep, turn: Turn): void {
  if (turn.spinning) step.send({ type: 'spinner_stop' });
  turn.spinning = false;
}

/** Thinks the next text of a `think`. */
export function think(step: EngineStep, turn: Turn, thought: string | readonly string[]): void {
  if (turn.part === 'enter') {
    if (turn.response.stage !== 'begun') beginResponse(step, turn);
    stopSpinner(step, turn);
    step.send({ type: 'thinking_start' });
    turn.response.stage = 'thought';
    turn.part = 'body';
  }
  const text = textsOf(thought)[turn.cursor++];
  if (text !== undefined) return step.send({ type: 'thinking_delta', text });
  if (!staysOpen(turn)) step.send({ type: 'thinking_done' });
  nextStep(turn);
}

/** Says the next text of a `say`. */
export function say(step: EngineStep, turn: Turn, answer: string | readonly string[]): void {
  const { response } = turn;
  if (turn.part === 'enter') {
    if (response.stage !== 'begun' && response.stage !== 'thought') beginResponse(step, turn);
    stopSpinner(step, turn);
    response.marked = false;
    turn.part = 'body';
  }
  const text = textsOf(answer)[turn.cursor++];
  if (text !== undefined) return sayText(step, turn, text);
  if (staysOpen(turn)) response.stage = 'done';
  else endText(step, turn);
  nextStep(turn);
}

function sayText(step: EngineStep, turn: Turn, text: string): void {
  const { response } = turn;
  // Before the first text that is not blank (KODA-33).
  if (!response.marked && !isBlank(text)) {
    step.send({ type: 'response_start' });
    response.marked = true;
  }
  response.textOpen = true;
  turn.chars += charactersIn(text);
  step.send({ type: 'text_delta', text });
}

/** Whether a text has only white space, as Rust's `trim` and Unicode define it. */
export const isBlank = (text: string): boolean => /^\p{White_Space}*$/u.test(text);

const textsOf = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

/** Whether the next step is a `cancel_point`: a thought or an answer just before it stays open. */
function staysOpen({ steps, at }: Turn): boolean {
  const next = steps[at + 1];
  return next !== undefined && 'cancel_point' in next;
}

/** The number of Unicode characters of a text. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
