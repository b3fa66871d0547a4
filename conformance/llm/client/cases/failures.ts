/** Cases about providers that refuse, are busy or stall, and about callers that abort. */
import type { ScenarioStep } from '../../../../src/kit/base/index.ts';
import { textStep, dialectsExcept } from './case.ts';
import type { Case } from './case.ts';

const refused: Case = {
  name: 'refused',
  title: 'the provider refuses the request for good',
  dialects: dialectsExcept('lmstudio'),
  exercises: ['LLM-C09'],
  turns: () =>
    [
      { type: 'invalid_request', message: 'messages: too short', status: 400 },
      { type: 'authentication', message: 'invalid key', status: 401 },
      { type: 'not_found', message: 'no such model', status: 404 },
    ].map((error) => ({ answer: { steps: [{ error }], times: 'always' } })),
};

const busy: Case = {
  name: 'busy-once',
  title: 'the provider is busy, and says when to try again',
  dialects: dialectsExcept('lmstudio'),
  exercises: (dialect) => ['LLM-C09', ...(dialect === 'ollama' ? [] : ['LLM-C22'])],
  turns: () => [
    {
      answer: {
        steps: [{ error: { type: 'overloaded', message: 'Overloaded', status: 529, retry_after: '2s' } }],
      },
      later: [{ steps: [textStep('Here I am.')] }],
    },
  ],
};

const always: Case = {
  name: 'busy-for-ever',
  title: 'the provider is busy for every attempt',
  exercises: ['LLM-C09'],
  turns: () => [
    {
      answer: {
        steps: [{ error: { type: 'rate_limit', message: 'Slow down', status: 429, retry_after: '1s' } }],
        times: 'always',
      },
      awaits: [{ await: { from: 'target', to: 'tester', within: '$timeouts.stalled', optional: true } }],
    },
  ],
};

const letGo: readonly ScenarioStep[] = [
  {
    await: {
      from: 'target',
      to: 'provider',
      kind: ['end', 'reset'],
      within: '$timeouts.released',
      optional: true,
    },
    else: { await: { from: 'target', to: 'provider', match: { body: { message: { type: 'cancel' } } } } },
  },
  { quiet: { for: '500ms' } },
];

const abort: Case = {
  name: 'abort',
  features: ['streaming'],
  title: 'the caller aborts during the answer',
  exercises: ['LLM-C10'],
  turns: () => [
    {
      answer: {
        steps: [
          textStep('One, two, three, four, five, six, seven, eight, nine, '),
          { barrier: 'never' },
          textStep('ten.'),
        ],
        chunk: { size: 5 },
      },
      asks: { abort_after_events: 3 },
      awaits: letGo,
    },
  ],
};

const stall: Case = {
  name: 'stall',
  title: 'the provider falls silent in the middle of its stream',
  exercises: ['LLM-C15', 'LLM-C23'],
  turns: () => [
    {
      answer: { steps: [textStep('Wait for it')], signal: 'missing', transport: 'stall' },
      asks: { timeout_ms: 1500 },
      awaits: [{ await: { from: 'target', to: 'tester', within: '$timeouts.stalled', optional: true } }],
    },
  ],
};

/** LM Studio's errors have no status, so a client cannot tell which request to try again. */
export const failureCases: readonly Case[] = [refused, busy, always, abort, stall];
