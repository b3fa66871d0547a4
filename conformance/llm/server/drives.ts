/** The drives of llm/server: a dialect, the WebSocket of OpenAI Responses, or Open Responses, which a profile chooses. */
import { dialects } from '../../../src/llm/index.ts';
import type { DialectName } from '../../../src/llm/index.ts';

/** OpenAI Responses on a WebSocket. */
export const socketDrive = 'openai-responses-ws';

/** OpenAI Responses as the Open Responses specification has it. The profile of this name chooses it. */
export const openDrive = 'open-responses';

export type ServerDrive = DialectName | typeof socketDrive | typeof openDrive;

/** The drives that a user may name. */
export const serverDrives: readonly ServerDrive[] = [...dialects, socketDrive];

export const isDrive = (name: unknown): name is ServerDrive =>
  name === openDrive || serverDrives.some((drive) => drive === name);

/** The dialect that a drive speaks. */
export const dialectOfDrive = (drive: ServerDrive): DialectName =>
  drive === socketDrive || drive === openDrive ? 'openai-responses' : drive;

/** The dialects with a stop word for calls, which their SDKs and programs read. */
const withToolWord: ReadonlySet<ServerDrive> = new Set(['anthropic', 'bedrock', 'openai-chat']);

/** What a drive claims: its dialect, its carrier, and the word for calls where it has one. */
export const claimsOf = (drive: ServerDrive): readonly string[] => {
  if (drive === socketDrive) return [dialectOfDrive(drive), 'websocket'];
  if (drive === openDrive) return [dialectOfDrive(drive), 'http', openDrive];
  return [
    drive,
    ...(drive === 'lmstudio' ? [] : ['http']),
    ...(withToolWord.has(drive) ? ['tool_word'] : []),
  ];
};
