/**
 * Tells conversations apart by their history: the first user message, and the answers that the streamer itself gave.
 * Equal conversations at once each get the turns of the script in order. Pure: no value is ever changed.
 */
import type { Conversations } from '../script/script.ts';
import type { GeneratedBlock, LlmMessage, LlmRequest } from '../messages.ts';

/** One conversation that the streamer knows. */
export interface ConversationState {
  /** Hash of the user's messages before the first answer. */
  readonly opening: number;
  /** Hashes of the answers so far. */
  readonly answers: readonly number[];
  /** Whether the last answer arrived whole, as far as the script and the transport say. */
  readonly whole: boolean;
  /** Whether the last answer asks for the results of tools. */
  readonly callsTools: boolean;
  /** Number of the latest request, from 1. */
  readonly latest: number;
  /** How many requests of this conversation each turn has answered; absent: counted with the whole script. */
  readonly used?: readonly number[];
}

/** The position of a player in its script. */
export interface PlayerState {
  /** Requests answered so far. */
  readonly requests: number;
  /** How many requests each turn has answered, without those of conversations that have their own count. */
  readonly used: readonly number[];
  /** The latest conversations; absent: none yet. */
  readonly conversations?: readonly ConversationState[];
}

/** The history of a request, as hashes. */
export interface History {
  readonly opening: number;
  readonly answers: readonly number[];
}

/** Most conversations that are kept apart; the oldest are forgotten. */
export const mostConversations = 1000;

/**
 * The history of a request. An answer counts by the names of its calls, or by its text where it has no call: clients
 * keep these, and not always the ids and the text next to the calls.
 */
export function historyOf({ messages }: LlmRequest): History {
  const answers: number[] = [];
  let opening = 0;
  let run: LlmMessage[] = [];
  const close = (): void => {
    if (run.length > 0) answers.push(hashOfAnswer(textOf(run), namesOf(run)));
    run = [];
  };
  for (const message of messages) {
    if (message.role === 'assistant') run.push(message);
    else {
      close();
      if (answers.length === 0 && message.role === 'user') opening = hash(message.content, opening);
    }
  }
  close();
  return { opening, answers };
}

const textOf = (run: readonly LlmMessage[]): string => run.map(({ content }) => content).join('');
const namesOf = (run: readonly LlmMessage[]): readonly string[] =>
  run.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name));

/** The hash of an answer that was generated, as {@link historyOf} finds it in the next request. */
export function hashOfBlocks(blocks: readonly GeneratedBlock[]): number {
  return hashOfAnswer(
    blocks.map((block) => (block.kind === 'text' ? block.text : '')).join(''),
    blocks.flatMap((block) => (block.kind === 'tool_call' && block.complete ? [block.name] : [])),
  );
}

const hashOfAnswer = (text: string, names: readonly string[]): number =>
  names.length === 0 ? hash(text.trim(), 1) : hash(names.join('\n'), 2);

/** A 53-bit hash (cyrb53). */
export function hash(text: string, seed: number): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** The conversation of a request: a known one by its position, or a new one; `own`: with turns of its own. */
export type Found = { readonly at: number } | { readonly own: boolean };

/**
 * Finds the conversation of a request. `isOpen` says whether the answer to the request of this number is still being
 * sent.
 */
export function findConversation(
  known: readonly ConversationState[],
  mode: Conversations,
  history: History,
  isOpen: (request: number) => boolean,
): Found {
  if (mode === 'one') return { own: false };
  const found = history.answers.length === 0 ? beginning(known, history, isOpen) : going(known, history);
  return found ?? { own: mode === 'each' || startsAgain(known, history, isOpen) };
}

/** A request without answers in its history that repeats one which failed. */
function beginning(
  known: readonly ConversationState[],
  { opening }: History,
  isOpen: (request: number) => boolean,
): Found | undefined {
  const at = known.findIndex(
    (one) => one.opening === opening && !one.whole && one.answers.length <= 1 && !isOpen(one.latest),
  );
  return at < 0 ? undefined : { at };
}

/** The conversation that a request with answers in its history continues. Conversations in the same place are alike. */
function going(known: readonly ConversationState[], history: History): Found | undefined {
  const { opening, answers } = history;
  const ranks: readonly ((one: ConversationState) => boolean)[] = [
    (one) => one.opening === opening && one.whole && isPrefix(answers, one.answers, 0),
    // The last answer broke off: it may be in the history or not.
    (one) => one.opening === opening && !one.whole && isPrefix(answers, one.answers, 1),
    // It asks again, after an answer that it has seen.
    (one) => one.opening === opening && isPrefix(answers, one.answers, Infinity),
    // The beginning was dropped or rewritten: the last answer must be enough.
    (one) => one.answers.length > 0 && one.answers.at(-1) === answers.at(-1),
  ];
  for (const rank of ranks) {
    const at = known.findIndex(rank);
    if (at >= 0) return { at };
  }
  return undefined;
}

/** Whether `said` begins with `answers`, and has at most `more` others after it. */
const isPrefix = (answers: readonly number[], said: readonly number[], more: number): boolean =>
  said.length >= answers.length &&
  said.length - answers.length <= more &&
  answers.every((one, i) => one === said[i]);

/**
 * Whether a request begins a conversation that is known already, although the known one did not end: its answer wants
 * the results of tools, it is still being sent, or the conversation has gone on. Otherwise requests are taken in the
 * order in which they come.
 */
const startsAgain = (
  known: readonly ConversationState[],
  { opening, answers }: History,
  isOpen: (request: number) => boolean,
): boolean =>
  answers.length === 0 &&
  known.some(
    (one) => one.opening === opening && (one.callsTools || isOpen(one.latest) || one.answers.length > 1),
  );
