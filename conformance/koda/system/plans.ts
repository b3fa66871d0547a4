/** Random directives, and random commands of an unruly client. */
import fc from 'fast-check';
import type { EngineCommand, Step, Tool } from '../../../src/koda/index.ts';
import { directive } from '../../../src/koda/index.ts';

const words = fc.constantFrom('Hello', ' ', '', '\n', 'é𝄞', '\u202E', '"quoted"', 'a long one '.repeat(40));

const texts: fc.Arbitrary<string | readonly string[]> = fc.oneof(
  { weight: 1, arbitrary: words },
  { weight: 2, arbitrary: fc.array(words, { minLength: 1, maxLength: 5 }) },
);

const upTo = (n: number): fc.Arbitrary<number> => fc.nat(n);
const from1 = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max });

/** A call of a tool that ends by itself. */
const plainTool: fc.Arbitrary<Tool> = fc.record({
  name: fc.constantFrom('Bash', 'Read', 'Edit', 'Write', 'AskUser'),
  args: fc.record({ n: upTo(999) }),
  lines: fc.array(fc.boolean(), { maxLength: 3 }).map((ends) => ends.map((end, i) => [`line ${i}`, end])),
  output: words,
});

/** The members of a call that make it wait, or of which there is one. */
const toolExtras: fc.Arbitrary<Partial<Tool>> = fc.oneof(
  { weight: 9, arbitrary: fc.constant({}) },
  { weight: 4, arbitrary: fc.constant({ approval: { detail: 'do it' } }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom([], ['a', 'b']).map((options) => ({ ask: { question: 'Which?', options } })),
  },
  { weight: 4, arbitrary: fc.constant({ blocked: { preview: { kind: 'PathNotFound' } } }) },
  { weight: 4, arbitrary: fc.constant({ sub_agent: 'explorer' }) },
  { weight: 1, arbitrary: fc.constant({ hold: true }) },
);

const tool: fc.Arbitrary<Tool> = fc
  .tuple(plainTool, toolExtras)
  .map(([plain, extras]) => ({ ...plain, ...extras }));

/** A random step of a directive. A failure shrinks towards the first kind. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.record({ say: texts }) },
  { weight: 1, arbitrary: fc.record({ think: texts }) },
  { weight: 3, arbitrary: fc.record({ tool }) },
  {
    weight: 1,
    arbitrary: fc.record({ parallel: fc.array(plainTool, { minLength: 1, maxLength: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ loop_cap: fc.oneof(fc.constant({}), fc.record({ cap: from1(300) })) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      usage: fc.record({ prompt_tokens: upTo(4999), completion_tokens: upTo(499) }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ compact: fc.record({ used: upTo(999) }) }),
      fc.constantFrom<Step>(
        { error: { message: 'a plugin failed' } },
        { error: { message: 'the provider is away', fatal: true } },
      ),
    ),
  },
  { weight: 1, arbitrary: fc.record({ wait_ms: upTo(399) }) },
  { weight: 1, arbitrary: fc.constant({ cancel_point: true }) },
);

/** The text of a random prompt: mostly a directive. */
export const promptText: fc.Arbitrary<string> = fc.oneof(
  { weight: 7, arbitrary: fc.array(step, { minLength: 1, maxLength: 8 }).map((steps) => directive(steps)) },
  { weight: 1, arbitrary: words },
);

/** A command that a client may send at any moment, right or wrong. */
export const unrulyCommand: fc.Arbitrary<EngineCommand> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<EngineCommand>({ type: 'interrupt' }) },
  {
    weight: 2,
    arbitrary: promptText.map((text): EngineCommand => ({ type: 'user_prompt', text, images: [] })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<EngineCommand>(
      { type: 'approval_response', id: 'no-such-request', decision: { decision: 'approve' } },
      { type: 'ask_user_response', id: 'no-such-question', answer: '' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('stop', 'continue50', 'continue200')
      .map((action): EngineCommand => ({ type: 'loop_decision', action })),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constantFrom<EngineCommand>(
        { type: 'slash_command', cmd: 'cost' },
        { type: 'slash_command', cmd: 'compact' },
        { type: 'slash_command', cmd: 'memory', action: null },
        { type: 'slash_command', cmd: 'switch_model', model: 'other' },
      ),
      promptText.map((text): EngineCommand => ({ type: 'slash_command', cmd: 'inject_prompt', text })),
    ),
  },
);
