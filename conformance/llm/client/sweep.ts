/**
 * The cut sweep: a tool call is cut at every position of its arguments, under every stop signal, with every end of the
 * transport, in one dialect. The client must not run the cut call, and must keep complete calls.
 */
import { WireproofError } from '../../../src/kit/base/index.ts';
import type { JsonObject, Scenario } from '../../../src/kit/base/index.ts';
import { simulate } from '../../../src/kit/suite/index.ts';
import type { MakePeer, Sweeper } from '../../../src/kit/suite/index.ts';
import { cutPositions, dialects, signals, transportEnds } from '../../../src/llm/index.ts';
import type { DialectName, Signal, TransportEnd } from '../../../src/llm/index.ts';
import { eagerTools, readNote } from './notes.ts';
import { llmClientSuite } from './suite.ts';
import { clientRules } from './rules/index.ts';
import { scenarioFor } from './scenarios.ts';

/** Arguments with every kind of JSON value, several times. */
export const sweptArguments: string = [
  '{"title": "Ein \\"Titel\\"",',
  '"body":"line one\\nline two \\u00e9\\ud83c\\udf89 日本 🎉 \\\\",',
  '"count":1234567,"ratio":-0.25e+10,"zero":0,',
  '"yes":true,"no":false,"none":null,',
  '"empty":{},"list":[],"text":"",',
  '"tags":["a","{b}","c,d",["]"]],',
  '"deep":{"er":{"and":[{"deeper":[1,2.5,{"x":"y"}]}]}},',
  '"sch\\u006cüssel 🔑":"Wert", "last": "one" }',
].join('');

export interface SweepOptions {
  readonly dialect: DialectName;
  /** Makes the client under test, a new one for each run. The default is the reference. */
  readonly target?: () => MakePeer;
  /** The arguments to cut. The default is {@link sweptArguments}. */
  readonly json?: string;
  /** The default is all. */
  readonly signals?: readonly Signal[];
  /** The default is all. */
  readonly transports?: readonly TransportEnd[];
  /** Called with the number of finished runs, and of all runs. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** A violation at one position. */
export interface SweepFailure {
  readonly dialect: DialectName;
  /** The position of the cut in the arguments (UTF-16 units). */
  readonly cut: number;
  readonly signal: Signal;
  readonly transport: TransportEnd;
  readonly requirement: string;
  readonly message: string;
}

/** The result of a sweep. */
export interface Sweep {
  readonly runs: number;
  readonly failures: readonly SweepFailure[];
  readonly ms: number;
}

/** The requirements that a sweep judges. */
const judged: ReadonlySet<string> = new Set([
  'LLM-C01',
  'LLM-C02',
  'LLM-C03',
  'LLM-C04',
  'LLM-C05',
  'LLM-C06',
  'LLM-C15',
  'LLM-C16',
]);

const suite: typeof llmClientSuite = {
  ...llmClientSuite,
  judging: { ...llmClientSuite.judging, rules: clientRules.filter((rule) => judged.has(rule.requirement)) },
};

interface Cut {
  readonly cut: number;
  readonly signal: Signal;
  readonly transport: TransportEnd;
}

/** All cuts of a sweep. */
function* cutsOf({
  json = sweptArguments,
  signals: all = signals,
  transports = transportEnds,
}: SweepOptions): Generator<Cut> {
  for (const { at: cut } of cutPositions(json))
    for (const signal of all) for (const transport of transports) yield { cut, signal, transport };
}

function scenarioOf({ dialect, json = sweptArguments }: SweepOptions, at: Cut): Scenario {
  const { cut, signal, transport } = at;
  const answer: JsonObject = {
    steps: [{ text: 'So.' }, readNote('before'), { tool_call: { name: 'write_note', arguments: json } }],
    // Scripts count characters, not UTF-16 units.
    cut: { step: 2, at: { char: Array.from(json.slice(0, cut)).length } },
    signal,
    transport,
  };
  // Gemini sends nothing of a cut call, unless its arguments come as they are generated.
  const turn = { answer, asks: { timeout_ms: 500, ...(dialect === 'gemini' && { tools: eagerTools }) } };
  return scenarioFor(
    { name: `cut-${cut}-${signal}-${transport}`, title: 'one cut of a sweep', turns: [turn] },
    dialect,
  );
}

/**
 * Runs all cuts in virtual time. The same options give the same result.
 *
 * @throws WireproofError 'internal' when a run is endless
 */
export function sweep(options: SweepOptions): Sweep {
  const began = performance.now();
  const { dialect, target = llmClientSuite.reference, onProgress } = options;
  const cuts = [...cutsOf(options)];
  const failures = cuts.flatMap((cut, i) => {
    const found = failuresAt(scenarioOf(options, cut), target());
    onProgress?.(i + 1, cuts.length);
    return found.map((one): SweepFailure => ({ dialect, ...cut, ...one }));
  });
  return { runs: cuts.length, failures, ms: Math.round(performance.now() - began) };
}

type Found = Pick<SweepFailure, 'requirement' | 'message'>;

function failuresAt(scenario: Scenario, target: MakePeer): readonly Found[] {
  const { found, played, stuck } = simulate({ suite, scenario, target, seed: scenario.name });
  if (stuck === true) throw new WireproofError('internal', `${scenario.name}: the run did not end`);
  const early = played.outcome === 'done' ? [] : [{ requirement: 'LLM-C15', message: played.reason ?? '' }];
  const violations = [...found].flatMap(([requirement, { violations: all }]) =>
    all.map(({ message }) => ({ requirement, message })),
  );
  return [...early, ...violations];
}

/** The sweep for the command: a part is a dialect. */
export const cutSweeper: Sweeper = {
  parts: dialects,
  sweep({ part, ...run }) {
    const dialect = dialects.find((name) => name === part);
    if (dialect === undefined) throw new WireproofError('internal', `no dialect ${part}`);
    const { failures, ...found } = sweep({ ...run, dialect });
    const positionText = ({ cut, signal, transport }: SweepFailure): string =>
      `cut at ${cut}, ${signal} signal, ${transport} end`;
    return { ...found, failures: failures.map((failure) => ({ ...failure, place: positionText(failure) })) };
  },
};
