/** Facts of what the model sees before a further iteration: its own output, and the outcomes of its actions. */
import { isArray } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import { mismatch, shown } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts, Judgement } from '../../../../src/kit/testee/index.ts';
import { textsIn } from '../events.ts';

/** A fact of each transcript: the first bad judgement counts. */
const ofTranscripts =
  (judge: (wanted: readonly string[], came: string, at: string) => Judgement): Fact =>
  (wanted, ok) => {
    const came = textsIn(ok['transcripts']);
    for (const [i, parts] of listIn(wanted).entries()) {
      const judged = judge(textsIn(parts), came[i] ?? '', `transcripts[${i}]`);
      if (judged !== 'exercised') return judged;
    }
    return 'exercised';
  };

const listIn = (value: Json): readonly Json[] => (isArray(value) ? value : []);

/** The texts that each transcript contains, in this order. */
const transcripts = ofTranscripts((wanted, came, at) => {
  let from = 0;
  for (const part of wanted) {
    const place = came.indexOf(part, from);
    if (place < 0) return mismatch(`${shown(part)} in ${at}, in its place`, shown(came));
    from = place + part.length;
  }
  return 'exercised';
});

/** The texts of outcomes that no transcript contains as they are: the model would read them as its tags. */
const unforged = ofTranscripts((wanted, came, at) => {
  const forged = wanted.find((text) => came.includes(text));
  return forged === undefined
    ? 'exercised'
    : mismatch(`${at} with the outcomes escaped`, `${shown(forged)} as it stood in an outcome`);
});

/** The facts by name. */
export const transcriptFacts: Facts = { transcripts, unforged };
