/**
 * Scenarios for whole programs: fixtures/llm/scenarios/client/programs.yaml. Turns of a script go to requests that offer
 * tools. A scenario that calls the statement's tool first calls it in order, and then in the shapes of its tests.
 */
import type { JsonObject, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import type { Statement } from '../../../src/kit/spec/index.ts';
import { programTest } from '../generated/scenario-validators.ts';
import { membersExcept, testsOfTable, testsByName } from '../scenario-tables.ts';
import type { ScenarioTest } from '../scenario-tables.ts';
import { agentToolOf, forCall, referenceTool, toolTurn, toolUses, witnessOf } from './agent-tool.ts';
import type { AgentTool, CallShape } from './agent-tool.ts';

/** An answer to a program, as its table has it. Further members are a script's. */
interface ProgramTest extends ScenarioTest {
  /** The row about executions that it is for. Then it needs the witness of the statement's tool. */
  readonly row?: string;
  /** The shape in which it calls the statement's tool. */
  readonly call?: CallShape;
  /** Timeouts that the user must name. */
  readonly timeouts?: readonly string[];
  /** How long the program may run. */
  readonly within?: string;
}

let read: readonly ProgramTest[] | undefined;
const programTests = (): readonly ProgramTest[] =>
  (read ??= testsOfTable<ProgramTest>('client/programs', {}, programTest).tests);

/** The members of a test that are not its answer's. */
const ownMembers: ReadonlySet<string> = new Set([
  'name',
  'title',
  'exercises',
  'row',
  'call',
  'timeouts',
  'within',
]);

function answerOf(test: ProgramTest, tool: AgentTool): JsonObject {
  const answer = membersExcept(test, ownMembers);
  return test.call === undefined ? answer : toolTurn(tool, test.name, 'forbidden', test.call, answer);
}

/** Answers all other requests. */
const otherwise: JsonObject = { times: 'always', steps: [{ text: 'That is all.' }] };

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
    max_rounds: 8,
    stream: true,
    timeout_ms: 5000,
    tools: [
      {
        name: referenceTool.name,
        description: 'Writes a note down.',
        input_schema: { type: 'object', properties: { text: { type: 'string' } } },
        output: referenceTool.shows ?? '',
      },
    ],
  },
};

/** The files that the calls of a scenario make, by use. */
const filesOf = ({ makes }: AgentTool, scenario: string): Pick<Scenario, 'watches'> =>
  makes === undefined
    ? {}
    : { watches: Object.fromEntries(toolUses.map((use) => [use, forCall(makes, scenario, use)])) };

function scenarioOf(tests: readonly ProgramTest[], first: ProgramTest, tool: AgentTool): Scenario {
  const { name, title, exercises, row, call, timeouts, within = '$timeouts.program' } = first;
  const usesTool = call !== undefined;
  const control = usesTool ? [toolTurn(tool, name, 'control')] : [];
  const answers = tests.map((test) => answerOf(test, tool));
  const about: ScenarioStep[] =
    row === undefined ? [] : [{ mark: { case: { name, witness: { ...witnessOf(tool, name, row) } } } }];
  return {
    name,
    title,
    suite: 'llm/client',
    needs: {
      drive: [],
      features: [],
      carrier: ['http'],
      ...(timeouts === undefined ? {} : { timeouts }),
      ...(usesTool ? { tools: ['quick'] } : {}),
    },
    exercises: exercises.flat().toSorted(),
    fresh: false,
    alone: false,
    last: false,
    reference,
    ...(usesTool ? filesOf(tool, name) : {}),
    peers: {
      provider: {
        role: 'llm/provider',
        options: { script: { title: name, turns: [...control, ...answers, otherwise] } },
      },
    },
    steps: [...about, { await: { from: 'target', kind: 'process', within, optional: true } }],
  };
}

/**
 * The scenarios of programs. A scenario starts the program, and ends when the program exits.
 *
 * @throws WireproofError 'usage' when the witness of the statement's tool cannot show whether a call was run
 */
export function programScenarios(statement?: Statement): readonly Scenario[] {
  const tool = agentToolOf(statement);
  return testsByName(programTests()).map((tests) => scenarioOf(tests, tests[0], tool));
}
