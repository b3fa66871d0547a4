/** The drives of llm/server: a dialect, or the WebSocket of OpenAI Responses. */
import { dialects } from '../../../src/llm/index.ts';
import type { DialectName } from '../../../src/llm/index.ts';

/** OpenAI Responses on a WebSocket. */
export const socketDrive = 'openai-responses-ws';

export type ServerDrive = DialectName | typeof socketDrive;

export const serverDrives: readonly ServerDrive[] = [...dialects, socketDrive];

export const isDrive = (name: unknown): name is ServerDrive => serverDrives.some((drive) => drive === name);

/** The dialect that a drive speaks. */
export const dialectOfDrive = (drive: ServerDrive): DialectName =>
  drive === socketDrive ? 'openai-responses' : drive;

/** The dialects with a stop word for calls, which their SDKs and programs read. */
const withToolWord: ReadonlySet<ServerDrive> = new Set(['anthropic', 'bedrock', 'openai-chat']);

/** What a drive claims: its dialect, its carrier, and the word for calls where it has one. */
export const claimsOf = (drive: ServerDrive): readonly string[] => {
  if (drive === socketDrive) return [dialectOfDrive(drive), 'websocket'];
  return [
    drive,
    ...(drive === 'lmstudio' ? [] : ['http']),
    ...(withToolWord.has(drive) ? ['tool_word'] : []),
  ];
};
