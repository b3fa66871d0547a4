/** The suite of codecs. The target is a testee that gets texts of messages, and answers with them as it sends them. */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { noMemory, testeeSuite } from '../../../src/kit/testee/index.ts';
import type { TesteeDefinition, TesteeView } from '../../../src/kit/testee/index.ts';
import { kodaTestee } from '../../../src/koda/index.ts';
import { judgeAnswer } from './judge.ts';
import { codecMutants } from './mutants/index.ts';

/** The parts of the suite. */
const definition: TesteeDefinition<null> = {
  id: 'koda/codec',
  protocol: 'koda',
  role: 'codec',
  title: 'Koda codecs: are events and commands read and written as serde does?',
  memory: noMemory,
  judge: (row, { test, request, answer, view }) =>
    judgeAnswer(row, test, request, answer, { codes: view.hello?.answer['codes'] === true }),
  plan: {
    testsAtMost: 60,
    themes: ['accepted', 'refused', 'mixed'],
    nameOf: (theme, op) => `${theme}-${op.replace('koda.', '')}`,
  },
  reference: kodaTestee,
  mutants: codecMutants,
};

/** Codecs of Koda: the kit sends texts of messages, the target answers. */
export const kodaCodecSuite: Suite<TesteeView<null>> = {
  ...testeeSuite(definition),
  profiles: {
    serde: {
      expected: [
        {
          id: 'KODA-69',
          reason: 'serde reads an array of fields as an object, and the number of a variant as its tag',
          known: true,
        },
      ],
    },
  },
};
