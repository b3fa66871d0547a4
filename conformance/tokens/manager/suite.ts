/**
 * The suite of token managers: the target is a testee that is shown responses, usages and conversations, and says what
 * it makes of them.
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
import { managerMutants } from './mutants/index.ts';

/** What the suite is made of. */
export const managerDefinition: TesteeDefinition<null> = {
  id: 'tokens/manager',
  protocol: 'tokens',
  role: 'manager',
  title: 'Token managers: do conversations survive the output limit and the context window?',
  memory: noMemory,
  judge: (_, { test, request, answer }) => judgeAnswer(test.expect ?? {}, request, answer),
  plan: {
    testsAtMost: 30,
    themes: 'response budget estimate prune summarize turn room random-prune random-turn'.split(' '),
    stepsOf: stepsOfTest,
  },
  reference: tokensTestee,
  mutants: managerMutants,
};

/** Token managers: the target answers operations, the kit asks. */
export const tokensManagerSuite: Suite<TesteeView<null>> = testeeSuite(managerDefinition);

/** Tests with this flag are put a second time, with the messages that came: these must come again. */
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
