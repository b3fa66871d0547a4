/** Servers with faults in the calls of Gemini: LLM-S11 and LLM-S43. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { inUnits, valueOf, withUnitValue } from './mutant.ts';
import type { ServerFaults, UnitEdit } from './mutant.ts';

const call = ['candidates', 0, 'content', 'parts', 0, 'functionCall'] as const;

/** Changes the entries of partial arguments. */
const inPartials =
  (edit: (entry: JsonObject) => Json): UnitEdit =>
  (unit) => {
    const entries = valueOf(unit, ...call, 'partialArgs');
    return Array.isArray(entries)
      ? [withUnitValue(unit, [...call, 'partialArgs'], entries.map(edit))]
      : undefined;
  };

const without = (entry: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => key !== name));

export const geminiFaults: ServerFaults = {
  'gemini-arguments-as-text': inUnits('gemini', 'chunk', (unit) => {
    const args = valueOf(unit, ...call, 'args');
    return args === undefined ? undefined : [withUnitValue(unit, [...call, 'args'], JSON.stringify(args))];
  }),
  'gemini-partial-without-path': inUnits(
    'gemini',
    'chunk',
    inPartials((entry) => without(entry, 'jsonPath')),
  ),
  'gemini-partial-without-value': inUnits(
    'gemini',
    'chunk',
    inPartials((entry) => without(entry, 'stringValue')),
  ),
  'gemini-call-left-open': inUnits('gemini', 'chunk', (unit) => {
    const given = valueOf(unit, ...call);
    return given !== undefined && JSON.stringify(given) === '{}' ? [] : undefined;
  }),
  'gemini-partial-unasked': {
    asked: (body, { dialect }) => [
      dialect === 'gemini' && Array.isArray(body['tools'])
        ? { ...body, toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } }
        : body,
    ],
  },
};
