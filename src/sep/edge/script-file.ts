/** Reads the files of a simulated executor: a scripted run, and scripted providers. */
import { readDocument } from '../../kit/spec/index.ts';
import type { ScriptedOutcomes } from '../executor/providers.ts';
import type { RunScript } from '../executor/scripted-run.ts';
import { providersFile, scriptFile } from '../generated/validators.ts';

/** A scripted run that is played at a pace. */
export interface PacedScript extends RunScript {
  /** The seconds between two pieces of an output. */
  readonly pace: number;
}

/** A script as its file has it. */
interface WrittenScript extends Omit<RunScript, 'iterations'> {
  readonly iterations: readonly (string | readonly string[])[];
  readonly piece?: number;
  readonly pace?: number;
}

/** The pieces into which a text is cut are as long as most tokens of a model (characters). */
const defaultPiece = 4;
/** A model writes about 50 tokens a second. */
const defaultPace = 0.02;

/**
 * Reads a scripted run from a YAML or JSON file.
 *
 * @throws WireproofError 'usage' with file, line and column
 */
export function readRunScript(file: string): PacedScript {
  const { value } = readDocument<WrittenScript>(file, scriptFile, 'script of a run of SEP');
  const { iterations, piece = defaultPiece, pace = defaultPace, ...more } = value;
  return { ...more, pace, iterations: iterations.map((output) => piecesOf(output, piece)) };
}

/**
 * Reads the outcomes of actions from a YAML or JSON file.
 *
 * @throws WireproofError 'usage' with file, line and column
 */
export const readProviders = (file: string): ScriptedOutcomes =>
  readDocument<ScriptedOutcomes>(file, providersFile, 'file of providers for SEP').value;

const piecesOf = (output: string | readonly string[], length: number): readonly string[] =>
  typeof output === 'string'
    ? Array.from({ length: Math.ceil(output.length / length) }, (_, i) =>
        output.slice(i * length, (i + 1) * length),
      )
    : output;
