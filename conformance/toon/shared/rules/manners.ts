/** TOON-34, 36, 41, 47 and 51: duties of both ends besides their work. */
import { exercised, overdue, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { exactText } from '../../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { messageOf, payloadOf } from '../view-peer.ts';
import type { BadFrame } from '../view-stream.ts';
import type { Meaning } from '../view-target.ts';
import { badFrameText, demandsError } from '../view-trials.ts';

import type { ToonView } from '../view.ts';

const rightWay = rule({
  requirement: 'TOON-34',
  listens: ['target'],
  start: () => null,
  step(_, event, view: ToonView) {
    if (view.meaning?.wrongWay !== true) return undefined;
    return violated(
      event,
      `expected only messages that ${view.target === 'subagent' ? 'a subagent' : 'an orchestrator'} may send; ${messageOf(event).type} came`,
    );
  },
});

const progress = rule({
  requirement: 'TOON-36',
  listens: ['target.STATUS'],
  start: () => null,
  step(_, event, { meaning, stream }: ToonView) {
    const { progress: value } = payloadOf(messageOf(event));
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || value < 0 || value > 1)
      return violated(event, `expected progress from 0 to 1; came ${exactText(value).slice(0, 40)}`);
    const ask = stream?.lost === undefined ? meaning?.ask : undefined;
    // Behind an ERROR of the orchestrator it may report another instruction.
    const before = ask?.excused === true ? undefined : ask?.progress;
    if (before === undefined || value >= before.value) return exercised(event);
    const expected = `expected progress that does not fall within an instruction, so ${before.value} or more`;
    return violated(event, `${expected}; came ${value}`, [before.seq]);
  },
});

/** Whether an ERROR should answer a bad frame. One of an unknown version or type may be skipped in silence. A frame that is cut off ends the stream; {@link closedInSilence} judges one over the cap. */
const asksForError = ({ code, complained }: BadFrame): boolean => !complained && demandsError(code);

/** The violation of a target that ends the stream at a frame over its cap without an ERROR. */
function closedInSilence(event: TraceEvent, meaning: Meaning | undefined): Findings {
  if (meaning?.closes === undefined) return undefined;
  const passed = meaning.stream.bad.find(({ code, complained }) => code === 'too-large' && !complained);
  if (passed === undefined) return undefined;
  const expected =
    'expected an ERROR in answer to a payloadLength over the cap, before the end of the stream';
  return violated(event, `${expected}; none came`, [passed.seq]);
}

const complains = rule({
  requirement: 'TOON-41',
  listens: ['shows', 'closing'],
  start: () => null,
  step(_, event, view: ToonView) {
    const { meaning } = view;
    if (event.kind !== 'message') return closedInSilence(event, meaning);
    if (meaning?.complains !== undefined) return exercised(event);
    const { takenUpTo = -1, stream } = meaning ?? {};
    const passed = stream?.bad.find((bad) => asksForError(bad) && bad.seq < takenUpTo);
    if (passed === undefined) return undefined;
    return violated(
      event,
      `expected an ERROR in answer to ${badFrameText(passed.code)}; none came before ${messageOf(event).type}`,
      [passed.seq],
    );
  },
  end: (_, view, last) =>
    [...view.streams.values()].flatMap(({ ended, disturbed, lost, bad }) => {
      const passed = bad.find(asksForError);
      if (passed === undefined || ended !== undefined || disturbed || lost !== undefined) return [];
      const expected = `an ERROR in answer to ${badFrameText(passed.code)}`;
      return overdue([{ ...passed, within: view.timeouts.answer, expected }], last);
    }),
});

const emptyHeartbeats = rule({
  requirement: 'TOON-47',
  listens: ['target.HEARTBEAT'],
  start: () => null,
  step(_, event, _view: ToonView) {
    const keys = Object.keys(payloadOf(messageOf(event)));
    if (keys.length === 0) return exercised(event);
    return violated(event, `expected {} in a HEARTBEAT; it has ${keys.slice(0, 5).join(', ')}`);
  },
});

/** The part of the limit after which a target may close, because messages take time and limits are rounded. */
const early = 0.9;

/** The longest silence after which a target must have closed (ms). */
const latest = ({ timeouts: { idle, step } }: ToonView): number => idle + Math.min(idle, step);

const closesOnSilence = rule({
  requirement: 'TOON-51',
  recurs: true,
  listens: ['closing'],
  start: () => null,
  step(_, event, view: ToonView) {
    const { idle } = view.timeouts;
    const { stream } = view;
    if (idle === 0 || stream === undefined || view.meaning?.closes === undefined) return undefined;
    const silent = event.at - stream.peer.last.at;
    if (silent > latest(view)) {
      const message = `expected the target to close when its peer is silent for ${idle} ms; it closed after ${Math.round(silent)} ms`;
      return violated(event, message, [stream.peer.last.seq]);
    }
    return silent >= idle * early ? exercised(event) : undefined;
  },
  end(_, view, last) {
    const { idle } = view.timeouts;
    if (idle === 0) return undefined;
    const expected = `the target to close when its peer is silent for ${idle} ms`;
    return [...view.streams.values()]
      .filter(({ ended, disturbed }) => !disturbed && ended === undefined)
      .flatMap(({ peer }) => overdue([{ ...peer.last, within: latest(view), expected }], last));
  },
});

/** The rules about manners that both roles have. */
export const mannerRules: readonly Rule<ToonView>[] = [rightWay, complains, emptyHeartbeats, closesOnSilence];

/** The rule about progress, which only subagents report. */
export const progressRules: readonly Rule<ToonView>[] = [progress];
