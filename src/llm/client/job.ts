/** Reads what an `llm.turn` asks for (llm.md, Testee operation). */
import { isObject, ok, refuse } from '../../kit/base/index.ts';
import type { Json, JsonObject, Result, Violation } from '../../kit/base/index.ts';
import type { AnsweringTool, TurnOptions } from './turn.ts';
import { defaultRetries } from './retry.ts';
import type { RetryPolicy } from './retry.ts';
import { dialects } from '../messages.ts';
import type { DialectName } from '../messages.ts';

/** A turn that is asked for. */
export interface TurnJob {
  readonly id: Json;
  readonly turn: TurnOptions;
  readonly baseUrl: string;
  readonly headers: { readonly [name: string]: string };
  readonly retries: RetryPolicy;
  /** A response that is silent for so long has failed (ms). */
  readonly idle: number;
  /** Abort at this event of the turn, from 1; undefined: never. */
  readonly abortAfter: number | undefined;
}

/** How long a response may be silent when nobody says (ms). */
const defaultIdle = 60_000;
/** Requests of a turn when nobody says. */
const defaultRounds = 8;

class Wrong {
  readonly violation: Violation;
  constructor(path: string, expected: string, came: unknown) {
    const message = `expected ${expected}; came ${came === undefined ? 'nothing' : JSON.stringify(came).slice(0, 80)}`;
    this.violation = { code: 'bad-input', path, message };
  }
}

/** The turn that a line asks for, or what is wrong with it. */
export function readJob(line: JsonObject): Result<TurnJob, Violation> {
  try {
    return ok(jobOf(line));
  } catch (error) {
    if (error instanceof Wrong) return refuse(error.violation);
    throw error;
  }
}

function jobOf(line: JsonObject): TurnJob {
  const dialect = text(line, 'dialect');
  const known = dialects.find((name) => name === dialect);
  if (known === undefined) throw new Wrong('dialect', `one of ${dialects.join(', ')}`, dialect);
  return {
    id: line['id'] ?? null,
    turn: turnOf(line, known),
    baseUrl: text(line, 'base_url'),
    headers: {},
    retries: defaultRetries,
    idle: number(line, 'timeout_ms') ?? defaultIdle,
    abortAfter: number(line, 'abort_after_events'),
  };
}

function turnOf(line: JsonObject, dialect: DialectName): TurnOptions {
  const [maxTokens, system] = [number(line, 'max_tokens'), line['system']];
  const tools = line['tools'] ?? [];
  if (!Array.isArray(tools)) throw new Wrong('tools', 'a list', tools);
  return {
    dialect,
    model: text(line, 'model'),
    prompt: text(line, 'prompt'),
    tools: tools.map(toolOf),
    maxRounds: number(line, 'max_rounds') ?? defaultRounds,
    stream: line['stream'] !== false,
    ...(typeof system === 'string' ? { system } : {}),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

function toolOf(tool: Json, i: number): AnsweringTool {
  if (!isObject(tool)) throw new Wrong(`tools[${i}]`, 'an object', tool);
  const { name, description, input_schema: inputSchema, output } = tool;
  if (typeof name !== 'string') throw new Wrong(`tools[${i}].name`, 'a text', name);
  if (!isObject(inputSchema)) throw new Wrong(`tools[${i}].input_schema`, 'an object', inputSchema);
  return {
    name,
    inputSchema,
    output: typeof output === 'string' ? output : JSON.stringify(output ?? ''),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

function text(line: JsonObject, name: string): string {
  const value = line[name];
  if (typeof value !== 'string' || value === '') throw new Wrong(name, 'a text', value);
  return value;
}

function number(line: JsonObject, name: string): number | undefined {
  const value = line[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  throw new Wrong(name, 'a whole number above 0', value);
}
