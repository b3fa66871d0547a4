/** The suite of parsers. The target is a testee that gets outputs of a model in pieces, and answers with their events. */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { vectorInput } from '../../../src/kit/spec/index.ts';
import type { VectorFile } from '../../../src/kit/spec/index.ts';
import { exactAnswer, testeeSuite } from '../../../src/kit/testee/index.ts';
import type { TesteeDefinition, TesteeView, UnitsOfOp, VectorOfOp } from '../../../src/kit/testee/index.ts';
import { sepTestee } from '../../../src/sep/index.ts';
import { extensionFeatures, featuresOfThemes } from '../extension-features.ts';
import { neededFeatures } from '../needed-features.ts';
import { vectorsOf } from '../vectors-of.ts';
import { judgeCut, judgeParse } from './judge.ts';
import { outputOf, parserMemory } from './memory.ts';
import type { ParserMemory } from './memory.ts';
import { lawfulParsers } from './lawful/index.ts';
import { parserMutants } from './mutants/index.ts';

/** The parts of the suite. */
export const parserDefinition: TesteeDefinition<ParserMemory> = {
  id: 'sep/parser',
  protocol: 'sep',
  role: 'parser',
  title: 'SEP parsers: thoughts, actions and responses in the output of a model',
  features: [
    {
      name: 'thought_actions',
      advertised: true,
      text: 'actions inside of thoughts',
    },
    {
      name: 'non_final_responses',
      advertised: true,
      text: 'responses with final="false"',
    },
    {
      name: 'feeds',
      advertised: true,
      text: 'events of context feeds',
    },
    {
      name: 'response_ends',
      advertised: true,
      text: 'an event at the end of each response',
    },
    {
      name: 'diagnostics',
      advertised: true,
      text: 'events that report faults of the output',
    },
    ...extensionFeatures,
  ],
  memory: parserMemory,
  judge: (row, { test, request, answer, line, view }) =>
    row === 'SEP-03'
      ? judgeCut(request, answer, view.memory)
      : judgeParse(test.expect ?? {}, request, exactAnswer(answer, line), view.hello?.features ?? []),
  plan: {
    testsAtMost: 60,
    features: featuresOfThemes,
    featuresOf: neededFeatures,
    themes: [
      'tags',
      'extensions-off',
      'thoughts',
      'bodies',
      'actions',
      'responses',
      'source',
      'templates',
      'sub-thoughts',
      'texts',
      'strays',
      'sequels',
      'cuts',
    ],
    unitsOf,
  },
  vectors: () => vectorsOf('sep.parse'),
  reference: sepTestee,
  mutants: parserMutants,
  lawful: lawfulParsers,
};

/** Parsers of SEP: the kit sends outputs, the target answers with events. */
export const sepParserSuite: Suite<TesteeView<ParserMemory>> = testeeSuite(parserDefinition);

/** The tests of one operation are units, but all cuts of an output are one: its events are compared with those of the whole. */
function unitsOf({ vectors }: VectorFile): readonly UnitsOfOp[] {
  return vectors.groups.map(({ op, tests }) => {
    const units: VectorOfOp[][] = [];
    let output: string | undefined;
    for (const test of tests) {
      const own = test.requirements.includes('SEP-03') ? outputOf(vectorInput(test)) : undefined;
      if (own === undefined || own !== output) units.push([]);
      units.at(-1)?.push({ op, test });
      output = own;
    }
    return { op, units };
  });
}
