/** The turns of the reference engine: prompts become turns, one after the other, and each step of a turn sends or waits. */
import { brief, unsupportedText } from '../../kit/base/index.ts';
import { parseDirective } from '../directive.ts';
import type { Step } from '../directive.ts';
import type { TurnEndReason } from '../messages.ts';
import { freshId } from './ids.ts';
import { recentNames } from './loop-guard.ts';
import { beginResponse, finishResponse, say, sendContext, stopSpinner, think } from './responses.ts';
import { addTokens, nextStep, startTurn } from './state.ts';
import type { EngineStep, QueuedPrompt, Turn } from './state.ts';
import { runParallel, runTool } from './tools.ts';

/** The acts of the engine in one step of the role, before the host can do other work. An act sends a few events. */
const actsPerStep = 32;

/** The cap of the first `loop_cap` of a turn. */
const firstCap = 200;

/** The largest cap that an event can hold. */
const maxCap = 2 ** 32 - 1;

/** Goes on with the running turn, and then with the prompts that wait, until a turn waits or the carrier is full. */
export function proceed(step: EngineStep): void {
  const { work, link } = step;
  for (let acts = 0; !step.closed && !link.full && !link.timers.has('go'); acts++) {
    work.turn ??= nextTurn(step);
    const { turn } = work;
    if (turn === undefined) break;
    if (acts >= actsPerStep) return step.startTimer('go', 0);
    if (turn.ending !== undefined) endTurn(step, turn, turn.ending);
    else if (turn.wait.on === 'nothing') act(step, turn);
    else if (link.halfClosed && turn.wait.on !== 'time') cancel(step, turn);
    else return;
  }
  if (link.halfClosed && work.turn === undefined && work.queue.length === 0) step.close(0, 'done');
}

/** Ends the running turn as cancelled (KODA-48, 49). The prompts that wait are run after it (KODA-77). */
export function interrupt(step: EngineStep): void {
  if (step.work.turn !== undefined) cancel(step, step.work.turn);
}

function cancel(step: EngineStep, turn: Turn): void {
  step.stopTimers(['time']);
  turn.wait = { on: 'nothing' };
  // A turn that has failed, or is complete, stays so (KODA-26).
  turn.ending ??= { kind: 'cancelled' };
}

function nextTurn(step: EngineStep): Turn | undefined {
  const { work, now } = step;
  const prompt = work.queue.shift();
  if (prompt === undefined) return undefined;
  work.queuedUnits -= prompt.text.length;
  const directive = parseDirective(prompt.text);
  const steps = directive.ok ? (directive.value ?? echo(prompt)) : [];
  const turn = startTurn(freshId(step), steps, now);
  if (!directive.ok) turn.ending = { kind: 'error', message: unsupportedText(brief(directive.error)) };
  step.send({ type: 'turn_start', turn_id: turn.id });
  return turn;
}

/** The steps for a prompt that is no directive: there is no model here to answer it. */
function echo({ text, images }: QueuedPrompt): readonly Step[] {
  const counted = images === 0 ? '' : ` (${images} ${images === 1 ? 'image' : 'images'})`;
  return [{ say: `You said: ${brief(text)}${counted}` }];
}

/** Does the next part of the turn. */
function act(step: EngineStep, turn: Turn): void {
  const todo = turn.steps[turn.at];
  if (todo === undefined) conclude(step, turn);
  else if ('think' in todo) think(step, turn, todo.think);
  else if ('say' in todo) say(step, turn, todo.say);
  else if ('tool' in todo) runTool(step, turn, todo.tool);
  else if ('parallel' in todo) runParallel(step, turn, todo.parallel);
  else if ('loop_cap' in todo) reachCap(step, turn, todo.loop_cap.cap);
  else if ('wait_ms' in todo) pass(step, turn, todo.wait_ms);
  else if ('cancel_point' in todo) turn.wait = { on: 'interrupt' };
  else report(step, turn, todo);
}

/** Does a step that sends one event at most. */
function report(
  step: EngineStep,
  turn: Turn,
  todo: Extract<Step, { usage: unknown } | { compact: unknown } | { error: unknown }>,
): void {
  if ('usage' in todo) addTokens(turn.tokens, todo.usage);
  else if ('compact' in todo) {
    step.work.used = todo.compact.used;
    sendContext(step);
  } else {
    const { message, fatal } = todo.error;
    step.send({ type: 'error', message });
    if (fatal === true) turn.ending = { kind: 'error', message };
  }
  nextStep(turn);
}

function pass(step: EngineStep, turn: Turn, ms: number): void {
  turn.wait = { on: 'time' };
  step.startTimer('time', Math.ceil(ms));
  nextStep(turn);
}

/** Pauses at the cap (KODA-44). After the decision the next response begins. */
function reachCap(step: EngineStep, turn: Turn, cap: number = firstCap): void {
  if (turn.part === 'enter') {
    finishResponse(step, turn);
    turn.cap ??= cap;
    step.send({ type: 'loop_cap_reached', cap: turn.cap, recent_tools: recentNames(turn) });
    turn.wait = { on: 'cap' };
    turn.part = 'body';
    return;
  }
  beginResponse(step, turn);
  nextStep(turn);
}

/** The user has decided about the cap (KODA-45, 74). */
export function continued(turn: Turn, added: number): void {
  turn.wait = { on: 'nothing' };
  turn.cap = Math.min(maxCap, (turn.cap ?? firstCap) + added);
  if (added === 0) turn.ending = { kind: 'complete' };
}

/** Completes the turn. Where the last response had calls, one more response follows. */
function conclude(step: EngineStep, turn: Turn): void {
  const { response, tokens, chars, startedAt } = turn;
  if (response.hasCall || response.stage === 'none') beginResponse(step, turn);
  finishResponse(step, turn);
  const elapsed = Math.max(0, Math.round(step.now - startedAt));
  const { used, options } = step.work;
  step.send({
    type: 'footer',
    ...tokens,
    total_chars: chars,
    elapsed_ms: elapsed,
    rate: chars / Math.max(elapsed / 1000, 0.001),
    context: `${used}/${options.contextMax}`,
  });
  turn.ending = { kind: 'complete' };
}

/** Sends the turn_end. A text that is open ends first (KODA-34); a thought stays open (KODA-32). */
export function endTurn(step: EngineStep, turn: Turn, reason: TurnEndReason): void {
  stopSpinner(step, turn);
  if (turn.response.textOpen) step.send({ type: 'text_done' });
  step.send({ type: 'turn_end', turn_id: turn.id, reason });
  addTokens(step.work.tokens, turn.tokens);
  step.work.turn = undefined;
}
