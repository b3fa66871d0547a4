/** Generators for SEP (the Streaming Execution Protocol): outputs of a model, their cuts, and the inputs of an executor. */
import fc from 'fast-check';
import type { Json } from '../kit/base/index.ts';
import { actionModes, actionTypes, blockNames, errorReactions } from './parser/events.ts';
import type { SepAction, SepEvent } from './parser/events.ts';
import type { ExecutorInput } from './executor/io.ts';

const pieces = fc.constantFrom(
  '<thought>',
  '</thought>',
  '<response>',
  '<response final="false">',
  '</response >',
  '<action type="tool" mode="async" id="a">',
  '<action id=b depends_on=["a", "b"]>',
  '{"name":"n","parameters":{"t":"$x </action> "}}',
  '{"name":"n',
  '"',
  '\\',
  '</action>',
  '</action ',
  '<context_feed id="f">',
  '</context_feed>',
  '<!-- ',
  ' -->',
  '<',
  '>',
  '\n',
  'text 𝒙 é',
);

/** Outputs of a model: tags, halves of tags, bodies with tags in their texts, and any text between them. */
export const outputs: fc.Arbitrary<string> = fc
  .array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 30 })
  .map((all) => all.join(''));

/** An output, and the same output in pieces. */
export const cutOutputs: fc.Arbitrary<{ readonly output: string; readonly chunks: readonly string[] }> = fc
  .tuple(outputs, fc.array(fc.nat(300)))
  .map(([output, cuts]) => {
    const inside = cuts.filter((cut) => cut < output.length);
    const at = [...new Set([0, ...inside, output.length])].toSorted((a, b) => a - b);
    return { output, chunks: at.slice(1).map((to, i) => output.slice(at[i], to)) };
  });

// Few ids, so that actions meet: they depend on each other, and outcomes find them.
const ids = fc.constantFrom('a', 'b', 'c', 'd', '__proto__');
const attempts = fc.integer({ min: 0, max: 3 });
const json = fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>;
const texts = fc.oneof(
  ids.map((id) => `$${id}`),
  fc.constantFrom('$', '$$a', '$out', 'the $out.', '$o'),
  fc.string({ maxLength: 6 }),
);

/** Actions of few ids, as the parser gives them. */
export const actions: fc.Arbitrary<SepAction> = fc
  .record(
    {
      id: ids,
      type: fc.constantFrom(...actionTypes),
      mode: fc.constantFrom(...actionModes),
      name: fc.constantFrom('n', 'm'),
      parameters: fc.record({ p: fc.oneof(texts, json) }),
      output_key: fc.constantFrom('out', 'a'),
      depends_on: fc.uniqueArray(ids, { maxLength: 2 }),
      timeout: fc.constantFrom(0.5, 2),
      retry: fc.nat(2),
      on_error: fc.constantFrom(...errorReactions),
    },
    { requiredKeys: ['id', 'type', 'mode', 'name', 'parameters', 'depends_on', 'on_error'] },
  )
  .map((action) => action satisfies SepAction);

const events: fc.Arbitrary<SepEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('action' as const), action: actions }) },
  fc.record({ type: fc.constantFrom('thought' as const, 'text' as const), text: texts }),
  fc.record({ type: fc.constant('response' as const), text: texts, final: fc.boolean() }),
  fc.record({ type: fc.constant('response_end' as const), final: fc.boolean(), complete: fc.boolean() }),
  // Also where they do not fit together.
  fc.record({
    type: fc.constant('block' as const),
    name: fc.constantFrom(...blockNames),
    attributes: fc.constantFrom({}, { test: '$a' }, { test: 'true' }, { in: '[1, 2]', id: 'c' }),
  }),
  fc.constant({ type: 'branch' as const }),
  fc.record({
    type: fc.constant('block_end' as const),
    name: fc.constantFrom(...blockNames),
    complete: fc.boolean(),
  }),
);

/** Inputs of an executor in any order: most of them are possible, and some come in the wrong phase. */
export const executorInputs: fc.Arbitrary<readonly ExecutorInput[]> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.record({ type: fc.constant('event' as const), event: events }) },
      {
        weight: 3,
        arbitrary: fc.record({
          type: fc.constant('succeeded' as const),
          id: ids,
          attempt: attempts,
          output: json,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          type: fc.constant('failed' as const),
          id: ids,
          attempt: attempts,
          error: fc.constant('no'),
        }),
      },
      fc.record({ type: fc.constant('timeout' as const), id: ids, attempt: attempts }),
      fc.record({ type: fc.constant('output' as const), text: texts }),
      { weight: 1, arbitrary: fc.constantFrom<ExecutorInput>({ type: 'ended' }, { type: 'begin' }) },
    ),
    { maxLength: 40 },
  )
  .map((all): readonly ExecutorInput[] => [{ type: 'begin' }, ...all]);
