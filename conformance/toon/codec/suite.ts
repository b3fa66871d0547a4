/**
 * The suite of TOON codecs (TOON is Task Orchestration Over Node, not Token-Oriented Object Notation). The target is a
 * testee that encodes and decodes messages.
 */
import { exactJsonOf } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Suite } from '../../../src/kit/suite/index.ts';
import { opOf, testeeSuite } from '../../../src/kit/testee/index.ts';
import type { AnsweredTest, Judgement } from '../../../src/kit/testee/index.ts';
import { toonTestee } from '../../../src/toon/index.ts';
import { judgeAnswer, showsRequirement } from './judge.ts';
import { advertised, codecMemory } from './memory.ts';
import type { CodecMemory, CodecView } from './memory.ts';
import { codecMutants } from './mutants/index.ts';
import { codecPlan } from './plan.ts';

/** TOON codecs. The kit sends operations, and the target answers. */
export const toonCodecSuite: Suite<CodecView> = testeeSuite({
  id: 'toon/codec',
  protocol: 'toon',
  role: 'codec',
  title: 'TOON codecs: are bytes made and read as TOON (Task Orchestration Over Node) demands?',
  features: [
    {
      name: 'compression',
      advertised: true,
      text: 'compresses large payloads (toon.rle.encode, or seen in what it encodes)',
    },
  ],
  advertised,
  memory: codecMemory,
  judge,
  supportingOps: { 'TOON-08': ['toon.validate'], 'TOON-12': ['toon.decode'], 'TOON-38': ['toon.encode'] },
  plan: codecPlan,
  reference: toonTestee,
  readsExactly: true,
  mutants: codecMutants,
});

/** The row about digits of integers. */
const exactRow = 'TOON-56';

function judge(row: string, answered: AnsweredTest<CodecMemory>): Judgement {
  const { test, request, answer, line, view } = answered;
  // Judges only the facts of this row, not of the other rows of the test.
  const codes = view.hello?.answer['codes'] === true;
  // The decoded answer has lost digits of large integers.
  const exact = row === exactRow && line !== undefined ? (exactJsonOf(line) as JsonObject) : answer;
  const violated = judgeAnswer({ ...test, requirements: [row] }, request, exact, { codes });
  if (violated !== undefined) return { violated };
  if (!showsRequirement(row, request, answer)) return undefined;
  return row === 'TOON-08' ? validatesInside(answered) : 'exercised';
}

/**
 * TOON-08, "MUST validate inside decode": a message that the testee's own validate calls invalid must not be decoded. An
 * `acceptable` test only exercises the row after such a validation.
 */
function validatesInside({ test, request, answer, view }: AnsweredTest<CodecMemory>): Judgement {
  const { wire } = request;
  const isInvalid =
    opOf(test) === 'toon.decode' && typeof wire === 'string' && view.memory.validity.get(wire) === false;
  if (!isInvalid) return test.result === 'acceptable' ? undefined : 'exercised';
  if (answer['ok'] === undefined) return 'exercised';
  return { violated: 'expected a refusal, because validate called this message invalid; came ok' };
}
