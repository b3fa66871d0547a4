/**
 * The orchestrator as a simulated peer: sends what a scenario says; by itself it answers calls and questions, unless
 * that is left to the scenario.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { requestIdOf } from '../machine/state.ts';
import type { ToonMessage } from '../messages.ts';
import { scriptedPeer } from './peer.ts';
import type { Draft, ScriptedPeerOptions, ScriptedPeerRole } from './peer.ts';

/** How a scripted orchestrator is set up. */
export interface ScriptedOrchestratorOptions extends ScriptedPeerOptions {
  /** Answer tool calls and context requests at once. Default true. */
  readonly answer?: boolean;
}

/**
 * Makes a scripted orchestrator. It answers a call of `x` with the data `ok:x`, and a question for the path `p` with
 * the content `ok:p`.
 *
 * @example
 * scriptedOrchestrator({ answer: false }).name; // 'toon/orchestrator'
 */
export function scriptedOrchestrator(options: ScriptedOrchestratorOptions = {}): ScriptedPeerRole {
  const { answer = true, ...more } = options;
  return scriptedPeer('orchestrator', more, (message) => (answer ? replyTo(message) : undefined));
}

function replyTo(message: ToonMessage): Draft | undefined {
  const { type, payload } = message;
  const requestId = requestIdOf(payload);
  const id = requestId === undefined ? {} : { requestId };
  const asked = isObject(payload) ? (payload as JsonObject) : {};
  if (type === 'TOOL_CALL') {
    const data = `ok:${textOf(asked['toolName'])}`;
    return { type: 'TOOL_RESULT', payload: { success: true, data, duration: 1, ...id } };
  }
  if (type !== 'CONTEXT_REQUEST') return undefined;
  const [kind, path] = [textOf(asked['type']), textOf(asked['path'])];
  return { type: 'CONTEXT_RESPONSE', payload: { type: kind, path, content: `ok:${path}`, ...id } };
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
