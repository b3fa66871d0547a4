/** FOLD-G48, G49 and G51: agents' calls of pack tools, and their results. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { deadline, momentOf, rule, undelayed, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule, WaitOutcome } from '../../../../src/kit/judge/index.ts';
import type { PackToolResult } from '../../../../src/fold/index.ts';
import { isLive } from '../calls.ts';
import type { GatewayView, PackCall } from '../model.ts';
import { membersOf, textOf } from '../model.ts';
import { callers, isJson, liveTool, resultOf, sameJson } from '../packs.ts';
import { isEnd } from '../events.ts';
import { endsByTarget, mayEnd } from '../view.ts';
import { streamEndOf } from '../waiting.ts';
import type { StreamWait } from '../waiting.ts';

/** The time limit of a call's result (ms). */
const timeOf = (view: GatewayView, { timeout }: PackCall): number =>
  (timeout === undefined ? view.timeouts.pack : timeout + view.late) + view.timeouts.step;

/** The row that a missing result violates. */
function missingRow({ flaw, ordered, response }: PackCall): string | undefined {
  if (flaw === 'twice') return undefined;
  if (flaw === 'lacking') return 'FOLD-G51';
  if (flaw !== undefined) return 'FOLD-G49';
  return ordered !== undefined && response === undefined ? 'FOLD-G49' : 'FOLD-G48';
}

/** The call of a wait. The view has the call only after its event, so each use looks it up. */
const callOfWait = (view: GatewayView, { stream, key }: StreamWait): PackCall | undefined =>
  view.streams.get(stream)?.packCalls.get(key.slice(stream.length + 1));

type Judge = (call: PackCall, result: PackToolResult, event: TraceEvent, view: GatewayView) => WaitOutcome;

/** A rule about the results of calls: each due result comes, and `judge` accepts it. */
const results = (requirement: string, judge: Judge): Rule<GatewayView> =>
  deadline<StreamWait, GatewayView>({
    requirement,
    begins(event, view) {
      if (
        event.kind !== 'message' ||
        event.from === 'target' ||
        event.data['execute_pack_tool'] === undefined
      )
        return undefined;
      const { agentStream: stream } = view;
      if (stream === undefined || !isLive(stream) || view.stop !== undefined) return undefined;
      const id = textOf(membersOf(event.data['execute_pack_tool'])['request_id']);
      if (stream.packCalls.has(id)) return undefined;
      const expected = `one PackToolResult for ${id}`;
      return { ...momentOf(event), key: `${stream.id} ${id}`, stream: stream.id, expected };
    },
    settles(wait, event, view) {
      const stream = view.streams.get(wait.stream);
      if (stream === undefined || !isLive(stream) || view.stop !== undefined) return 'dropped';
      if (event.stream !== wait.stream) return undefined;
      if (isEnd(event) || (event.kind === 'half_close' && event.from !== 'target')) return 'dropped';
      if (event.from !== 'target' || event.data['pack_tool_result'] === undefined) return undefined;
      const result = resultOf(event);
      const call = callOfWait(view, wait);
      if (call === undefined || (result.request_id ?? '') !== call.id) return undefined;
      return judge(call, result, event, view);
    },
    within(view, wait) {
      const call = callOfWait(view, wait);
      return call === undefined ? view.timeouts.pack + view.timeouts.step : timeOf(view, call);
    },
    overdue(wait, view) {
      const call = callOfWait(view, wait);
      return call === undefined || missingRow(call) !== requirement ? 'dropped' : 'violated';
    },
  });

/** A good call gets the pack's answer: output for output, error for error. FOLD-G49 and G51 judge bad calls. */
const answered = results('FOLD-G48', (call, result, event, view) => {
  if (call.flaw !== undefined || call.ambiguous) return 'dropped';
  if (call.response === undefined) return answeredAlone(call, result, event, view);
  const { output, error } = call.response;
  const came = textOfResult(result);
  const timedOut = isDue(call, event.at, view);
  const inGoodTime = isInGoodTime(call, call.response.at, view);
  if (output !== undefined) {
    if (result.output_json !== undefined && sameJson(result.output_json, output)) return 'exercised';
    // The pack may have answered at the moment of the timeout, and a gateway may refuse output that is not JSON.
    const excused = (timedOut && !inGoodTime) || call.pack?.ended !== undefined || !isJson(output);
    if (result.output_json === undefined && excused) return 'dropped';
    return { came: `${came}, where its pack answered with the output ${quote(output)}` };
  }
  if (result.output_json !== undefined)
    return { came: `${came}, where its pack answered with the error ${quote(error ?? '')}` };
  if ((result.error ?? '').includes(error ?? '')) return 'exercised';
  if (timedOut && inGoodTime)
    return {
      came: `${came} when the timeout of the call had passed, where its pack had answered in time with the error ${quote(error ?? '')}`,
    };
  // The gateway may report the error in its own words, but not in those of another call.
  return anothersError(view, call, result.error ?? '')
    ? { came: `${came}, which is the answer to another call` }
    : 'dropped';
});

const quote = (text: string): string => JSON.stringify(text.slice(0, 80));

const textOfResult = ({ output_json: output, error }: PackToolResult): string =>
  output === undefined ? `the error ${quote(error ?? '')}` : `the output ${quote(output)}`;

/** The timeout of a call by the gateway's own clock (ms). */
const timeoutOf = (call: PackCall, view: GatewayView): number =>
  call.timeout ?? undelayed(view.timeouts.pack, view);

/** Whether the timeout of a call may have passed. */
const isDue = (call: PackCall, now: number, view: GatewayView): boolean =>
  now - call.at >= timeoutOf(call, view) * early;

