/** The commands that the reference engine obeys. */
import { brief } from '../../kit/base/index.ts';
import type { EngineCommand, EngineEvent, LoopContinuation, SlashCommand } from '../messages.ts';
import { sendContext } from './responses.ts';
import type { EngineStep } from './state.ts';
import { sendStatus } from './status.ts';
import { answered, decided } from './tools.ts';
import { continued, endTurn, interrupt } from './turn.ts';

/** The most prompts that wait. */
export const maxQueued = 1024;

/** The most UTF-16 units of the prompts that wait. */
export const maxQueuedUnits: number = 16 << 20;

/** The number of iterations that a decision adds to the cap (KODA-74). */
const addedBy: { readonly [A in LoopContinuation]: number } = { stop: 0, continue50: 50, continue200: 200 };

/** Obeys a command of the client. An answer without its question has no effect (KODA-40, 47). */
export function obey(step: EngineStep, command: EngineCommand): void {
  const { turn } = step.work;
  const wait = turn?.wait;
  switch (command.type) {
    case 'user_prompt':
      return enqueue(step, command.text, command.images.length);
    case 'slash_command':
      return slash(step, command);
    case 'interrupt':
      return interrupt(step);
    case 'quit':
      return quit(step);
    case 'approval_response':
      if (turn === undefined || wait?.on !== 'approval' || wait.id !== command.id) break;
      return decided(step, turn, command.decision);
    case 'ask_user_response':
      if (turn === undefined || wait?.on !== 'ask' || wait.id !== command.id) break;
      return answered(turn, command.answer);
    case 'loop_decision':
      if (turn === undefined || wait?.on !== 'cap') break;
      return continued(turn, addedBy[command.action]);
    default:
      return command satisfies never;
  }
  step.tell('ignored', `${command.type} answers nothing`);
}

/** Ends the session: the running turn is cancelled, and the prompts that wait are dropped. */
export function quit(step: EngineStep): void {
  const { turn } = step.work;
  if (turn !== undefined) endTurn(step, turn, turn.ending ?? { kind: 'cancelled' });
  step.close(0, 'quit');
}

/** A prompt waits for its turn (KODA-76). */
function enqueue(step: EngineStep, text: string, images: number): void {
  const { work } = step;
  if (work.queue.length >= maxQueued || work.queuedUnits + text.length > maxQueuedUnits)
    return inform(step, { type: 'warn', message: 'A prompt was dropped: too many prompts wait.' });
  work.queue.push({ text, images });
  work.queuedUnits += text.length;
}

/** Sends an event that no turn needs; not while the carrier is full, because then the client does not read. */
function inform(step: EngineStep, event: EngineEvent & { readonly message: string }): void {
  if (step.link.full) step.tell('withheld', event.message);
  else step.send(event);
}

function slash(step: EngineStep, command: SlashCommand): void {
  const { work } = step;
  switch (command.cmd) {
    case 'inject_prompt':
      return enqueue(step, command.text, 0);
    case 'compact':
      return compact(step);
    case 'switch_model':
      work.model = brief(command.model);
      return changed(step);
    case 'switch_provider':
      work.provider = brief(command.provider);
      return changed(step);
    case 'set_trust':
      work.approvalMode = brief(command.mode);
      return changed(step);
    default:
      return inform(step, { type: 'info', message: factOf(step, command) });
  }
}

/** The new status is sent; a client that does not read learns of it by the next one. */
function changed(step: EngineStep): void {
  if (!step.link.full) sendStatus(step);
}

/** Halves the context. A turn keeps its context to its end. */
function compact(step: EngineStep): void {
  const { work, link } = step;
  if (work.turn !== undefined)
    return inform(step, { type: 'info', message: 'Nothing was compacted: a turn runs.' });
  work.used = Math.ceil(work.used / 2);
  if (!link.full) sendContext(step);
}

/** The answer to a slash command that asks for a fact; that of `help` names all commands. */
function factOf({ work, peer }: EngineStep, command: SlashCommand): string {
  const { prompt_tokens: read, completion_tokens: written } = work.tokens;
  switch (command.cmd) {
    case 'list_sessions':
      return `Sessions: ${brief(peer)}`;
    case 'delete_session':
      return `There is no other session ${brief(command.id)}.`;
    case 'cost':
      return `Tokens of this session: ${read} read, ${written} written.`;
    case 'memory':
      return `Memory (${brief(command.action ?? 'show')}): it is empty.`;
    default:
      return `Commands: ${commandNames.join(', ')}`;
  }
}

const commandNames: readonly SlashCommand['cmd'][] = [
  'compact',
  'cost',
  'delete_session',
  'help',
  'inject_prompt',
  'list_sessions',
  'memory',
  'set_trust',
  'switch_model',
  'switch_provider',
];
