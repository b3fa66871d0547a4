/** Random directives, and random commands of an unruly client. */
import type { EngineCommand, Step, Tool } from '../../../src/koda/index.ts';
import { directive } from '../../../src/koda/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';

/** One of several values. */
export const pick = <T>(random: Random, values: readonly T[]): T => values[random.below(values.length)] as T;

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

const words = ['Hello', ' ', '', '\n', 'é𝄞', '\u202E', '"quoted"', 'a long one '.repeat(40)] as const;

const texts = (random: Random): string | readonly string[] =>
  random.below(3) === 0 ? pick(random, words) : times(1 + random.below(5), () => pick(random, words));

const toolNames = ['Bash', 'Read', 'Edit', 'Write', 'AskUser'] as const;

/** A call of a tool, with some of the members that a call can have. */
function tool(random: Random, waits: boolean): Tool {
  const name = pick(random, toolNames);
  const lines = times(random.below(4), (i): readonly [string, boolean] => [
    `line ${i}`,
    random.below(3) === 0,
  ]);
  const plain: Tool = { name, args: { n: random.below(1000) }, lines, output: pick(random, words) };
  if (!waits) return plain;
  switch (random.below(7)) {
    case 0:
      return { ...plain, approval: { detail: 'do it' } };
    case 1:
      return { ...plain, ask: { question: 'Which?', options: random.below(2) === 0 ? [] : ['a', 'b'] } };
    case 2:
      return { ...plain, blocked: { preview: { kind: 'PathNotFound' } } };
    case 3:
      return { ...plain, sub_agent: 'explorer' };
    case 4:
      return random.below(4) === 0 ? { ...plain, hold: true } : plain;
    default:
      return plain;
  }
}

/** A random step of a directive. */
export function step(random: Random): Step {
  switch (random.below(12)) {
    case 0:
      return { think: texts(random) };
    case 1:
    case 2:
    case 3:
      return { say: texts(random) };
    case 4:
    case 5:
    case 6:
      return { tool: tool(random, true) };
    case 7:
      return { parallel: times(1 + random.below(4), () => tool(random, false)) };
    case 8:
      return { loop_cap: random.below(2) === 0 ? {} : { cap: 1 + random.below(300) } };
    case 9:
      return { usage: { prompt_tokens: random.below(5000), completion_tokens: random.below(500) } };
    case 10:
      return pick<Step>(random, [
        { compact: { used: random.below(1000) } },
        { error: { message: 'a plugin failed' } },
        { error: { message: 'the provider is away', fatal: true } },
      ]);
    default:
      return random.below(3) === 0 ? { cancel_point: true } : { wait_ms: random.below(400) };
  }
}

/** The text of a random prompt: mostly a directive. */
export const promptText = (random: Random): string =>
  random.below(8) === 0 ? pick(random, words) : directive(times(1 + random.below(8), () => step(random)));

/** A command that a client may send at any moment, right or wrong. */
export function unrulyCommand(random: Random): EngineCommand {
  switch (random.below(8)) {
    case 0:
    case 1:
      return { type: 'user_prompt', text: promptText(random), images: [] };
    case 2:
      return { type: 'approval_response', id: 'no-such-request', decision: { decision: 'approve' } };
    case 3:
      return { type: 'ask_user_response', id: 'no-such-question', answer: '' };
    case 4:
      return { type: 'loop_decision', action: pick(random, ['stop', 'continue50', 'continue200']) };
    case 5:
      return pick<EngineCommand>(random, [
        { type: 'slash_command', cmd: 'cost' },
        { type: 'slash_command', cmd: 'compact' },
        { type: 'slash_command', cmd: 'memory', action: null },
        { type: 'slash_command', cmd: 'switch_model', model: 'other' },
        { type: 'slash_command', cmd: 'inject_prompt', text: promptText(random) },
      ]);
    default:
      return { type: 'interrupt' };
  }
}
