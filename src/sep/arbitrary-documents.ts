/** Generators of whole outputs of a model with what a parser must make of them, and of plans of actions for an executor. */
import fc from 'fast-check';
import type { Json } from '../kit/base/index.ts';
import { outputs } from './arbitrary.ts';
import { actionModes, errorReactions } from './parser/events.ts';

/** A block of an output, and the events that it makes: kinds with their text, or the id of an action. */
interface Block {
  readonly written: string;
  readonly made: readonly (readonly [kind: string, text: string])[];
}

/** A whole output with what it makes. */
export interface WellFormedOutput {
  readonly output: string;
  /** What comes of it in order, up to the first final response: adjacent texts of a kind are one. */
  readonly made: readonly (readonly [kind: string, text: string])[];
}

const freeText = fc
  .oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('a > b', 'é 𝒙 ←', '"', "it's", '&lt;', '\n\n', '{', '1. One\n2. Two', '$page'),
  )
  .map((text) => text.replaceAll('<', '').replaceAll(/[\uD800-\uDFFF]/g, ''));

const quote = fc.constantFrom('"', "'");

const ids = fc.uniqueArray(
  fc.string({ unit: fc.constantFrom(...'abcdefxyz_019'.split('')), minLength: 1, maxLength: 4 }),
  { minLength: 12, maxLength: 12 },
);

const bodyText = fc.constantFrom('x', '</action>', '"', '\\', '<response>', 'a\nb', '← 𝒙');

const actionBlock = (id: fc.Arbitrary<string>): fc.Arbitrary<Block> =>
  fc
    .record({
      id,
      mode: fc.constantFrom(...actionModes),
      text: bodyText,
      q: quote,
      indent: fc.constantFrom(0, 2),
    })
    .map(({ id: name, mode, text, q, indent }) => {
      const body = JSON.stringify({ name: 'n', parameters: { text } }, null, indent);
      return {
        written: `<action type=${q}tool${q} mode=${q}${mode}${q} id=${q}${name}${q}>${body}</action>`,
        made: [['action', name]],
      };
    });

const thoughtBlock = (id: fc.Arbitrary<string>): fc.Arbitrary<Block> =>
  fc.tuple(freeText, fc.option(actionBlock(id)), freeText).map(([before, action, after]) => ({
    written: `<thought>${before}${action?.written ?? ''}${after}</thought>`,
    made: [['thought', before], ...(action?.made ?? []), ['thought', after]],
  }));

const responseBlock: fc.Arbitrary<Block> = fc.tuple(freeText, fc.boolean()).map(([text, isFinal]) => ({
  written: `<response final="${String(isFinal)}">${text}</response >`,
  made: [[isFinal ? 'final' : 'response', text]],
}));

const textBlock: fc.Arbitrary<Block> = freeText.map((text) => ({ written: text, made: [['text', text]] }));

/** Outputs whose tags all have an end, whose bodies are right, and whose ids differ. */
export const wellFormedOutputs: fc.Arbitrary<WellFormedOutput> = ids.chain((names) => {
  let next = 0;
  const id = fc.constant(null).map(() => names[next++ % names.length] ?? '');
  const block = fc.oneof(thoughtBlock(id), actionBlock(id), responseBlock, textBlock);
  return fc.array(block, { maxLength: 12 }).map((blocks) => {
    next = 0;
    return { output: blocks.map(({ written }) => written).join(''), made: upToFinal(blocks) };
  });
});

function upToFinal(blocks: readonly Block[]): WellFormedOutput['made'] {
  const made = blocks.flatMap((block) => block.made);
  const end = made.findIndex(([kind]) => kind === 'final');
  return end < 0 ? made : made.slice(0, end + 1);
}

/** Outputs of a model: right ones, right ones that were damaged in a few places, and adversarial ones. */
export const anyOutputs: fc.Arbitrary<string> = fc.oneof(
  wellFormedOutputs.map(({ output }) => output),
  fc
    .tuple(
      wellFormedOutputs,
      fc.array(fc.tuple(fc.nat(), fc.nat(9), outputs), { minLength: 1, maxLength: 3 }),
    )
    .map(([{ output }, damages]) => damages.reduce(damaged, output)),
  outputs,
  fc
    .tuple(
      fc.constantFrom('<', '</', '<thought>', '<action ', '<!--', '</action', '"', '<response final="', '$'),
      fc.integer({ min: 1, max: 200 }),
    )
    .map(([piece, times]) => piece.repeat(times)),
);

/** Takes some characters out of an output, and puts others there. */
const damaged = (output: string, [at, length, other]: [number, number, string]): string => {
  const from = at % (output.length + 1);
  return output.slice(0, from) + other.slice(0, length) + output.slice(from + length);
};

/** An action of a plan, as its body in an output, and the outcomes of its calls. */
export interface PlannedCall {
  readonly id: string;
  readonly mode: string;
  readonly dependsOn: readonly string[];
  readonly written: string;
  readonly outcomes: readonly { readonly after: number; readonly output?: Json; readonly error?: string }[];
}

const planIds = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** Plans of up to six actions: chains, cycles, forward references, ids that never come, names of outputs, failures. */
export const plans: fc.Arbitrary<readonly PlannedCall[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.constantFrom(...planIds),
      mode: fc.constantFrom(...actionModes),
      dependsOn: fc.uniqueArray(fc.constantFrom(...planIds, 'nobody'), { maxLength: 2 }),
      names: fc.array(fc.constantFrom('$a', '$out_b', 'the $out_c.', '$nothing', '$$d'), { maxLength: 2 }),
      on_error: fc.constantFrom('skip', ...errorReactions),
      retry: fc.option(fc.nat(2), { nil: undefined }),
      timeout: fc.option(fc.constantFrom(0.5, 5), { nil: undefined }),
      outcomes: fc.array(
        fc.record(
          {
            after: fc.constantFrom(0, 0.3, 1, 2),
            output: fc.constantFrom<Json>('x', 1, null, '$a'),
            error: fc.constant('no'),
          },
          { requiredKeys: ['after'] },
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { selector: ({ id }) => id, maxLength: 6 },
  )
  .map((all) =>
    all.map(({ id, mode, dependsOn, names, outcomes, ...rest }) => {
      const parameters = Object.fromEntries(names.map((name, i) => [`p${i}`, name]));
      const body = { name: id, output_key: `out_${id}`, depends_on: dependsOn, parameters, ...rest };
      const written = `<action type="tool" mode="${mode}" id="${id}">${JSON.stringify(body)}</action>`;
      return { id, mode, dependsOn, outcomes, written };
    }),
  );
