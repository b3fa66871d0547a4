/** The words that oddities of gateways share: edits of the data of units, and of bodies. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import type { GatewayDialect, GatewayParts, PartContext } from '../../../../src/llm/gateway/index.ts';

/** Changes one object of an answer: the data of a unit, or a body. undefined: no change. */
type Edit = (data: JsonObject, context: PartContext) => JsonObject | undefined;

/** Replaces the data of a unit; undefined: no change. */
export type UnitEdit = (data: JsonObject, unit: Unit) => readonly (Unit | JsonObject)[] | undefined;

const isUnit = (value: Unit | JsonObject): value is Unit => 'data' in value;

/** Edits the units of streams of one dialect. Each stream has an edit of its own. */
export const inStreams = (dialect: GatewayDialect, make: () => UnitEdit): GatewayParts => ({
  units: ({ route }) => {
    if (route.client !== dialect) return (unit) => [unit];
    const edit = make();
    return (unit) => {
      const { data, event, comment } = unit;
      if (!isObject(data) || comment === true) return [unit];
      const named = event === undefined ? {} : { event };
      return edit(data, unit)?.map((made) => (isUnit(made) ? made : { ...named, data: made })) ?? [unit];
    };
  },
});

/** Edits each unit of a stream, and bodies. */
export const inAnswers = (edit: Edit): GatewayParts => ({
  units: (context) => (unit) => {
    const { data, event } = unit;
    const edited = isObject(data) ? edit(data, context) : undefined;
    if (edited === undefined) return [unit];
    return [{ ...(event === undefined ? {} : { event }), data: edited }];
  },
  body: (context) => (body) => (isObject(body) ? (edit(body, context) ?? body) : body),
});

/** Edits bodies of one dialect. */
export const inBodies = (dialect: GatewayDialect, edit: (body: JsonObject) => JsonObject): GatewayParts => ({
  body:
    ({ route }) =>
    (body) =>
      route.client === dialect && isObject(body) ? edit(body) : body,
});

/** Edits the first choice of Chat Completions, in chunks and in bodies. `name`: where its content stands. */
export const inChoices = (
  edit: (choice: JsonObject, name: 'delta' | 'message', data: JsonObject) => JsonObject,
): GatewayParts =>
  inAnswers((data, { route }) => {
    const [choice, ...more] = listOf(data['choices']);
    if (route.client !== 'openai-chat' || choice === undefined) return undefined;
    return { ...data, choices: [edit(choice, 'delta' in choice ? 'delta' : 'message', data), ...more] };
  });

/** The objects of a list. */
export const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((item): item is JsonObject => isObject(item)) : [];

/** The object at a name, or an empty one. */
export function objectIn(data: JsonObject, name: string): JsonObject {
  const value = data[name];
  return isObject(value) ? value : {};
}

/** An object without some members. */
export const lacking = (data: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));

/** Numbers the events of Responses again, where some are left out. */
export const renumbered = (isKept: (type: string) => boolean): GatewayParts =>
  inStreams('openai-responses', () => {
    let number = 0;
    return (data) =>
      isKept(typeof data['type'] === 'string' ? data['type'] : '')
        ? [{ ...data, sequence_number: number++ }]
        : [];
  });
