/**
 * Scenarios for whole programs. The kit starts the program and is its provider. The program chooses its prompt, and asks
 * other things besides, such as a title. Turns of a script go to requests that offer tools. A scenario about executions
 * first calls the statement's tool in order, and then in a way in which the call must not run.
 */
import type { JsonObject, Scenario, ScenarioStep } from '../../../../src/kit/base/index.ts';
import type { Statement } from '../../../../src/kit/spec/index.ts';
import { agentToolOf, forCall, referenceTool, toolTurn, toolUses, witnessOf } from './agent-tool.ts';
import type { AgentTool, CallShape } from './agent-tool.ts';

/** The answers to a program, and the requirements that they exercise. */
interface ProgramCase {
  readonly name: string;
  readonly title: string;
  readonly exercises: readonly string[];
  /** The answers to requests that offer tools, in order. */
  readonly turns: (tool: AgentTool) => readonly JsonObject[];
  /** The row about executions that it is for. Then it needs the witness of the statement's tool. */
  readonly row?: string;
  /** Whether it calls the statement's tool, also without a row about executions. */
  readonly calls?: true;
  /** Timeouts that the user must name. */
  readonly timeouts?: readonly string[];
  /** How long the program may run. */
  readonly within?: string;
}

const say = (text: string): JsonObject => ({ text });
const busy: JsonObject = { type: 'overloaded', message: 'busy' };

/** A turn that answers a request with any tools. */
const any = (turn: JsonObject): JsonObject => ({ match: { offers_tools: true }, ...turn });
const anyCall: JsonObject = { tool_call: { name: '*', input: {}, folder: '$tmp' } };
const rawCall = (text: string): JsonObject => ({ tool_call: { name: '*', arguments: text } });

/** Answers all other requests. */
const otherwise: JsonObject = { times: 'always', steps: [say('That is all.')] };

/** A pause of the provider. Whatever was sent before is read, and an execution that began at once has ended. */
const hold: JsonObject = { wait: '1500ms' };

/** A text that breaks off. It is no text of a call's turn, so that a program that shows it has shown this answer. */
const half = say('It was a dark and');

/** A case about a call that must not run: its shapes, one answer after another. */
const forbidding = (
  row: string,
  name: string,
  title: string,
  shapes: readonly CallShape[],
  settings: JsonObject = {},
): ProgramCase => ({
  name,
  title,
  row,
  exercises: [row, 'LLM-C08'],
  turns: (tool) => [
    toolTurn(tool, name, 'control'),
    ...shapes.map((shape) => toolTurn(tool, name, 'forbidden', shape, settings)),
  ],
});

const forbiddingCases: readonly ProgramCase[] = [
  forbidding('LLM-C01', 'program-cut', 'A program whose tool call is cut by the limit', ['last-brace']),
  forbidding(
    'LLM-C01',
    'program-cut-twice',
    'A program whose tool call is cut, and cut again when it tries again',
    ['last-string', 'last-brace'],
  ),
  forbidding(
    'LLM-C01',
    'program-cut-after-brace',
    'A program whose tool call is cut by the limit after its last brace',
    ['after-brace'],
    { steps: [hold] },
  ),
  forbidding(
    'LLM-C05',
    'program-lying',
    'A program whose tool call is cut, while the stop signal says tool use',
    ['last-brace'],
    { signal: 'lying' },
  ),
  forbidding(
    'LLM-C05',
    'program-lying-twice',
    'A program whose tool call is cut under a lying stop signal, and again when it tries again',
    ['last-string', 'last-brace'],
    { signal: 'lying' },
  ),
  forbidding('LLM-C02', 'program-unparsable', 'A program whose tool call has arguments that are not JSON', [
    'comma',
  ]),
  forbidding(
    'LLM-C16',
    'program-no-object',
    'A program whose tool call has arguments that are not an object',
    ['list'],
  ),
];

/** A case about an answer that breaks off after a text. */
const breaking = (row: string, name: string, title: string, turn: JsonObject): ProgramCase => ({
  name,
  title,
  exercises: [row, 'LLM-C09'],
  turns: () => [any(turn)],
});

/** A case about an answer that breaks off after a call that was complete. The program may have run it. */
const breakingLater = (row: string, name: string, title: string, settings: JsonObject): ProgramCase => ({
  name,
  title,
  exercises: [row, 'LLM-C08', 'LLM-C09'],
  calls: true,
  turns: (tool) => [toolTurn(tool, name, 'control'), toolTurn(tool, name, 'forbidden', 'complete', settings)],
});

const breakingCases: readonly ProgramCase[] = [
  breaking('LLM-C06', 'program-no-terminal', 'A program whose stream ends without its terminal', {
    steps: [half, hold],
    signal: 'missing',
  }),
  breaking('LLM-C06', 'program-reset', 'A program whose connection is reset in the middle of its stream', {
    steps: [half, hold],
    signal: 'missing',
    transport: 'reset',
  }),
  breaking('LLM-C07', 'program-error', 'A program whose stream ends with an error', {
    steps: [half, hold, { error: busy }],
  }),
  breakingLater(
    'LLM-C06',
    'program-reset-after-call',
    'A program whose connection is reset after a tool call that is complete',
    { steps: [hold], signal: 'missing', transport: 'reset' },
  ),
  breakingLater(
    'LLM-C07',
    'program-error-after-call',
    'A program whose stream ends with an error after a tool call that is complete',
    { steps: [hold, { error: busy }] },
  ),
];

const otherCases: readonly ProgramCase[] = [
  {
    name: 'program-tool',
    title: 'A program that runs a tool and sends the result',
    exercises: ['LLM-C08'],
    turns: () => [any({ steps: [say('I will see.'), anyCall] })],
  },
  {
    name: 'program-bad-calls',
    title: 'A program that goes on after tool calls that nobody can run',
    exercises: ['LLM-C08'],
    turns: () => [
      any({ steps: [say('I will see.'), anyCall] }),
      any({ steps: [rawCall('{"a": "b",, "c": }')] }),
      any({ steps: [say('Again.'), anyCall, anyCall], cut: { step: 2, at: { char: 1 } } }),
    ],
  },
  {
    name: 'program-busy',
    title: 'A program whose provider is busy at first',
    exercises: ['LLM-C22'],
    turns: () => [any({ steps: [{ error: { ...busy, status: 529, retry_after: '1s' } }] })],
  },
  {
    name: 'program-stall',
    title: 'A program whose provider falls silent in the middle of its stream',
    exercises: ['LLM-C15'],
    timeouts: ['hang', 'stalled'],
    within: '$timeouts.stalled',
    turns: () => [any({ steps: [say('Wait for it')], signal: 'missing', transport: 'stall' })],
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

function scenarioOf(one: ProgramCase, tool: AgentTool): Scenario {
  const { name, title, turns, exercises, row, calls, timeouts, within = '$timeouts.program' } = one;
  const usesTool = row !== undefined || calls === true;
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
    exercises: exercises.toSorted(),
    fresh: false,
    alone: false,
    last: false,
    reference,
    ...(usesTool ? filesOf(tool, name) : {}),
    peers: {
      provider: {
        role: 'llm/provider',
        options: { script: { title: name, turns: [...turns(tool), otherwise] } },
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
  return [...otherCases, ...breakingCases, ...forbiddingCases].map((one) => scenarioOf(one, tool));
}
