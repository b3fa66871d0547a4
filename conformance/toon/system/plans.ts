/** Random instructions of a session, and the tools and contexts of its orchestrator. */
import fc from 'fast-check';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { directive } from '../../../src/toon/index.ts';
import type { Step, ToolStep } from '../../../src/toon/index.ts';

const words = fc.constantFrom('Reading', '', '\n', 'é𝄞', '\u202E', '"quoted"', '__proto__', 'x'.repeat(1300));

/** Tools that work at once or later, one that fails, and one that the orchestrator does not have. */
const toolNames = fc.constantFrom('read', 'build', 'deploy', 'missing');

const paths = fc.constantFrom('README.md', 'src', 'missing');

/** What the orchestrator knows: its tools by name, and its contexts by path. */
export const knowledge: fc.Arbitrary<JsonObject> = fc
  .record({ read: words, built: fc.integer({ min: 1, max: 3000 }), failed: fc.nat(199), readme: words })
  .map(({ read, built, failed, readme }) => ({
    tools: {
      read: { success: true, data: read },
      build: { success: true, data: { built: [1, null, true] }, duration: built },
      deploy: { success: false, error: 'no permission', duration: failed },
    },
    context: { 'README.md': readme, src: ['a.ts', 'b.ts'] },
  }));

/** Whether a call has an id of its own. {@link instructionText} gives it one that no other call of the session has. */
const isNamed = fc.constantFrom({}, { requestId: '' });

const call: fc.Arbitrary<ToolStep> = fc
  .tuple(fc.record({ name: toolNames }), fc.constantFrom(false, true), words, isNamed)
  .map(([tool, hasArgs, path, id]) => ({ ...tool, ...(hasArgs ? { args: { path } } : {}), ...id }));

/** A number of `parts` as a share. */
const shareOf = (parts: number): fc.Arbitrary<number> => fc.nat(parts).map((n) => n / parts);

/** A step. A failure shrinks towards the first kind. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.constant<Step>({ say: 'On.' }) },
  { weight: 6, arbitrary: fc.record({ say: words, progress: shareOf(100) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      status: fc.record({ status: fc.constantFrom('executing', 'analyzing'), progress: shareOf(10) }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      pad: fc.record({ text: fc.constantFrom('-', 'abc', 'é'), bytes: fc.nat(3999) }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ tool: call }) },
  { weight: 3, arbitrary: fc.record({ tools: fc.array(call, { minLength: 1, maxLength: 5 }) }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(paths, isNamed)
      .map(([path, id]): Step => ({ context: { type: 'file', path, ...id } })),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ heartbeat: true }) },
  { weight: 3, arbitrary: fc.record({ wait_ms: fc.constantFrom(1, 40, 700, 12_000) }) },
  { weight: 1, arbitrary: words.map((message): Step => ({ fail: { code: 'FAILED', message } })) },
);

/** A text, or the steps of a directive. */
export type Instruction = string | readonly object[];

/** An instruction: mostly a directive. Some are in plain words, and some cannot be obeyed. */
export const instruction: fc.Arbitrary<Instruction> = fc.oneof(
  { weight: 10, arbitrary: fc.array(step, { minLength: 1, maxLength: 7 }).map(rising) },
  { weight: 1, arbitrary: words },
  { weight: 1, arbitrary: fc.constant([{ dance: true }]) },
);

/** Steps whose progress never falls (TOON-36). */
function rising(steps: readonly Step[]): readonly Step[] {
  let most = 0;
  const atLeast = (progress: number): number => (most = Math.max(most, progress));
  return steps.map((one) => {
    if ('say' in one && one.progress !== undefined) return { ...one, progress: atLeast(one.progress) };
    if (!('status' in one) || one.status.progress === undefined) return one;
    return { status: { ...one.status, progress: atLeast(one.status.progress) } };
  });
}

/** The text of the instruction with a number, which is part of its ids. */
export const instructionText = (given: Instruction, n: number): string =>
  typeof given === 'string' ? given : directive(given.map((one, i) => numbered(one, `${n}.${i}`)));

/** A step whose calls with ids have this id, and a number. */
function numbered(one: object, id: string): object {
  const named = <T extends object>(made: T, its: string): T =>
    'requestId' in made ? { ...made, requestId: its } : made;
  const { tool, tools, context } = one as { tool?: ToolStep; tools?: readonly ToolStep[]; context?: object };
  if (tool !== undefined) return { tool: named(tool, id) };
  if (tools !== undefined) return { tools: tools.map((made, i) => named(made, `${id}.${i}`)) };
  return context === undefined ? one : { context: named(context, id) };
}
