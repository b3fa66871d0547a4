/** The place of a request in a script: its conversation, and the counts of the turns there. */
import { findConversation, hashOfBlocks, historyOf, mostConversations } from './conversations.ts';
import type { ConversationState, History, PlayerState } from './conversations.ts';
import type { Conversations } from '../script/script.ts';
import type { Generation, LlmRequest } from '../messages.ts';

/** The place of a request. */
export interface Place {
  /** How many requests each turn has answered there. */
  readonly used: readonly number[];
  /** Whether its conversation has its own count. */
  readonly own: boolean;
  /** The position among the known conversations; absent: a new one. */
  readonly at?: number;
  /** Absent where conversations are not told apart. */
  readonly history?: History;
}

/** Finds the place of a request. `isOpen`: see {@link findConversation}. */
export function placeOf(
  state: PlayerState,
  mode: Conversations,
  request: LlmRequest,
  isOpen: (request: number) => boolean,
): Place {
  if (mode === 'one') return { used: state.used, own: false };
  const { conversations = [] } = state;
  const history = historyOf(request);
  const found = findConversation(conversations, mode, history, isOpen);
  if ('own' in found)
    return { used: found.own ? state.used.map(() => 0) : state.used, own: found.own, history };
  const own = conversations[found.at]?.used;
  return { used: own ?? state.used, own: own !== undefined, at: found.at, history };
}

/** The state after an answer; without a generation it is an error. */
export function withAnswer(
  state: PlayerState,
  { own, at, history }: Place,
  used: readonly number[],
  generation: Generation | undefined,
): PlayerState {
  const next = { ...state, requests: state.requests + 1, ...(own ? {} : { used }) };
  if (history === undefined) return next;
  const known = state.conversations ?? [];
  const more: ConversationState = {
    opening: (at === undefined ? undefined : known[at]?.opening) ?? history.opening,
    ...outcomeOf(generation, history),
    latest: next.requests,
    ...(own ? { used } : {}),
  };
  const first = known.length < mostConversations ? 0 : 1;
  return { ...next, conversations: at === undefined ? [...known.slice(first), more] : known.with(at, more) };
}

function outcomeOf(
  generation: Generation | undefined,
  { answers }: History,
): Pick<ConversationState, 'answers' | 'whole' | 'callsTools'> {
  if (generation === undefined) return { answers, whole: false, callsTools: false };
  const { stop, signal, transport, error } = generation.end;
  const whole = signal !== 'missing' && transport === 'clean' && error === undefined && stop !== 'max_tokens';
  return {
    answers: [...answers, hashOfBlocks(generation.blocks)],
    whole,
    callsTools: whole && stop === 'tool_use',
  };
}
