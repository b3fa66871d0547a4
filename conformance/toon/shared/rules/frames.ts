/** The sender's part of TOON-01, 02, 12, 13, 35 and 38: the form of every frame of the target. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { faultOf } from '../view-faults.ts';

import type { ToonView } from '../view.ts';

/** The text after a word in the codec's note on a frame; undefined for a note without the word. */
export function noted({ note }: TraceEvent, word: string): string | undefined {
  const said = note?.split('; ').find((one) => one === word || one.startsWith(`${word}:`));
  return said?.slice(word.length).replace(/^:\s*/, '');
}

/**
 * The violation of a requirement by an unreadable frame. Frames after the first unreadable one of a stream may be
 * garbled, so that only further violations of the same requirement count.
 */
export function unreadable(requirement: string, event: TraceEvent, view: ToonView): Findings {
  const { stream } = view;
  if (stream === undefined || stream.disturbed) return undefined;
  if (stream.lost !== undefined && stream.lost.requirement !== requirement) return undefined;
  const fault = faultOf(event, stream.target.messages);
  return fault?.requirement === requirement ? violated(event, fault.message) : undefined;
}

/** A rule that frames with `shows` exercise, and frames with a `wrong` violate. */
const frameRule = (
  requirement: string,
  shows: (event: TraceEvent, view: ToonView) => boolean,
  wrong: (event: TraceEvent) => string | undefined = () => undefined,
): Rule<ToonView> =>
  rule({
    requirement,
    listens: ['target'],
    start: () => null,
    step(_, event, view: ToonView) {
      if (event.kind === 'undecodable') return unreadable(requirement, event, view);
      const fault = event.note === undefined ? undefined : wrong(event);
      if (fault !== undefined) return violated(event, fault);
      return shows(event, view) ? exercised(event) : undefined;
    },
  });

const always = (): boolean => true;

/** The types with required fields. */
const requiring: ReadonlySet<unknown> = new Set([
  'INSTRUCTION',
  'TOOL_CALL',
  'TOOL_RESULT',
  'STATUS',
  'ERROR',
]);

/** Whether a frame shows how the target separates frames: every WebSocket message, or a second frame on another carrier. */
function followsAnother(_: TraceEvent, { stream }: ToonView): boolean {
  return stream !== undefined && (stream.carrier === 'ws' || stream.target.messages > 0);
}

export const frameRules: readonly Rule<ToonView>[] = [
  frameRule('TOON-01', always),
  frameRule('TOON-02', always),
  frameRule('TOON-12', always, (event) =>
    noted(event, 'bom') === undefined
      ? undefined
      : 'expected a payload without a byte order mark; it begins with one (EF BB BF)',
  ),
  frameRule('TOON-13', always, (event) => {
    const note = noted(event, 'not-object');
    return note === undefined ? undefined : `expected a payload that is a JSON object; ${note}`;
  }),
  frameRule('TOON-35', (event) => requiring.has(event.data['type'])),
  frameRule('TOON-38', followsAnother, (event) => {
    const note = noted(event, 'trailing');
    return note === undefined ? undefined : `expected one TOON message in a carrier's message; ${note}`;
  }),
];
