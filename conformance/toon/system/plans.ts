/** Random instructions of a session, and the tools and contexts of its orchestrator. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import { directive } from '../../../src/toon/index.ts';
import type { Step, ToolStep } from '../../../src/toon/index.ts';

/** One of several values. */
export const pick = <T>(random: Random, values: readonly T[]): T => values[random.below(values.length)] as T;

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

const words = ['Reading', '', '\n', 'é𝄞', '\u202E', '"quoted"', '__proto__', 'x'.repeat(1300)] as const;

/** Tools that work at once or later, one that fails, and one that the orchestrator does not have. */
const toolNames = ['read', 'build', 'deploy', 'missing'] as const;

const paths = ['README.md', 'src', 'missing'] as const;

/** What the orchestrator knows: its tools by name, and its contexts by path. */
export const knowledge = (random: Random): JsonObject => ({
  tools: {
    read: { success: true, data: pick(random, words) },
    build: { success: true, data: { built: [1, null, true] }, duration: 1 + random.below(3000) },
    deploy: { success: false, error: 'no permission', duration: random.below(200) },
  },
  context: { 'README.md': pick(random, words), src: ['a.ts', 'b.ts'] },
});

/** A call. Some of the calls of a step have ids, `id` and a number; these differ from each other. */
const call = (random: Random, id: string): ToolStep => ({
  name: pick(random, toolNames),
  ...(random.below(2) === 0 ? {} : { args: { path: pick(random, words) } }),
  ...(random.below(2) === 0 ? {} : { requestId: id }),
});

function step(random: Random, id: string): Step {
  switch (random.below(11)) {
    case 0:
    case 1:
      return { say: pick(random, words), progress: random.below(101) / 100 };
    case 2:
      return {
        status: { status: pick(random, ['executing', 'analyzing']), progress: random.below(11) / 10 },
      };
    case 3:
      return { pad: { text: pick(random, ['-', 'abc', 'é']), bytes: random.below(4000) } };
    case 4:
    case 5:
      return { tool: call(random, id) };
    case 6:
      return { tools: times(1 + random.below(5), (i) => call(random, `${id}.${i}`)) };
    case 7:
      return {
        context: {
          type: 'file',
          path: pick(random, paths),
          ...(random.below(2) === 0 ? {} : { requestId: id }),
        },
      };
    case 8:
      return { heartbeat: true };
    case 9:
      return { wait_ms: pick(random, [1, 40, 700, 12_000]) };
    default:
      return random.below(3) === 0
        ? { fail: { code: 'FAILED', message: pick(random, words) } }
        : { say: 'On.' };
  }
}

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

/** The text of the instruction with a number: mostly a directive. Some are in plain words, and some cannot be obeyed. */
export function instructionText(random: Random, n: number): string {
  const kind = random.below(12);
  if (kind === 0) return pick(random, words);
  if (kind === 1) return directive([{ dance: true }]);
  return directive(rising(times(1 + random.below(7), (i) => step(random, `${n}.${i}`))));
}
