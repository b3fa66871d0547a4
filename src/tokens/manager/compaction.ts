/** Puts a summary in the place of what is old: what stays, and when to do it (TOK-31, TOK-33, TOK-34, TOK-46). */
import type { ProviderMessage } from '../../kit/base/index.ts';
import { UNKNOWN_WINDOW } from './budget.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { estimateTokens } from './estimate.ts';
import { MessageSummarizer, asSummary } from './message-summarizer.ts';
import { repair } from './repair.ts';
import { isBlank } from './text.ts';
import { eventsOf } from './thread.ts';
import type { ThreadEvent } from './thread.ts';
import { turnsOf } from './turns.ts';
import type { ConversationTurn } from './turns.ts';

/** Turns of the tail that compacting leaves as they are (TOK-31). */
export const TAIL_TURNS = 10;

/** Time between two compactions that the budget advises, in ms (TOK-33). */
export const COMPACTION_COOLDOWN = 60_000;

/** Events beside the user's that stay in what is compacted (TOK-34). */
const OTHERS_KEPT = 2;

/** Makes one message of many, or gives undefined or throws when it cannot. */
export type Summarize = (messages: readonly ProviderMessage[]) => ProviderMessage | undefined;

/** How to compact. */
export interface CompactionOptions {
  /** Turns at the end that stay as they are. Default: the tail by {@link tailTurns}. */
  readonly keepTurns?: number;
  /** The context window in tokens, for the tail. Default: 200000. */
  readonly window?: number;
  /** Default: the template of {@link MessageSummarizer}. */
  readonly summarize?: Summarize;
}

/** A conversation after compacting, and what stands for what is gone. */
export interface Compaction {
  readonly messages: readonly ProviderMessage[];
  /** `truncation`: the summarizer failed, and what was old is gone without a summary (TOK-46). */
  readonly by: 'summary' | 'truncation' | 'nothing';
}

/**
 * Tokens of the tail: max(0, min(300000, floor(window / 2) − 25000)) (TOK-31).
 *
 * @example
 * tailTokens(200_000); // 75000
 * tailTokens(8000); // 0
 */
export const tailTokens = (window: number = UNKNOWN_WINDOW): number =>
  Math.max(0, Math.min(300_000, Math.floor(window / 2) - 25_000));

/** How many turns the tail has: ten, or as many as its tokens allow; always the last (TOK-31). */
export function tailTurns(turns: readonly ConversationTurn[], window: number = UNKNOWN_WINDOW): number {
  const budget = tailTokens(window);
  let kept = 0;
  let tokens = 0;
  for (const turn of turns.slice(-TAIL_TURNS).toReversed()) {
    tokens += estimateTokens(turn);
    if (kept > 0 && tokens > budget) break;
    kept++;
  }
  return kept;
}

/**
 * Compacts what is before the tail: all user messages and the last two other events stay there, calls with their
 * results; one summary stands for the rest (TOK-34). With nothing to replace, the conversation comes back as it was.
 * What comes out is valid for every provider.
 */
export function compact(messages: readonly ProviderMessage[], options: CompactionOptions = {}): Compaction {
  const valid = repair(messages);
  const { system, turns } = turnsOf(valid);
  const tail = Math.min(turns.length, options.keepTurns ?? tailTurns(turns, options.window));
  const old = turns.slice(0, turns.length - tail).flat();
  const events = eventsOf(old);
  const replaced = replaceable(events);
  if (!events.some(({ type }, i) => replaced.has(i) && type !== 'SUMMARY'))
    return { messages: valid, by: 'nothing' };
  const summary = attempt(options.summarize ?? template, old);
  const last = [...replaced].at(-1);
  const left = events.flatMap((event, i): readonly ThreadEvent[] => {
    if (!replaced.has(i)) return [event];
    return i === last && summary !== undefined ? [summary] : [];
  });
  const rest = turns.slice(turns.length - tail).flat();
  const built = repair([...system, ...builder.buildConversation(left), ...rest]);
  return { messages: built, by: summary === undefined ? 'truncation' : 'summary' };
}

const builder = new ConversationBuilder();
const template: Summarize = (messages) => new MessageSummarizer().summarizeMessages(messages);

/** A summarizer may ask a model: whatever becomes of it, the conversation goes on (TOK-33, TOK-46). */
function attempt(summarize: Summarize, messages: readonly ProviderMessage[]): ThreadEvent | undefined {
  try {
    const content = summarize(messages)?.content ?? '';
    return isBlank(content) ? undefined : { type: 'SUMMARY', content: asSummary(content) };
  } catch {
    return undefined;
  }
}

/** The events that a summary replaces; a call stays when its result does, and a result when its call does. */
function replaceable(events: readonly ThreadEvent[]): ReadonlySet<number> {
  const others = events.flatMap(({ type }, i) => (type === 'USER_MESSAGE' ? [] : [i]));
  const made = others.filter((i) => events[i]?.type !== 'SUMMARY');
  const kept = new Set(made.slice(-OTHERS_KEPT));
  const ids = new Set<unknown>([...kept].flatMap((i) => idOf(events[i]) ?? []));
  for (const i of made) if (ids.has(idOf(events[i]))) kept.add(i);
  return new Set(others.filter((i) => !kept.has(i)));
}

const idOf = (event: ThreadEvent | undefined): string | undefined =>
  event?.type === 'TOOL_CALL' || event?.type === 'TOOL_RESULT' ? event.id : undefined;

/** Whether the budget's advice to prune is to be followed by compacting now: not within 60 s of the last (TOK-33). */
export const isCompactionDue = (advised: boolean, now: number, last: number | undefined): boolean =>
  advised && (last === undefined || now - last >= COMPACTION_COOLDOWN);
