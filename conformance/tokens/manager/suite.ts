/**
 * The suite of token managers. The target is a testee that gets responses, usages and conversations, and answers with
 * its results.
 */
import type { ScenarioStep } from '../../../src/kit/base/index.ts';
import { vectorInput } from '../../../src/kit/spec/index.ts';
import type { Vector } from '../../../src/kit/spec/index.ts';
import type { Suite } from '../../../src/kit/suite/index.ts';
import {
  answerStep,
  markStep,
  noMemory,
  requestStep,
  stepsOf,
  testeeSuite,
} from '../../../src/kit/testee/index.ts';
import type { TesteeDefinition, TesteeView, VectorOfOp } from '../../../src/kit/testee/index.ts';
import { tokensTestee } from '../../../src/tokens/index.ts';
import { judgeAnswer } from './judge.ts';
import { lawfulManagers } from './lawful/index.ts';
import { managerMutants } from './mutants/index.ts';

/** The parts of the suite. */
export const managerDefinition: TesteeDefinition<null> = {
  id: 'tokens/manager',
  protocol: 'tokens',
  role: 'manager',
  title: 'Token managers: conversations at the output limit and the context window',
  memory: noMemory,
  judge: (_, { test, request, answer, line }) => judgeAnswer(test.expect ?? {}, request, answer, line),
  plan: {
    testsAtMost: 30,
    themes: 'response budget estimate prune summarize turn room random-prune random-turn'.split(' '),
    stepsOf: stepsOfTest,
  },
  reference: tokensTestee,
  readsExactly: true,
  mutants: managerMutants,
  lawful: lawfulManagers,
};

/** Token managers: the kit sends operations, the target answers. */
export const tokensManagerSuite: Suite<TesteeView<null>> = testeeSuite(managerDefinition);

/**
 * Tests with this flag are sent a second time, with the messages of the first answer. The same messages must come
 * again.
 */
const again = 'again';

function stepsOfTest({ op, test }: VectorOfOp): readonly ScenarioStep[] {
  if (!test.flags.includes(again)) return stepsOf({ op, test });
  const second: Vector = { ...test, id: `${test.id}-${again}`, expect: { unchanged: true } };
  return [
    markStep(test),
    requestStep({ id: test.id, op, ...vectorInput(test) }),
    {
      await: { from: 'target', match: { id: test.id }, within: '$timeouts.step' },
      as: { came: 'ok.messages' },
    },
    markStep(second),
    requestStep({ ...vectorInput(test), id: second.id, op, messages: '$came' }, false),
    answerStep(second.id),
  ];
}