/**
 * Whether a moment is in the first half of a call's timeout, with what has held the machine up since the call. Then a busy
 * gateway, too, has the time to pass an answer on.
 */
const isInGoodTime = (call: PackCall, at: number, view: GatewayView): boolean =>
  at - call.at + view.late - call.late <= timeoutOf(call, view) / 2;

/** The outcome of a good call whose result came without an answer of its pack. */
function answeredAlone(
  call: PackCall,
  result: PackToolResult,
  event: TraceEvent,
  view: GatewayView,
): WaitOutcome {
  if (!call.served || failureOf(call, event.at, view) !== undefined) return 'dropped';
  const { stream } = liveTool(view, call.name) ?? {};
  if (stream === undefined || (call.pack !== undefined && call.pack !== stream)) return 'dropped';
  if (result.output_json !== undefined)
    return { came: `${textOfResult(result)}, which its pack has not given` };
  return call.ordered === undefined
    ? { came: `${textOfResult(result)}, and its pack was not called` }
    : 'dropped';
}

/** Whether a text is in the error of another call's pack. */
function anothersError(view: GatewayView, call: PackCall, text: string): boolean {
  for (const { pack } of view.streams.values())
    for (const { call: other } of pack?.orders.values() ?? []) {
      const error = other === call ? undefined : other?.response?.error;
      if (error !== undefined && error !== '' && text.includes(error)) return true;
    }
  return false;
}

/** The second part of FOLD-G48: each result belongs to a pending call. */
const onlyOne = rule({
  requirement: 'FOLD-G48',
  listens: ['pack_tool_result'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { agentStream: stream } = view;
    const id = resultOf(event).request_id ?? '';
    if (stream === undefined || stream.packCalls.has(id)) return undefined;
    const again = stream.packDone.has(id);
    return violated(
      event,
      `expected one PackToolResult a call; came ${again ? 'another' : 'a result without a call'} for "${id}"`,
    );
  },
});

/** The reason why a call must fail, in words; undefined when it need not fail. */
function failureOf(call: PackCall, now: number, view: GatewayView): string | undefined {
  if (call.flaw === 'unknown') return 'with an unknown tool';
  if (call.flaw === 'bad input') return 'with input that is not JSON';
  if (call.flaw !== undefined || call.ordered === undefined || call.response !== undefined) return undefined;
  if (call.ambiguous) return undefined;
  if (call.pack?.ended !== undefined) return 'whose pack went without an answer';
  return isDue(call, now, view) ? 'that its pack did not answer' : undefined;
}

const failsWell = results('FOLD-G49', (call, { error }, event, view) => {
  const failure = failureOf(call, event.at, view);
  if (failure === undefined) return 'dropped';
  return error !== undefined ? 'exercised' : { came: `output for a call ${failure}` };
});

/** The part of a timeout after which a timer may fire, because clocks differ. */
const early = 0.95;

/** The second part of FOLD-G49: the gateway keeps the stream after a failed call. */
const failureKept = deadline<StreamWait, GatewayView>({
  requirement: 'FOLD-G49',
  begins(event, view) {
    if (event.kind !== 'message') return undefined;
    const { agentStream: stream } = view;
    if (stream === undefined) return undefined;
    const failed =
      event.from === 'target' &&
      event.data['pack_tool_result'] !== undefined &&
      resultOf(event).error !== undefined;
    const call = failed ? stream.packCalls.get(resultOf(event).request_id ?? '') : undefined;
    if (call === undefined || call.flaw === 'twice' || !isLive(stream)) return undefined;
    const expected = 'the stream to go on after a failed pack tool call';
    return { ...momentOf(event), key: stream.id, stream: stream.id, expected };
  },
  settles: streamEndOf,
  within: (view) => view.timeouts.late,
  overdue: () => 'dropped',
});

/** The third part of FOLD-G49: a bad call must not end the stream. */
const failureNoEnd = rule({
  requirement: 'FOLD-G49',
  listens: ['end', 'reset'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { agentStream: stream } = view;
    if (stream === undefined || !endsByTarget(event) || mayEnd(view, stream)) return undefined;
    for (const call of stream.packCalls.values()) {
      if (call.flaw !== 'unknown' && call.flaw !== 'bad input') continue;
      if (event.at - call.at > undelayed(view.timeouts.late, view) || (stream.provoked?.seq ?? -1) > call.seq)
        continue;
      return violated(
        event,
        `expected an error result for ${call.id}, and the stream kept; the target ended it`,
        [call.seq],
      );
    }
    return undefined;
  },
});

const refusesLacking = results('FOLD-G51', (call, { error }) => {
  if (call.flaw !== 'lacking') return 'dropped';
  return error !== undefined
    ? 'exercised'
    : { came: 'output, though the agent lacks a capability that the tool requires' };
});

/** The second part of FOLD-G51: a refused call does not reach the pack. */
const notForwarded = rule({
  requirement: 'FOLD-G51',
  listens: ['pack.execute_tool'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { tool_name: name, input_json: input } = membersOf(event.data['execute_tool']);
    const calls = callers(view, textOf(name), textOf(input));
    const [first] = calls;
    if (first === undefined || calls.some(({ flaw }) => flaw !== 'lacking')) return undefined;
    return violated(
      event,
      `expected a refusal of ${first.id}, whose agent lacks a capability; the pack was called`,
      [first.seq],
    );
  },
});

/** FOLD-G48, G49 and G51. */
export const packCallRules: readonly Rule<GatewayView>[] = [
  answered,
  onlyOne,
  failsWell,
  failureKept,
  failureNoEnd,
  refusesLacking,
  notForwarded,
];
