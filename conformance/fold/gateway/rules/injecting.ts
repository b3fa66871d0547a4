/** FOLD-G55 and G57: what operators and packs inject, and the agents that receive it. */
import { deadline, exercised, momentOf, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule, Wait, WaitOutcome } from '../../../../src/kit/judge/index.ts';
import type { InjectContext } from '../../../../src/fold/index.ts';
import { callIn, isLive, liveAgent } from '../calls.ts';
import { agentIdOf, isCalled } from '../model.ts';
import type { CallFields, GatewayView, StreamView } from '../model.ts';
import { packOutSince } from '../packs.ts';
import { isFailure, isSaidOn } from '../events.ts';
import { serverMessage } from '../view.ts';
import { isPriority, unacked } from './injection.ts';
import { isHindered } from '../waiting.ts';

const unspecified = 'INJECTION_PRIORITY_UNSPECIFIED';

/** The priorities on the wire that mean an operator's priority. An absent one, and UNSPECIFIED, are NORMAL. */
const prioritiesOf = (name: string = 'normal'): readonly unknown[] =>
  name === 'normal'
    ? [undefined, unspecified, 'INJECTION_PRIORITY_NORMAL']
    : [`INJECTION_PRIORITY_${name.toUpperCase()}`];

/** The difference of an injection from an operator's call, in words; undefined when there is none. */
function difference(view: GatewayView, asked: CallFields, came: InjectContext): string | undefined {
  if (!prioritiesOf(asked.priority).includes(came.priority))
    return `the priority ${String(came.priority ?? unspecified)}`;
  // A command line of the operator may have no place for the source.
  const judged = (asked.source ?? '') !== '' && view.drive !== 'command';
  if (!judged || came.source === asked.source) return undefined;
  return came.source === undefined ? 'no source' : `the source ${JSON.stringify(came.source.slice(0, 80))}`;
}

/**
 * Whether an operator's call has a priority and a source, which the gateway must keep. An operator's command line may
 * have no place for the source.
 */
const isComplete = ({ priority = 'normal', source = '' }: CallFields, { drive }: GatewayView): boolean =>
  priority !== 'normal' && (source !== '' || drive === 'command');

/** Whether an operator's call with the same content asked for this. Calls overtake each other. */
const isAnother = (view: GatewayView, target: StreamView, came: InjectContext): boolean =>
  view.injects
    .get(came.content ?? '')
    ?.calls.some(
      ({ text }) => isCalled(target, text.agent_id ?? '') && difference(view, text, came) === undefined,
    ) === true;

interface Injection extends Wait {
  readonly call: string;
  readonly asked: CallFields;
  readonly target: StreamView;
}

const reachesAgent = deadline<Injection, GatewayView>({
  requirement: 'FOLD-G55',
  begins(event, view) {
    const asked = callIn(event, 'inject');
    const target = liveAgent(view, asked?.agent_id ?? '');
    if (asked === undefined || target === undefined || view.stop !== undefined) return undefined;
    // FOLD-G35 judges an injection while an ack is missing.
    if (!target.session.features.has('injection') || unacked(target) || view.injects.has(asked.content ?? ''))
      return undefined;
    const { priority = 'normal', source = '' } = asked;
    const from = source === '' ? '' : ` from ${source}`;
    const expected = `the ${priority} injection${from} to reach ${asked.agent_id ?? ''} as it was given`;
    return { ...momentOf(event), key: event.stream, expected, call: event.stream, asked, target };
  },
  settles({ call, asked, target }, event, view): WaitOutcome {
    if (isHindered(view, call, target)) return 'dropped';
    // A gateway may refuse an injection: then its operator knows.
    const failed = isFailure(event);
    if (event.stream === call && failed) return 'dropped';
    if (!isSaidOn(event, target.id)) return undefined;
    const came = serverMessage(event).inject_context;
    if (came === undefined || (came.content ?? '') !== (asked.content ?? '')) return undefined;
    if (!isPriority(came.priority)) return 'dropped'; // FOLD-G34 judges it
    const other = difference(view, asked, came);
    if (other !== undefined) return isAnother(view, target, came) ? undefined : { came: `it with ${other}` };
    return isComplete(asked, view) ? 'exercised' : 'dropped';
  },
  within: (view) => view.timeouts.step,
  overdue: ({ target, at }) => (!isLive(target) || packOutSince(target, at) ? 'dropped' : 'violated'),
});

/** The second part of FOLD-G55: an injection reaches the named agent alone, once. */
const onceAndOnlyThere = rule({
  requirement: 'FOLD-G55',
  listens: ['inject_context'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { agentStream: stream } = view;
    const { content = '', injection_id: id = '' } = serverMessage(event).inject_context ?? {};
    const injected = view.injects.get(content);
    if (stream === undefined || injected === undefined || content === '') return undefined;
    const [first] = injected.calls;
    if (injected.calls.every(({ text }) => !isCalled(stream, text.agent_id ?? '')))
      return violated(
        event,
        `expected the injection for ${first?.text.agent_id ?? ''} to reach no other agent; came one to ${agentIdOf(stream) ?? ''}`,
        first === undefined ? [] : [first.seq],
      );
    // FOLD-G34 judges a repeated injection_id.
    if (injected.delivered < injected.calls.length || stream.session.injections.has(id)) return undefined;
    return violated(
      event,
      `expected the injection to reach ${first?.text.agent_id ?? ''} once; came another with its content`,
      first === undefined ? [] : [first.seq],
    );
  },
});

/** A MAY. It is exercised where the gateway uses it. */
const lateResult = rule({
  requirement: 'FOLD-G57',
  listens: ['inject_context'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { source = '' } = serverMessage(event).inject_context ?? {};
    const isPack = [...view.streams.values()].some(
      ({ pack }) => pack !== undefined && source === `pack:${pack.manifest.pack_id ?? ''}`,
    );
    return isPack ? exercised(event) : undefined;
  },
});

export const injectingRules: readonly Rule<GatewayView>[] = [reachesAgent, onceAndOnlyThere, lateResult];
