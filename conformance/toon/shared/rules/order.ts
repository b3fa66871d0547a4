/** TOON-30 and 31: the sequenceIds of the target's messages. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { MAX_SEQUENCE_ID, serialCompare } from '../../../../src/toon/index.ts';
import { messageOf } from '../view-peer.ts';

import type { ToonView } from '../view.ts';

const increases = rule({
  requirement: 'TOON-30',
  listens: ['target'],
  start: () => null,
  step(_, event, view: ToonView) {
    const sent = view.stream?.target;
    const before = sent?.sequenceId;
    if (event.kind !== 'message' || sent === undefined || before === undefined) return undefined;
    const { sequenceId } = messageOf(event);
    // TOON-31 judges the id after the largest one.
    if (before === MAX_SEQUENCE_ID) return undefined;
    if (serialCompare(sequenceId, before) > 0) return exercised(event);
    return violated(event, `expected a sequenceId after ${before}; came ${sequenceId}`, [sent.last.seq]);
  },
});

const wraps = rule({
  requirement: 'TOON-31',
  listens: ['target'],
  start: () => null,
  step(_, event, view: ToonView) {
    const { stream } = view;
    if (event.kind !== 'message' || stream?.target.sequenceId !== MAX_SEQUENCE_ID) return undefined;
    if (stream.lost !== undefined) return undefined;
    const { sequenceId } = messageOf(event);
    if (sequenceId === 0) return exercised(event);
    return violated(event, `expected sequenceId 0 after ${MAX_SEQUENCE_ID}; came ${sequenceId}`, [
      stream.target.last.seq,
    ]);
  },
});

export const orderRules: readonly Rule<ToonView>[] = [increases, wraps];
