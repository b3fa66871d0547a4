/** The tools of the reference whole agent. Those that touch the machine leave their work to the host, as effects. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { AgentTool, ToolEnd } from '../options.ts';

/** The longest wait of the tool `wait` (ms): an hour. */
const longestWait = 3_600_000;

const objectOf = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
});

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const completed = (output: string): ToolEnd => ({ outcome: 'completed', output });

/** Waits. */
export const waitTool: AgentTool = {
  name: 'wait',
  description: 'Waits for a number of milliseconds.',
  inputSchema: objectOf({ ms: { type: 'integer', minimum: 0, maximum: longestWait } }, ['ms']),
  timeout: longestWait,
  run({ ms }) {
    const time = typeof ms === 'number' ? ms : 0;
    return { do: 'wait', ms: time, end: completed(`waited ${time} ms`) };
  },
};

/** Gives its text back. */
export const echoTool: AgentTool = {
  name: 'echo',
  description: 'Gives a text back.',
  inputSchema: objectOf({ text: { type: 'string' } }, ['text']),
  run: ({ text }) => ({ do: 'end', end: completed(textOf(text)) }),
};

/** Fails. */
export const failTool: AgentTool = {
  name: 'fail',
  description: 'Fails with a message.',
  inputSchema: objectOf({ message: { type: 'string' } }, ['message']),
  run: ({ message }) => ({ do: 'end', end: { outcome: 'failed', output: textOf(message) } }),
};

/** Reads a text file. The host does it. */
export const readFileTool: AgentTool = {
  name: 'read_file',
  description: 'Reads a text file. The path is relative to the working directory.',
  inputSchema: objectOf({ path: { type: 'string' } }, ['path']),
  timeout: 10_000,
  run: () => ({ do: 'effect' }),
};

/** Runs a program, without a shell. The host does it. */
export const runTool: AgentTool = {
  name: 'run',
  description: 'Runs a program with arguments, without a shell. Gives its output and its exit code.',
  inputSchema: objectOf({ command: { type: 'string' }, args: { type: 'array', items: { type: 'string' } } }, [
    'command',
  ]),
  run: () => ({ do: 'effect' }),
};

/** The tools that need nothing of the host. */
export const pureTools: readonly AgentTool[] = [waitTool, echoTool, failTool];
