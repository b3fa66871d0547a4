/**
 * Scenarios for whole programs. The kit starts the program and is its provider. The program chooses its prompt and
 * tools. The script calls the first offered tool (`*`), with arguments made from the tool's schema.
 */
import type { JsonObject, Scenario } from '../../../../src/kit/base/index.ts';

/** The answers to a program, and the requirements that they exercise. */
interface ProgramCase {
  readonly name: string;
  readonly title: string;
  readonly turns: readonly JsonObject[];
  readonly exercises: readonly string[];
}

const call: JsonObject = { tool_call: { name: '*', input: {} } };
const raw = (text: string): JsonObject => ({ tool_call: { name: '*', arguments: text } });
const say = (text: string): JsonObject => ({ text });

/** Answers all other requests. */
const otherwise: JsonObject = { times: 'always', steps: [say('That is all.')] };

const programCases: readonly ProgramCase[] = [
  {
    name: 'program-tool',
    title: 'A program that runs a tool and sends the result',
    turns: [{ steps: [say('I will see.'), call] }],
    exercises: ['LLM-C08'],
  },
  {
    name: 'program-cut',
    title: 'A program whose tool call is cut by the limit',
    turns: [{ steps: [say('I will see.'), call, call], cut: { step: 2, at: { char: 9 } } }],
    exercises: [],
  },
  {
    name: 'program-lying',
    title: 'A program whose tool call is cut, while the stop signal says tool use',
    turns: [{ steps: [call, call], cut: { step: 1, at: { char: 9 } }, signal: 'lying' }],
    exercises: ['LLM-C05', 'LLM-C08'],
  },
  {
    name: 'program-unparsable',
    title: 'A program whose tool call has arguments that are not JSON',
    turns: [{ steps: [call, raw('{"a": "b",, "c": }')] }],
    exercises: ['LLM-C02', 'LLM-C08'],
  },
  {
    name: 'program-no-object',
    title: 'A program whose tool call has arguments that are not an object',
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
    title: 'A program whose stream ends with an error after a tool call',
    turns: [{ steps: [say('I will see.'), call, { error: { type: 'overloaded', message: 'busy' } }] }],
    exercises: [],
  },
];

/** The turn that the reference runs as a program in the simulated world. */
const reference: JsonObject = {
  program: {
    id: 'program',
    op: 'llm.turn',
    dialect: 'openai-chat',
    base_url: 'http://llm.simulated',
    model: 'wireproof-1',
    prompt: 'Do your work.',
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

/** The scenarios of programs. A scenario starts the program, and ends when the program exits. */
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
