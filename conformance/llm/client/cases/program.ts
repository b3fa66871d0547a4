/**
 * Scenarios for whole programs: the kit starts one, and is the provider that it asks. Its prompt is its own, and so are
 * its tools: the script calls the first that it offers (`*`), with arguments made from its schema.
 */
import type { JsonObject, Scenario } from '../../../../src/kit/base/index.ts';

/** What a program is answered, and what that puts to the test. */
interface ProgramCase {
  readonly name: string;
  readonly title: string;
  readonly turns: readonly JsonObject[];
  readonly exercises: readonly string[];
}

const call: JsonObject = { tool_call: { name: '*', input: {} } };
const raw = (text: string): JsonObject => ({ tool_call: { name: '*', arguments: text } });
const say = (text: string): JsonObject => ({ text });

/** Answers what else comes. */
const otherwise: JsonObject = { times: 'always', steps: [say('That is all.')] };

const programCases: readonly ProgramCase[] = [
  {
    name: 'program-tool',
    title: 'A program that calls a tool, and brings its result',
    turns: [{ steps: [say('I will see.'), call] }],
    exercises: ['LLM-C08'],
  },
  {
    name: 'program-cut',
    title: 'A program that the limit cuts in the middle of a tool call',
    turns: [{ steps: [say('I will see.'), call, call], cut: { step: 2, at: { char: 9 } } }],
    exercises: [],
  },
  {
    name: 'program-lying',
    title: 'A program that is cut where the stop signal says tool use',
    turns: [{ steps: [call, call], cut: { step: 1, at: { char: 9 } }, signal: 'lying' }],
    exercises: ['LLM-C05', 'LLM-C08'],
  },
  {
    name: 'program-unparsable',
    title: 'A program that is called with arguments that are no JSON',
    turns: [{ steps: [call, raw('{"a": "b",, "c": }')] }],
    exercises: ['LLM-C02', 'LLM-C08'],
  },
  {
    name: 'program-no-object',
    title: 'A program that is called with arguments that are no object',
    turns: [{ steps: [call, raw('["a", "b"]')] }],
    exercises: ['LLM-C08', 'LLM-C16'],
  },
  {
    name: 'program-busy',
    title: 'A program whose provider is busy at first',
    turns: [{ steps: [{ error: { type: 'overloaded', message: 'busy', status: 529, retry_after: '1s' } }] }],
    exercises: ['LLM-C22'],
  },
  {
    name: 'program-error',
    title: 'A program whose stream ends with an error behind a tool call',
    turns: [{ steps: [say('I will see.'), call, { error: { type: 'overloaded', message: 'busy' } }] }],
    exercises: [],
  },
];

/** What the reference does as a program, in the simulated world. */
const reference: JsonObject = {
  program: {
    id: 'program',
    op: 'llm.turn',
    dialect: 'openai-chat',
    base_url: 'http://llm.simulated',
    model: 'wireproof-1',
    prompt: 'Do what you are there for.',
    max_tokens: 4096,
    max_rounds: 4,
    stream: true,
    tools: [
      {
        name: 'note',
        description: 'Writes a note down.',
        input_schema: { type: 'object', properties: { text: { type: 'string' } } },
        output: 'Written.',
      },
    ],
  },
};

/** The scenarios of programs: each begins with the program, and is over when that has ended. */
export const programScenarios = (): readonly Scenario[] =>
  programCases.map(({ name, title, turns, exercises }) => ({
    name,
    title,
    suite: 'llm/client',
    needs: { drive: [], features: [], carrier: ['http'] },
    exercises,
    fresh: false,
    alone: false,
    last: false,
    reference,
    peers: {
      provider: { role: 'llm/provider', options: { script: { title: name, turns: [...turns, otherwise] } } },
    },
    steps: [{ await: { from: 'target', kind: 'process', within: '$timeouts.program', optional: true } }],
  }));
