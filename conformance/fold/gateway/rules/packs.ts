/** FOLD-G47, G50 and G52: tools that packs provide, and the stream that flows while one runs. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { deadline, exercised, momentOf, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule, WaitOutcome, Wait } from '../../../../src/kit/judge/index.ts';
import type { RegisterAgent } from '../../../../src/fold/index.ts';
import { callIn, isLive, liveAgent } from '../calls.ts';
import type { ForwardedRequest, GatewayView, Manifest, StreamView } from '../model.ts';
import { membersOf } from '../model.ts';
import { clashOf, lacking, liveTool, liveTools, manifestFlaw } from '../packs.ts';
import { isSaidOn, isSaidToTarget } from '../events.ts';
import { serverMessage } from '../view.ts';
import { endsStream } from '../waiting.ts';
import type { Refusal } from './refusals.ts';
import { refused } from './refusals.ts';

const capabilitiesOf = (register: RegisterAgent | undefined): ReadonlySet<string> =>
  new Set(register?.capabilities);

const offersAllowed = rule({
  requirement: 'FOLD-G47',
  listens: ['welcome'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { agentStream: stream } = view;
    const offered = serverMessage(event).welcome?.available_tools ?? [];
    if (stream === undefined) return undefined;
    const has = capabilitiesOf(stream.session.register?.message);
    for (const tool of offered) {
      const texts = [tool, liveTool(view, tool.name ?? '')?.text];
      const lacks = texts.flatMap((text) => lacking(stream, text));
      if (lacks.length > 0)
        return violated(
          event,
          `expected only tools whose required_capabilities the agent has; ${tool.name ?? ''} needs ${lacks.join(', ')}`,
        );
    }
    const gated = [...offered, ...liveTools(view)].flatMap((tool) => tool.required_capabilities ?? []);
    return gated.length > 0 && (gated.some((name) => !has.has(name)) || offered.length > 0)
      ? exercised(event)
      : undefined;
  },
});

const refusesPacks = deadline<Refusal & { readonly first: string }, GatewayView>({
  requirement: 'FOLD-G52',
  begins(event, view) {
    const { stream } = view;
    if (stream?.kind !== 'pack' || event.from === 'target' || event.data['manifest'] === undefined)
      return undefined;
    if (
      stream.pack !== undefined ||
      stream.ended !== undefined ||
      stream.disturbed ||
      view.stop !== undefined
    )
      return undefined;
    const manifest: Manifest = membersOf(event.data['manifest']);
    const flaw = manifestFlaw(view, manifest);
    if (flaw === undefined) return undefined;
    const empty = (manifest.pack_id ?? '') === '';
    const expected = `the status ${empty ? 'INVALID_ARGUMENT (3)' : 'ALREADY_EXISTS (6)'} for ${flaw}`;
    return {
      ...momentOf(event),
      key: stream.id,
      stream: stream.id,
      expected,
      codes: [empty ? 3 : 6],
      orError: false,
      first: empty ? '' : (clashOf(view, manifest)?.stream.id ?? ''),
    };
  },
  settles(wait, event, view) {
    // After the first pack has left, both answers are right.
    if (endsStream(event, wait.first)) return 'dropped';
    const unlike =
      view.auth !== 'none' && event.kind === 'end' && (event.data['code'] === 16 || event.data['code'] === 7);
    if (event.stream === wait.stream && unlike) return 'dropped';
    if (event.stream === wait.stream && event.from === 'target' && event.data['execute_tool'] !== undefined)
      return { came: 'a call of its tool' };
    return refused(wait, event, view);
  },
  within: (view) => view.timeouts.handshake,
});

interface Traffic extends Wait {
  readonly stream: StreamView;
  /** The request of an event from the agent. */
  readonly asked: ForwardedRequest | undefined;
  readonly content: string;
  readonly call: string;
}

/** A message that must pass while a call of a pack tool is pending. */
function traffic(event: TraceEvent, view: GatewayView): Traffic | undefined {
  if (!isSaidToTarget(event) || view.stop !== undefined) return undefined;
  const out = (stream: StreamView | undefined): stream is StreamView =>
    stream !== undefined && isLive(stream) && stream.packCalls.size > 0;
  const text = callIn(event, 'send');
  if (text !== undefined) {
    const stream = liveAgent(view, text.agent_id ?? '');
    // FOLD-G27 judges a send that waits for another request.
    if (!out(stream) || stream.session.active.size > 0) return undefined;
    const expected = 'SendMessage while a pack tool runs';
    return {
      ...momentOf(event),
      key: event.stream,
      expected,
      stream,
      asked: undefined,
      content: text.content ?? '',
      call: event.stream,
    };
  }
  const { agentStream: stream } = view;
  const asked = event.data['response'] === undefined ? undefined : view.asked;
  if (!out(stream) || asked?.call === undefined || asked.ambiguous || asked.request.terminal !== undefined)
    return undefined;
  if (membersOf(event.data['response'])['text'] === undefined || asked.call.terminal !== undefined)
    return undefined;
  const expected = `text of request ${asked.request.id} to reach its requester while a pack tool runs`;
  const call = asked.call.stream.id;
  return {
    ...momentOf(event),
    key: `${stream.id} ${asked.request.id}`,
    expected,
    stream,
    asked,
    content: '',
    call,
  };
}

/** Whether the requester has received all events from before the wait. */
const shown = (asked: ForwardedRequest, seq: number): boolean =>
  !asked.pending.some((item) => item.seq <= seq);

const keepsFlowing = deadline<Traffic, GatewayView>({
  requirement: 'FOLD-G50',
  begins: traffic,
  settles({ stream, asked, content, call, seq }, event, view): WaitOutcome {
    const own = view.streams.get(call);
    if (own?.disturbed !== false || !isLive(stream) || view.stop !== undefined) return 'dropped';
    if (stream.packCalls.size === 0 || endsStream(event, stream.id)) return 'dropped';
    if (asked !== undefined)
      return shown(asked, seq) ? 'exercised' : endsStream(event, call) ? 'dropped' : undefined;
    if (endsStream(event, call)) return 'dropped';
    if (!isSaidOn(event, stream.id)) return undefined;
    return serverMessage(event).send_message?.content === content ? 'exercised' : undefined;
  },
  within: (view) => view.timeouts.step,
  overdue: ({ stream, asked, seq }) =>
    !isLive(stream) || (asked !== undefined && shown(asked, seq)) ? 'dropped' : 'violated',
});

export const packRules: readonly Rule<GatewayView>[] = [offersAllowed, keepsFlowing, refusesPacks];
