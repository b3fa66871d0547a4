/** The reference client of llm/client as a client of one answer: a process of the built command. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isObject } from '../../../../src/kit/base/index.ts';
import { packageRoot } from '../../../../src/kit/spec/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import type { Answer } from './answer.test-helper.ts';
import { at, items } from '../dialects/reader.ts';

interface Turn {
  readonly dialect: DialectName;
  readonly url: string;
  readonly model: string;
  readonly prompt: string;
  readonly limit: number;
  readonly stream: boolean;
  readonly tools: readonly { readonly name: string; readonly schema: object }[];
}

/** The process, and the turns that wait for its answer by id. */
interface Running {
  readonly write: (line: object) => void;
  readonly waiting: Map<unknown, (answer: unknown) => void>;
}

let running: Running | undefined;
let turns = 0;

/** Starts the process. It ends with its stdin: with this process. */
function start(): Running {
  const command = join(packageRoot(), 'dist/bin/wireproof.cjs');
  const child = spawn(process.execPath, [command, 'testee', 'llm/client'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting: Running['waiting'] = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer: unknown = JSON.parse(line);
    waiting.get(at(answer, 'id'))?.(answer);
    waiting.delete(at(answer, 'id'));
  });
  return { waiting, write: (line) => child.stdin.write(`${JSON.stringify(line)}\n`) };
}

/** Does one turn. @throws the error that the client reports */
export async function referenceClient({ tools, url, limit, ...turn }: Turn): Promise<Answer> {
  const { write, waiting } = (running ??= start());
  const id = ++turns;
  const answered = new Promise<unknown>((resolve) => waiting.set(id, resolve));
  const offered = tools.map(({ name, schema }) => ({
    name,
    description: name,
    input_schema: schema,
    output: 'mild',
  }));
  const asked = { ...turn, base_url: url, max_tokens: limit, max_rounds: 1, timeout_ms: 4000 };
  write({ id, op: 'llm.turn', ...asked, tools: offered });
  const answer = at(await answered, 'ok');
  const error = at(answer, 'error');
  if (isObject(error) || answer === undefined) throw new Error(String(at(error, 'message')));
  const calls = items(at(answer, 'tool_calls'));
  return {
    text: String(at(answer, 'text')),
    ids: calls.map((call) => at(call, 'id')),
    names: calls.map((call) => at(call, 'name')),
    inputs: calls.map((call) => at(call, 'input')),
    stop: at(answer, 'stop_reason'),
    tokens: at(answer, 'usage', 'outputTokens'),
  };
}
