/** Compaction replaces the old part of a conversation by a summary (TOK-31, TOK-33, TOK-34, TOK-46). */
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

/** The number of turns in the tail, which compaction does not change (TOK-31). */
export const TAIL_TURNS = 10;

/** The shortest time between two compactions that the budget advises, in ms (TOK-33). */
export const COMPACTION_COOLDOWN = 60_000;

/** The number of events before the tail that stay besides those of the user (TOK-34). */
const keptEvents = 2;

/** Makes one message of many. It returns undefined, or throws, when it cannot. */
export type Summarize = (messages: readonly ProviderMessage[]) => ProviderMessage | undefined;

/** How to compact. */
export interface CompactionOptions {
  /** The number of turns at the end that do not change. Default: {@link tailTurns}. */
  readonly keepTurns?: number | undefined;
  /** The context window in tokens, for the tail. Default: 200000. */
  readonly window?: number | undefined;
  /** Default: the template of {@link MessageSummarizer}. */
  readonly summarize?: Summarize | undefined;
}

/** The result of compaction. */
export interface Compaction {
  readonly messages: readonly ProviderMessage[];
  /** `truncation`: the summarizer failed, and the old part was dropped without a summary (TOK-46). */
  readonly by: 'summary' | 'truncation' | 'nothing';
}

/**
 * The tokens of the tail: max(0, min(300000, floor(window / 2) − 25000)) (TOK-31).
 *
 * @example
 * tailTokens(200_000); // 75000
 * tailTokens(8000); // 0
 */
export const tailTokens = (window: number = UNKNOWN_WINDOW): number =>
  Math.max(0, Math.min(300_000, Math.floor(window / 2) - 25_000));

/** The number of turns in the tail: ten, or fewer if its tokens allow only those; at least one (TOK-31). */
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
 * Compacts what is before the tail. All messages of the user stay, and so do the last two other events, a call always
 * with its result; a summary replaces the rest (TOK-34). A conversation without a rest is only repaired. The result is
 * valid for every provider.
 */
export function compact(messages: readonly ProviderMessage[], options: CompactionOptions = {}): Compaction {
  const valid = repair(messages);
  const { system, turns } = turnsOf(valid);
  const tail = Math.min(turns.length, options.keepTurns ?? tailTurns(turns, options.window));
  const tailStart = turns.length - tail;
  const old = turns.slice(0, tailStart).flat();
  const events = eventsOf(old);
  const replaced = replaceable(events);
  if (!events.some(({ type }, i) => replaced.has(i) && type !== 'SUMMARY'))
    return { messages: valid, by: 'nothing' };
  const summary = trySummary(options.summarize ?? template, old);
  const last = [...replaced].at(-1);
  const left = events.flatMap((event, i): readonly ThreadEvent[] => {
    if (!replaced.has(i)) return [event];
    return i === last && summary !== undefined ? [summary] : [];
  });
  const built = repair([...system, ...builder.buildConversation(left), ...turns.slice(tailStart).flat()]);
  return { messages: built, by: summary === undefined ? 'truncation' : 'summary' };
}

const builder = new ConversationBuilder();
const template: Summarize = (messages) => new MessageSummarizer().summarizeMessages(messages);

/** The summary, or undefined. A summarizer may fail, because it may call a model (TOK-33, TOK-46). */
function trySummary(summarize: Summarize, messages: readonly ProviderMessage[]): ThreadEvent | undefined {
  try {
    const content = summarize(messages)?.content ?? '';
    return isBlank(content) ? undefined : { type: 'SUMMARY', content: asSummary(content) };
  } catch {
    return undefined;
  }
}

/** The indices of the events that the summary replaces. A call and its result stay together. */
function replaceable(events: readonly ThreadEvent[]): ReadonlySet<number> {
  const others = events.flatMap(({ type }, i) => (type === 'USER_MESSAGE' ? [] : [i]));
  const original = others.filter((i) => events[i]?.type !== 'SUMMARY');
  const kept = new Set(original.slice(-keptEvents));
  const ids = new Set<unknown>([...kept].flatMap((i) => idOf(events[i]) ?? []));
  for (const i of original) if (ids.has(idOf(events[i]))) kept.add(i);
  return new Set(others.filter((i) => !kept.has(i)));
}

const idOf = (event: ThreadEvent | undefined): string | undefined =>
  event?.type === 'TOOL_CALL' || event?.type === 'TOOL_RESULT' ? event.id : undefined;

/** Whether to compact now, as the budget advises: not within 60 s of the last compaction (TOK-33). */
export const isCompactionDue = (advised: boolean, now: number, last: number | undefined): boolean =>
  advised && (last === undefined || now - last >= COMPACTION_COOLDOWN);
