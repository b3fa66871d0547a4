/** The suite of executors. The target is a testee that gets outputs of a model and scripted providers, and answers with the events of the run. The same rules judge the events of a live run. */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { exactAnswer, testeeSuite } from '../../../src/kit/testee/index.ts';
import type { TesteeDefinition, TesteeView } from '../../../src/kit/testee/index.ts';
import { sepManifestTestee } from '../../../src/sep/edge/index.ts';
import { extensionFeatures, featuresOfThemes } from '../extension-features.ts';
import { neededFeatures } from '../needed-features.ts';
import { vectorsOf } from '../vectors-of.ts';
import { judgeRun } from './judge.ts';
import { lawfulExecutors } from './lawful/index.ts';
import { executorMutants } from './mutants/index.ts';
import { judgeEvent } from './rules/index.ts';
import { noFacts, takeEvent } from './model/take-event.ts';
import type { RunFacts } from './model/run-facts.ts';

/** The parts of the suite. */
export const executorDefinition: TesteeDefinition<RunFacts> = {
  id: 'sep/executor',
  protocol: 'sep',
  role: 'executor',
  title: 'SEP executors: the order, the outcomes and the values of actions',
  features: [
    { name: 'thought_actions', advertised: true, text: 'actions inside of thoughts' },
    {
      name: 'non_final_responses',
      advertised: true,
      text: 'responses with final="false", and further iterations',
    },
    { name: 'variables', advertised: true, text: 'references to outputs' },
    { name: 'dependencies', advertised: true, text: 'depends_on' },
    { name: 'timeouts', advertised: true, text: 'timeout' },
    { name: 'retries', advertised: true, text: 'retry' },
    {
      name: 'transcripts',
      advertised: true,
      text: 'the text that the model sees before a further iteration',
    },
    { name: 'diagnostics', advertised: true, text: 'events that report faults of the output' },
    { name: 'manifests', advertised: true, text: 'the context feeds of a manifest' },
    { name: 'internal_actions', advertised: true, text: 'actions that change the feeds of the run' },
    {
      name: 'internal_sources',
      advertised: true,
      text: 'the internal sources random and debug_context, and the formats of system_clock',
    },
    ...extensionFeatures,
  ],
  memory: { start: noFacts, take() {}, takeLive: takeEvent },
  judge: (row, { test, request, answer, line, view }) =>
    judgeRun(row, {
      isInvalid: test.result === 'invalid',
      mayBeRefused: test.result === 'acceptable',
      expect: test.expect ?? {},
      request,
      answer: exactAnswer(answer, line),
      features: view.hello?.features ?? [],
      isVirtual: view.hello?.virtual_time === true,
    }),
  judgeLive: (row, event, facts) => judgeEvent(row, facts, event),
  plan: {
    testsAtMost: 30,
    features: featuresOfThemes,
    featuresOf: neededFeatures,
    themes: [
      'order',
      'failures',
      'variables',
      'texts',
      'iterations',
      'feeds',
      'internal-actions',
      'conditions',
      'loops',
      'groups',
      'templates',
      'rollback',
      'partial-results',
      'transformations',
      'cross-feeds',
      'distributed-feeds',
    ],
  },
  vectors: () => vectorsOf('sep.run'),
  reference: sepManifestTestee,
  mutants: executorMutants,
  lawful: lawfulExecutors,
};

/** Executors of SEP: the kit sends outputs and outcomes, the target answers with events. */
export const sepExecutorSuite: Suite<TesteeView<RunFacts>> = {
  ...testeeSuite(executorDefinition),
};
