/**
 * Frames that the target must accept or reject: TOON-06, 07, 10, 11, 17, 24, 29, 31, 34, 35, 37, 38, 39 and 55. An unusual
 * frame begins a trial. The target's next messages show the outcome.
 */
import { exercised, overdue, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { exactText } from '../../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { messageOf, payloadOf } from '../view-peer.ts';
import type { Ask, BadFrame, Trial } from '../view-stream.ts';
import { atStake } from '../view-target.ts';
import type { Meaning } from '../view-target.ts';
import { rowsOfBadFrames, badFrameText } from '../view-trials.ts';
import { pendingAsks } from '../view.ts';
import type { ToonView } from '../view.ts';

/** The expectation of a trial: the target accepts an ask with or after the unusual part, or continues with it. */
function taken({ type, seq }: Ask, trial: Trial): string {
  if (trial.seq > seq) return `the target to go on with its ${type} after ${trial.what}`;
  return `the target to take ${aOr(type)} ${trial.seq === seq ? 'with' : 'after'} ${trial.what}`;
}

const aOr = (type: Ask['type']): string => (type === 'INSTRUCTION' ? `an ${type}` : `a ${type}`);

/** The trial of a requirement that an undone ask violates. */
const stakeOf = (ask: Ask, requirement: string): Trial | undefined =>
  atStake(ask).find(([row]) => row === requirement)?.[1];

const alsoOf = (ask: Ask, trial: Trial): readonly number[] =>
  [...new Set([trial.seq, ask.seq])].toSorted((a, b) => a - b);

/** An ERROR in words. */
function errorOf(event: TraceEvent): string {
  const { code = null, message = null } = payloadOf(messageOf(event));
  return `ERROR ${exactText(code)}, ${exactText(message).slice(0, 80)}`;
}

function shown(requirement: string, event: TraceEvent, meaning: Meaning): Findings {
  const { ask, actsOnBadFrame: acts, complains, refuses, takenUpTo = -1 } = meaning;
  // The sentence ends with the refusal: the session may end with this ERROR.
  if (complains?.code === 'direction' && requirement === 'TOON-34') return exercised(event);
  if (acts !== undefined && rowsOfBadFrames[acts.code] === requirement) {
    const came = messageOf(event).type;
    return violated(
      event,
      `expected the target to reject ${badFrameText(acts.code)}; it acted on it: ${came} came without another ask`,
      [acts.seq],
    );
  }
  if (ask === undefined) return undefined;
  if (refuses === true) {
    const trial = stakeOf(ask, requirement);
    if (trial === undefined) return undefined;
    return violated(event, `expected ${taken(ask, trial)}; ${errorOf(event)} came`, alsoOf(ask, trial));
  }
  const trial = (ask.taken ? undefined : ask.trials.get(requirement)) ?? ask.late.get(requirement);
  return trial !== undefined && trial.seq <= takenUpTo ? exercised(event) : undefined;
}

/** The findings at the target's end of a stream: it rejects bad frames, and refuses undone asks. */
function closed(requirement: string, event: TraceEvent, { stream, closes = [], leaves }: Meaning): Findings {
  const found: Finding[] = [];
  // A target that leaves may not have read the frame.
  const rejects = ({ code, complained }: BadFrame): boolean =>
    rowsOfBadFrames[code] === requirement && (complained || leaves !== true);
  if (stream.bad.some(rejects)) found.push(exercised(event));
  for (const ask of closes) {
    const trial = stakeOf(ask, requirement);
    if (trial === undefined) continue;
    found.push(violated(event, `expected ${taken(ask, trial)}; it ended the stream`, alsoOf(ask, trial)));
  }
  return found;
}

const receivingRule = (requirement: string): Rule<ToonView> =>
  rule({
    requirement,
    listens: ['shows', 'closing'],
    start: () => null,
    step(_, event, view: ToonView) {
      const { meaning } = view;
      if (meaning === undefined) return undefined;
      if (event.kind === 'message') return shown(requirement, event, meaning);
      return meaning.closes === undefined ? undefined : closed(requirement, event, meaning);
    },
    end: (_, view, last) =>
      pendingAsks(view).flatMap(({ ask, within }) => {
        const trial = ask.perhapsEnded ? undefined : stakeOf(ask, requirement);
        if (trial === undefined) return [];
        const [seq = ask.seq, ...also] = alsoOf(ask, trial);
        return overdue([{ seq, at: ask.heard, within, expected: taken(ask, trial), also }], last);
      }),
  });

/** Whether a bad frame must be skipped by its length. */
const isSkipped = ({ code }: { readonly code: string }): boolean =>
  code === 'bad-version' || code === 'bad-type';
const isOversize = ({ code }: { readonly code: string }): boolean => code === 'too-large';

/** The second part of TOON-39: a target skips an unknown frame, and closes the stream at a frame over its cap. */
const skipsAndCloses = rule({
  requirement: 'TOON-39',
  listens: ['shows', 'closing'],
  start: () => null,
  step(_, event, view: ToonView) {
    const { stream } = view;
    const { meaning } = view;
    if (stream === undefined || meaning === undefined) return undefined;
    const oversize = stream.bad.find(isOversize);
    if (event.kind === 'message') {
      if (oversize === undefined || (meaning.takenUpTo ?? -1) < oversize.seq) return undefined;
      return violated(event, 'expected the target to close after a payloadLength over its cap; it went on', [
        oversize.seq,
      ]);
    }
    if (meaning.closes === undefined) return undefined;
    if (oversize !== undefined) return exercised(event);
    const skipped = stream.bad.find(isSkipped);
    if (skipped === undefined || meaning.leaves === true) return undefined;
    return violated(
      event,
      `expected the target to skip ${badFrameText(skipped.code)} by its length; it ended the stream`,
      [skipped.seq],
    );
  },
  end: (_, view, last) =>
    [...view.streams.values()].flatMap(({ bad, ended, disturbed }) => {
      const oversize = bad.find(isOversize);
      if (oversize === undefined || ended !== undefined || disturbed) return [];
      const expected = 'the target to close after a payloadLength over its cap';
      return overdue([{ ...oversize, within: view.timeouts.step, expected }], last);
    }),
});

export const receivingRules: readonly Rule<ToonView>[] = [
  ...['06', '07', '10', '11', '17', '24', '29', '31', '34', '35', '37', '38', '39', '55'].map((n) =>
    receivingRule(`TOON-${n}`),
  ),
  skipsAndCloses,
];
