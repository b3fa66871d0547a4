/** FOLD-G34 and G35: injections, and their acks. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { deadline, exercised, momentOf, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule, WaitOutcome, Wait } from '../../../../src/kit/judge/index.ts';
import { InjectionPriorityNames } from '../../../../src/fold/index.ts';
import { callIn, isLive, liveAgent } from '../calls.ts';
import type { GatewayView, StreamView } from '../model.ts';
import { packOutSince } from '../packs.ts';
import { isEnd, isFailure, isSaidByTarget, isSaidOn } from '../events.ts';
import { agentMessage, serverMessage } from '../view.ts';
import { isHindered, reachesNobody, streamGoesOn } from '../waiting.ts';

const priorities: ReadonlySet<unknown> = new Set([undefined, ...InjectionPriorityNames]);

/** Whether the schema defines a priority. */
export const isPriority = (priority: unknown): boolean => priorities.has(priority);

const wellFormed = rule({
  requirement: 'FOLD-G34',
  listens: ['inject_context'],
  start: () => null,
  step(_, event, view: GatewayView) {
    const session = view.agentStream?.session;
    const { injection_id: id = '', priority } = serverMessage(event).inject_context ?? {};
    if (session === undefined) return undefined;
    if (id === '') return violated(event, 'expected a non-empty injection_id; it is empty');
    const before = session.injections.get(id);
    if (before !== undefined)
      return violated(event, `expected a unique injection_id; ${id} came before`, [before.seq]);
    if (!isPriority(priority))
      return violated(event, `expected a priority of the schema; came ${String(priority)}`);
    return exercised(event);
  },
});

interface Push extends Wait {
  readonly call: string;
  readonly content: string;
  readonly target: StreamView;
}

/** Whether an agent owes an ack. */
export function unacked({ session }: StreamView): boolean {
  for (const { acks } of session.injections.values()) if (acks.length === 0) return true;
  return false;
}

/** The agent and the content of an operator's `send` or `inject`. */
function pushed(
  event: TraceEvent,
): { readonly agent: string; readonly content: string; readonly inject: boolean } | undefined {
  const inject = callIn(event, 'inject');
  const { agent_id: agent, content } = inject ?? callIn(event, 'send') ?? {};
  if (typeof agent !== 'string' || typeof content !== 'string') return undefined;
  return { agent, content, inject: inject !== undefined };
}

const nothingWaitsForAcks = deadline<Push, GatewayView>({
  requirement: 'FOLD-G35',
  begins(event, view) {
    const push = pushed(event);
    const target = push === undefined ? undefined : liveAgent(view, push.agent);
    if (push === undefined || target === undefined || !unacked(target) || view.stop !== undefined)
      return undefined;
    const { features, active } = target.session;
    if (push.inject ? !features.has('injection') : active.size > 0) return undefined; // FOLD-G14 and FOLD-G27 judge them
    const message = push.inject ? 'InjectContext' : 'SendMessage';
    const expected = `${message} to reach ${push.agent}, though an ack is missing`;
    return {
      ...momentOf(event),
      key: event.stream,
      expected,
      call: event.stream,
      content: push.content,
      target,
    };
  },
  settles({ call, content, target }, event, view): WaitOutcome {
    if (isHindered(view, call, target)) return 'dropped';
    if (event.stream === call && isFailure(event)) return 'dropped';
    if (!isSaidOn(event, target.id)) return undefined;
    const { send_message: sent, inject_context: injected } = serverMessage(event);
    return sent?.content === content || injected?.content === content ? 'exercised' : undefined;
  },
  within: (view) => view.timeouts.step,
  overdue: ({ target, at }) => (!isLive(target) || packOutSince(target, at) ? 'dropped' : 'violated'),
});

interface Answer extends Wait {
  readonly call: string;
  readonly stream: string;
  readonly id: string;
}

/** The stream of the operator's call for an injection, while the call has no answer. */
function injecting(view: GatewayView, content: string): string | undefined {
  for (const { id, call, ended } of view.streams.values())
    if (
      call?.verb === 'inject' &&
      call.text.content === content &&
      ended === undefined &&
      call.replied === undefined
    )
      return id;
  return undefined;
}

const answersWithoutAck = deadline<Answer, GatewayView>({
  requirement: 'FOLD-G35',
  begins(event, view) {
    if (!isSaidByTarget(event)) return undefined;
    const injected = serverMessage(event).inject_context;
    const call = injected === undefined ? undefined : injecting(view, injected.content ?? '');
    if (injected === undefined || call === undefined) return undefined;
    const id = injected.injection_id ?? '';
    const expected = `an answer to the operator that injected ${id}, though its ack is missing`;
    return { ...momentOf(event), key: call, expected, call, stream: event.stream, id };
  },
  settles({ call, stream, id }, event, view): WaitOutcome {
    if (view.stop !== undefined || view.streams.get(call)?.disturbed !== false) return 'dropped';
    if (event.stream === call) return event.kind === 'headers' ? undefined : 'dropped';
    if (event.stream !== stream) return undefined;
    const acked = event.from !== 'target' && agentMessage(event).injection_ack?.injection_id === id;
    return acked || isEnd(event) ? 'dropped' : undefined;
  },
  within: (view) => view.timeouts.ack + view.timeouts.step,
});

export const injectionRules: readonly Rule<GatewayView>[] = [
  wellFormed,
  streamGoesOn('FOLD-G35'),
  reachesNobody('FOLD-G35'),
  nothingWaitsForAcks,
  answersWithoutAck,
];
