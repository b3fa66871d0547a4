/** Whether JSON values are messages, by the JSON Schemas of spec/koda. Values that come from a text go through the codec. */
import { command, event } from './generated/validators.ts';
import type { EngineCommand, EngineEvent } from './messages.ts';

/**
 * Whether a value is an event of an engine. Integers beyond 2^53 are their decimal digits.
 *
 * @example
 * isEngineEvent({ type: 'text_delta', text: 'hi' }); // true
 * isEngineEvent({ type: 'context_usage', used: 1.5, max: 32000 }); // false
 */
export const isEngineEvent = (value: unknown): value is EngineEvent => event(value);

/**
 * Whether a value is a command of a client.
 *
 * @example
 * isEngineCommand({ type: 'loop_decision', action: 'stop' }); // true
 */
export const isEngineCommand = (value: unknown): value is EngineCommand => command(value);
