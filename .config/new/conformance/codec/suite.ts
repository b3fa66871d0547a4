/** The suite of codecs: the target is a testee that decodes lines. */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { judgeVector, noMemory, testeeSuite } from '../../../src/kit/testee/index.ts';
import type { TesteeView } from '../../../src/kit/testee/index.ts';
import { sampleTestee } from '../../../src/sample/index.ts';
import { codecMutants } from './mutants/index.ts';

/** Codecs: the target answers operations, the kit asks. */
export const sampleCodecSuite: Suite<TesteeView<null>> = testeeSuite({
  id: 'sample/codec',
  protocol: 'sample',
  role: 'codec',
  title: 'Sample codecs: does this codec decode messages and refuse everything else?',
  memory: noMemory,
  judge: (_, { test, answer }) => judgeVector(test, answer),
  plan: { testsAtMost: 30 },
  reference: sampleTestee,
  mutants: codecMutants,
});
