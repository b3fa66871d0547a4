/** The scenarios of clients: each case in each of its dialects, with a script for the provider. */
import type { JsonObject, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import type { Statement } from '../../../src/kit/spec/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import type { DialectName } from '../../../src/llm/index.ts';
import { programScenarios } from './cases/program.ts';
import { callCases } from './cases/calls.ts';
import type { Case, CaseTurn } from './cases/case.ts';
import { failureCases } from './cases/failures.ts';
import { responseCases } from './cases/responses.ts';
import { shapeCases } from './cases/shapes.ts';

/** All cases, in the order of play. */
export const cases: readonly Case[] = [...responseCases, ...shapeCases, ...callCases, ...failureCases];

/** The tools of every turn, with the results that the testee sends. */
const tools: JsonObject['tools'] = [
  {
    name: 'write_note',
    description: 'Writes a note down.',
    input_schema: {
      type: 'object',
      properties: { title: { type: 'string' }, body: { type: 'string' } },
      // A call that is cut in its first parameter under a false stop reason differs only by this from a call of a tool
      // without parameters.
      required: ['title'],
    },
    output: 'Written.',
  },
  {
    name: 'read_note',
    description: 'Reads a note.',
    input_schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    output: 'Milk, bread and a 🍎.',
  },
  {
    name: 'list_notes',
    description: 'Lists the titles of all notes.',
    input_schema: { type: 'object', properties: {} },
    output: 'shopping',
  },
];

/** Answers all other requests, such as those after tool results or after a truncation. */
const otherwise: JsonObject = { times: 'always', steps: [{ text: 'That is all.' }] };

const promptOf = (name: string, i: number): string => `Case ${name}, turn ${i + 1}: follow the instructions.`;

function scriptOf(name: string, turns: readonly CaseTurn[]): JsonObject {
  const first = turns.map(({ answer }, i) => ({ match: { contains: promptOf(name, i) }, ...answer }));
  return { title: name, turns: [...first, ...turns.flatMap(({ later = [] }) => later), otherwise] };
}

const line = (message: JsonObject): ScenarioStep => ({ send: { from: 'tester', message } });

const answer = (id: string, within: string): ScenarioStep => ({
  await: { from: 'target', to: 'tester', match: { id }, within },
});

function stepsOf(name: string, dialect: DialectName, turn: CaseTurn, i: number): readonly ScenarioStep[] {
  const id = `turn-${i + 1}`;
  const { asks = {}, about = {}, meanwhile = [], awaits = [answer(id, '$timeouts.step')] } = turn;
  const request: JsonObject = {
    id,
    op: 'llm.turn',
    dialect,
    base_url: '$llm_url',
    model: 'wireproof-1',
    system: 'You keep notes.',
    prompt: promptOf(name, i),
    max_tokens: 4096,
    tools,
    max_rounds: 8,
    stream: true,
    ...asks,
  };
  const mark = { case: { name, turn: i + 1, ...about } };
  return [{ mark, verbatim: true }, line(request), ...meanwhile, ...awaits];
}

/** The part of a case that one scenario plays: turns in one dialect. */
export interface Scene {
  readonly name: string;
  readonly title: string;
  readonly turns: readonly CaseTurn[];
  readonly exercises?: readonly string[];
  readonly features?: readonly string[];
}

/** A scenario of turns in a dialect. */
export function scenarioFor(scene: Scene, dialect: DialectName): Scenario {
  const { name, title, turns, exercises = [], features = [] } = scene;
  return {
    name,
    title,
    suite: 'llm/client',
    needs: { drive: [], features: [dialect, ...features], carrier: ['stdio'] },
    exercises: exercises.toSorted(),
    fresh: false,
    alone: false,
    last: false,
    reference: {},
    peers: {
      provider: { role: 'llm/provider', options: { script: scriptOf(name, turns) } },
      tester: { role: 'llm/tester', options: {} },
    },
    steps: [
      line({ id: 'hello', op: 'hello' }),
      answer('hello', '$timeouts.handshake'),
      ...turns.flatMap((turn, i) => stepsOf(name, dialect, turn, i)),
    ],
  };
}

function sceneOf({ name, title, turns, exercises, features }: Case, dialect: DialectName): Scene {
  return {
    name: `${dialect}-${name}`,
    title: `${dialect}: ${title}`,
    turns: turns(dialect),
    exercises: typeof exercises === 'function' ? exercises(dialect) : exercises,
    ...(features === undefined ? {} : { features }),
  };
}

/** Asks a testee for its operations and dialects. */
export const helloScenario: Scenario = {
  ...scenarioFor(
    { name: 'hello', title: 'The testee names its operations and dialects', turns: [] },
    'anthropic',
  ),
  needs: { drive: [], features: [], carrier: ['stdio'] },
};

/**
 * All scenarios: for testees, and for whole programs.
 *
 * @throws WireproofError 'usage' when the witness of the statement's tool cannot show whether a call was run
 */
export const clientScenarios = (statement?: Statement): readonly Scenario[] => [
  helloScenario,
  ...cases.flatMap((one) =>
    (one.dialects ?? dialects).map((dialect) => scenarioFor(sceneOf(one, dialect), dialect)),
  ),
  ...programScenarios(statement),
];
