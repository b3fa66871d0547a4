/** The histories of threads. Requests of one thread run one after another, so that each continues the one before. */
import type { ProviderMessage } from '../kit/base/index.ts';
import type { LlmMessage } from '../llm/index.ts';
import { repair } from '../tokens/index.ts';
import type { AgentOutputs, AgentRequest, ThreadHistory } from './state.ts';

/** The most threads whose history is kept; the one that was quiet longest is forgotten first. */
const mostThreads = 1024;

/** A history without messages. */
export const newHistory = (): ThreadHistory => ({
  messages: [],
  thoughts: new Map(),
  compactedAt: undefined,
});

/** The history of a thread. A request without a thread has one of its own. */
export function historyOf({ state: { threads } }: AgentOutputs, thread: string): ThreadHistory {
  const history = threads.get(thread) ?? newHistory();
  if (thread === '') return history;
  threads.delete(thread);
  threads.set(thread, history);
  if (threads.size > mostThreads) for (const oldest of threads.keys()) if (threads.delete(oldest)) break;
  return history;
}

/** Adds a text of the model that an error or a cancel cut off, so that the model knows later what it has said. */
export function addSaid({ turn }: AgentRequest, content: string): void {
  if (content.trim() === '') return;
  turn.messages = repair([...turn.messages, { role: 'assistant', content }]);
}

/** Takes the message of a request back that no model was asked about: too long, it would stop each later request, too. */
export function forgetMessage(request: AgentRequest): void {
  request.turn.messages = repair(request.before);
}

/** Keeps what the turn has made of the history. */
export function keepHistory({ history, turn }: AgentRequest): void {
  history.messages = turn.messages;
  history.compactedAt = turn.compactedAt;
  const calls = new Set(turn.messages.map(firstCall));
  for (const id of history.thoughts.keys()) if (!calls.has(id)) history.thoughts.delete(id);
}

const firstCall = ({ toolCalls }: ProviderMessage): string | undefined => toolCalls?.[0]?.id;

/** Messages with the thoughts that stood before their calls, which the provider wants back (LLM-C14). */
export const withThoughts = (
  messages: readonly ProviderMessage[],
  { thoughts }: ThreadHistory,
): readonly LlmMessage[] =>
  messages.map((message) => {
    const thinking = thoughts.get(firstCall(message) ?? '');
    return thinking === undefined || message.role !== 'assistant' ? message : { ...message, thinking };
  });
