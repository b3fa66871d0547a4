/**
 * Injections. Each is in one model request, and in the history from there on, as a message of the user. The request
 * that started first owns those that come while it runs.
 *
 * An IMMEDIATE one does not cut a response that streams: as agents in the field do, the model hears it in its next
 * request. When no next request would be made, one is made for it, within the same Fold request.
 */
import {
  ConversationPruner,
  MESSAGE_OVERHEAD,
  SEND_MARGIN,
  availableOf,
  estimateText,
  estimateTokens,
} from '../tokens/index.ts';
import type { InjectContext } from '../fold/index.ts';
import { budgetOf, modelOf } from './budget.ts';
import type { InjectionMoment } from './options.ts';
import type { AgentOutputs, AgentRequest, PendingInjection } from './state.ts';

/** The most model requests that injections alone cause in one Fold request. */
const mostExtra = 16;

/**
 * Why an injection is rejected: with those that wait already, and with what cannot be pruned of the request that it comes
 * into, it does not fit the window.
 */
export function refusal(out: AgentOutputs, { content = '', priority }: InjectContext): string | undefined {
  const [request] = priority === 'INJECTION_PRIORITY_DEFERRED' ? [] : out.running();
  const waiting = out.state.injections.reduce((sum, pending) => sum + sizeOf(pending.content), 0);
  const window = request === undefined ? out.whole.window : modelOf(out.whole, request).window;
  const room = availableOf(budgetOf(out.whole, window), 0) - SEND_MARGIN;
  return lastTurnOf(request) + waiting + sizeOf(content) > room ? 'context too large' : undefined;
}

/** The tokens of the last turn of a request, which no pruning removes. */
function lastTurnOf(request: AgentRequest | undefined): number {
  if (request === undefined) return 0;
  const { messages, pending, scale } = request.turn;
  const all = pending === undefined ? messages : [...messages, pending];
  return Math.ceil(estimateTokens(new ConversationPruner({ keepTurns: 1 }).pruneMessages(all, 0)) * scale);
}

const sizeOf = (content: string): number => MESSAGE_OVERHEAD + estimateText(content);

/** Keeps an accepted injection for the model request that will hold it. */
export function place(out: AgentOutputs, { content = '', priority }: InjectContext): void {
  if (content.trim() === '') return;
  out.state.injections.push({ content, priority, owner: out.running()[0]?.started });
}

/** What decides about an injection, for the model request that is about to be made. */
function momentsOf(out: AgentOutputs, request: AgentRequest): (pending: PendingInjection) => InjectionMoment {
  const running = out.running();
  const starts = new Set(running.map(({ started }) => started));
  const [oldest, first] = [running[0] === request, request.asked === 0];
  return ({ priority, owner }) => {
    const state = owner === undefined ? 'none' : starts.has(owner) ? 'running' : 'over';
    return { priority, oldest, first, owner: state };
  };
}

/** DEFERRED waits for the first model request after its owner's end; any other one for the next of the oldest request. */
const takes = ({ priority, oldest, first, owner }: InjectionMoment): boolean =>
  priority === 'INJECTION_PRIORITY_DEFERRED' && owner !== 'none' ? owner === 'over' && first : oldest;

/** Takes the injections for the model request that is about to be made, in the order in which they came. */
export function takeInjections(out: AgentOutputs, request: AgentRequest): readonly string[] {
  if (out.state.injections.length === 0) return [];
  const momentOf = momentsOf(out, request);
  const rule = out.whole.parts?.takes ?? takes;
  const taken: string[] = [];
  out.state.injections = out.state.injections.filter((pending) => {
    const isTaken = rule(momentOf(pending));
    if (isTaken) taken.push(pending.content);
    return !isTaken;
  });
  return taken;
}

/** Whether an IMMEDIATE injection waits for a request whose response would otherwise be its last. */
export function needsAnother(out: AgentOutputs, request: AgentRequest): boolean {
  const immediate = out.state.injections.filter(
    ({ priority }) => priority === 'INJECTION_PRIORITY_IMMEDIATE',
  );
  if (immediate.length === 0 || request.extra >= mostExtra) return false;
  const momentOf = momentsOf(out, request);
  return immediate.some((pending) => (out.whole.parts?.takes ?? takes)(momentOf(pending)));
}
