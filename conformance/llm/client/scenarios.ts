/** The scenarios of clients: each scene in its dialect, with a script for the provider. */
import type { JsonObject, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import type { Statement } from '../../../src/kit/spec/index.ts';
import type { DialectName } from '../../../src/llm/index.ts';
import { noteTools } from './notes.ts';
import { programScenarios } from './programs.ts';
import { scenes } from './turns.ts';
import type { CaseTurn, Scene } from './turns.ts';

/** Answers all other requests, such as those after tool results or after a truncation. */
const otherwise: JsonObject = { times: 'always', steps: [{ text: 'That is all.' }] };

const promptOf = (name: string, i: number): string => `Case ${name}, turn ${i + 1}: follow the instructions.`;

function scriptOf(name: string, turns: readonly CaseTurn[]): JsonObject {
  const first = turns.map(({ answer, match }, i) => ({
    match: { contains: promptOf(name, i), ...match },
    ...answer,
  }));
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
    tools: noteTools,
    max_rounds: 8,
    stream: true,
    ...asks,
  };
  const mark = { case: { name, turn: i + 1, ...about } };
  return [{ mark, verbatim: true }, line(request), ...meanwhile.flat(), ...awaits];
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
  ...scenes().map(([scene, dialect]) => scenarioFor(scene, dialect)),
  ...programScenarios(statement),
];
