/**
 * The interactions that the provider keeps: "store: true" is the default of Gemini's Interactions API. A request continues one by
 * `previous_interaction_id`, and any client can ask for one by its id.
 */
import { isArray, isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { stepsOf } from '../dialects/gemini-interactions/steps.ts';
import { whole } from '../dialects/gemini-interactions/whole.ts';
import type { ProviderError } from '../messages.ts';
import type { StreamExchange } from './exchange.ts';
import type { StreamerState } from './state.ts';

/** The most interactions that can be asked for; the oldest are forgotten. */
const mostKept = 100;

/** A request with the steps of the interaction that it continues before its own; or why it is refused. */
export function continuedInteraction(
  { responses }: StreamerState,
  body: Json,
): { readonly body: Json } | { readonly error: ProviderError; readonly path: string } {
  if (!isObject(body) || typeof body['previous_interaction_id'] !== 'string') return { body };
  const { previous_interaction_id: previous, input, ...rest } = body;
  const known = responses.get(previous);
  if (known === undefined)
    return {
      path: 'previous_interaction_id',
      error: { type: 'not_found', message: `Interaction '${previous}' not found.` },
    };
  return { body: { ...rest, input: [...known.items, ...stepsOf(input)] } };
}

/**
 * Keeps an interaction that is over: its steps for the request that continues it, without calls that were cut, and itself.
 *
 * @param id - the one that its events had
 */
export function keepInteraction(
  state: StreamerState,
  body: Json | undefined,
  id: string,
  { options, blocks }: StreamExchange,
): void {
  const { context, generation } = options;
  if (!isObject(body) || body['store'] === false || context.end.error !== undefined) return;
  const { body: object } = whole({ ...generation, blocks }, { ...context, id: () => id });
  const known = continuedInteraction(state, body);
  if (!isObject(object) || !('body' in known) || !isObject(known.body)) return;
  const complete = blocks.filter((block) => block.kind !== 'tool_call' || block.complete);
  const { body: kept } = whole({ ...generation, blocks: complete }, { ...context, id: () => id });
  const { steps } = isObject(kept) ? kept : {};
  const own = isArray(steps) ? steps : [];
  state.responses.add({ id, items: [...stepsOf(known.body['input']), ...own] });
  state.interactions.set(id, withPrevious(object, body));
  for (const oldest of state.interactions.keys())
    if (state.interactions.size > mostKept) state.interactions.delete(oldest);
}

const withPrevious = (object: JsonObject, { previous_interaction_id: previous }: JsonObject): JsonObject =>
  previous === undefined ? object : { ...object, previous_interaction_id: previous };

/** A kept interaction by its id. */
export const keptInteraction = ({ interactions }: StreamerState, id: string): JsonObject | undefined =>
  interactions.get(id);
