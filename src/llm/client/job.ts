/** Reads an `llm.turn` (llm.md, Testee operation). */
import { inWords, isObject, ok, refuse } from '../../kit/base/index.ts';
import type { Json, JsonObject, Result, Violation } from '../../kit/base/index.ts';
import type { AnsweringTool, TurnOptions } from './turn.ts';
import { defaultRetries } from './retry.ts';
import type { RetryPolicy } from './retry.ts';
import type { ResponsesConnectionOptions } from '../dialects/openai-responses/socket-client.ts';
import { BodyReader, present } from '../dialects/shared/body-reader.ts';
import { dialects } from '../messages.ts';
import type { DialectName } from '../messages.ts';

/** A turn to run. */
export interface TurnJob {
  readonly id: Json;
  readonly turn: TurnOptions;
  readonly baseUrl: string;
  readonly headers: { readonly [name: string]: string };
  readonly retries: RetryPolicy;
  /** The longest silence of a response (ms); after it the call fails. */
  readonly idle: number;
  /** Abort at this event of the turn, from 1; undefined: never. */
  readonly abortAfter: number | undefined;
  /** All exchanges are on one WebSocket; undefined: each is on HTTP. */
  readonly socket: ResponsesConnectionOptions | undefined;
}

/** The default silence of a response (ms). */
const defaultIdle = 60_000;
/** The default for the most requests of a turn. */
const defaultRounds = 8;

/** The turn that a line asks for, or the reason to refuse it. */
export function readJob(line: JsonObject): Result<TurnJob, Violation> {
  const reader = new BodyReader({
    kinds: {
      string: 'a text',
      object: 'an object',
      array: 'a list',
      integer: 'a whole number above 0',
      boolean: 'true or false',
    },
    problem: (expected, value) => `expected ${expected}; came ${inWords(value)}`,
    message: (_path, problem) => problem,
  });
  const job: TurnJob = {
    id: line['id'] ?? null,
    turn: turnOf(reader, line, dialectOf(reader, line['dialect'])),
    baseUrl: textOf(reader, line, 'base_url'),
    headers: {},
    retries: defaultRetries,
    idle: numberOf(reader, line, 'timeout_ms') ?? defaultIdle,
    abortAfter: numberOf(reader, line, 'abort_after_events'),
    socket: socketOf(reader, line),
  };
  if (reader.refused === undefined) return ok(job);
  const { path, error } = reader.refused;
  return refuse({ code: 'bad-input', path, message: error.message });
}

/** Only Responses has a WebSocket beside HTTP; LM Studio has nothing else. */
function socketOf(reader: BodyReader, line: JsonObject): TurnJob['socket'] {
  const { carrier, dialect, warm_up: warmsUp } = line;
  if (!present(carrier) || carrier === 'http') return undefined;
  if (carrier !== 'ws' || dialect !== 'openai-responses')
    reader.expect('carrier', 'http, or ws where the dialect is openai-responses', carrier);
  return { warmsUp: warmsUp === true };
}

function dialectOf(reader: BodyReader, value: Json | undefined): DialectName {
  const dialect = dialects.find((name) => name === value);
  if (dialect === undefined) reader.expect('dialect', `one of ${dialects.join(', ')}`, value);
  return dialect ?? 'anthropic';
}

function turnOf(reader: BodyReader, line: JsonObject, dialect: DialectName): TurnOptions {
  const { system, tools = [], stream } = line;
  const maxTokens = numberOf(reader, line, 'max_tokens');
  return {
    dialect,
    model: textOf(reader, line, 'model'),
    prompt: textOf(reader, line, 'prompt'),
    tools: reader.array(tools, 'tools').map((tool, i) => toolOf(reader, tool, `tools[${i}]`)),
    maxRounds: numberOf(reader, line, 'max_rounds') ?? defaultRounds,
    stream: stream !== false,
    ...(typeof system === 'string' ? { system } : {}),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

function toolOf(reader: BodyReader, tool: Json, path: string): AnsweringTool {
  const given = reader.object(tool, path);
  const { name, description, input_schema: schema, output, custom, format, eager } = given;
  return {
    name: reader.string(name, `${path}.name`),
    ...(custom === true
      ? { custom, inputSchema: {}, ...(isObject(format) && { format }) }
      : { inputSchema: reader.object(schema, `${path}.input_schema`) }),
    output: typeof output === 'string' ? output : JSON.stringify(output ?? ''),
    ...(typeof description === 'string' ? { description } : {}),
    ...(eager === true && { eager }),
  };
}

function textOf(reader: BodyReader, line: JsonObject, key: string): string {
  const text = reader.string(line[key], key);
  if (text === '') reader.expect(key, 'a text', line[key]);
  return text;
}

function numberOf(reader: BodyReader, line: JsonObject, key: string): number | undefined {
  const value = line[key];
  if (!present(value)) return undefined;
  const number = reader.integer(value, key);
  if (number < 1) reader.expect(key, 'a whole number above 0', value);
  return number;
}
