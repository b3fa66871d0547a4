/** Executors that resolve references in another way. */
import { rounded } from '../../../../src/kit/testee/index.ts';
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import {
  actionsOf,
  andThen,
  dependsOf,
  emits,
  emitsEach,
  isOf,
  outputsOf,
  plays,
  reads,
  startsWith,
  templateOf,
} from './mutant.ts';
import type { Event, ExecutorFaults } from './mutant.ts';

/** The name of a text that is one reference. */
const wholeName = (template: Json): string | undefined =>
  typeof template === 'string' ? /^\$(\w+)$/.exec(template)?.[1] : undefined;

const isWhole = (template: Json): boolean => wholeName(template) !== undefined;

/** The output of the provider of an output key or an id. */
function outputOf(request: JsonObject, name: string): Json {
  const { providers } = request;
  const action = actionsOf(request).find(({ id, body }) => id === name || body['output_key'] === name);
  const outcomes = isObject(providers) ? providers[textIn(action?.body ?? {}, 'name')] : undefined;
  const [first] = isArray(outcomes) ? outcomes : [];
  return (isObject(first) ? first['output'] : undefined) ?? null;
}

/** A fault in references inside of a text: `edit` makes a text of an output. */
const inside = (edit: (output: Json) => string): AnswerFault =>
  startsWith((value, template, request) =>
    typeof template !== 'string' ||
    isWhole(template) ||
    template.includes('$$') ||
    isObject(request['variables'])
      ? value
      : template.replaceAll(/\$([a-z]\w*)/gi, (all, name: string) =>
          actionsOf(request).some(({ id, body }) => id === name || body['output_key'] === name)
            ? edit(outputOf(request, name))
            : all,
        ),
  );

const isNested = (template: Json): boolean => isArray(template) || isObject(template);

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

const idsIn = (request: JsonObject): readonly string[] => actionsOf(request).map(({ id }) => id);

/** Starts actions that only name an output at once, with their references as they are written. */
function startsAtOnce(events: readonly Event[], request: JsonObject): readonly Event[] {
  const early = actionsOf(request).filter(
    ({ id, body }) => dependsOf(body).length === 0 && JSON.stringify(templateOf(request, id)).includes('$'),
  );
  const ids = new Set(early.map(({ id }) => id));
  const moved = new Map(
    events.flatMap((event) =>
      isOf('started', event) && ids.has(textIn(event, 'id')) ? [[textIn(event, 'id'), event] as const] : [],
    ),
  );
  return events.flatMap((event): readonly Event[] => {
    if (isOf('started', event) && ids.has(textIn(event, 'id'))) return [];
    const { action } = event;
    const start = isOf('action', event) && isObject(action) ? moved.get(textIn(action, 'id')) : undefined;
    return start === undefined ? [event] : [event, start];
  });
}

/** The mutants of references. */
export const variableFaults: ExecutorFaults = {
  'rounds-integers': emitsEach((event) =>
    isOf('started', event) ? { ...event, parameters: rounded(event['parameters'] ?? {}) } : event,
  ),
  'keys-alone': startsWith((value, template, request) =>
    idsIn(request).includes(wholeName(template) ?? '') ? template : value,
  ),
  'texts-alone': startsWith((value, template) =>
    isWhole(template) && typeof value !== 'string' ? JSON.stringify(value) : value,
  ),
  'null-is-missing': startsWith((value, template) =>
    isWhole(template) && value === null ? template : value,
  ),
  'parses-texts': startsWith((value, template) =>
    isWhole(template) && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  ),
  'quotes-texts': inside((output) => JSON.stringify(output)),
  'wide-json': inside((output) => (typeof output === 'string' ? output : JSON.stringify(output, null, 1))),
  'object-words': inside((output) =>
    isObject(output) ? '[object Object]' : typeof output === 'string' ? output : JSON.stringify(output),
  ),
  'top-level': startsWith((value, template) => (isNested(template) ? template : value)),
  'keys-too': startsWith((value, template) =>
    isObject(template) && isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, one]) => [key.startsWith('$') ? 'page' : key, one]),
        )
      : value,
  ),
  'at-its-tag': startsWith((value, template, { variables, manifest }) => {
    const given =
      manifest === undefined && isObject(variables) ? variables[wholeName(template) ?? ''] : undefined;
    return given ?? value;
  }),
  'shortest-name': startsWith((value, template, request) =>
    typeof template === 'string' && /\$page\w/.test(template)
      ? template.replaceAll(/\$page(\w*)/g, (_, rest: string) => textOf(outputOf(request, 'page')) + rest)
      : value,
  ),
  digits: startsWith((value, template) =>
    typeof value === 'string' && typeof template === 'string' && !template.includes('$$')
      ? value.replaceAll(/\$\d+/g, '')
      : value,
  ),
  empties: startsWith((value, template) =>
    typeof value === 'string' && value === template ? value.replaceAll(/\$nothing/g, '') : value,
  ),
  'missing-silently': emitsEach((event) => (event['code'] === 'missing-variable' ? [] : event)),
  'reads-again': startsWith((value, template, request) =>
    typeof value === 'string' &&
    typeof template === 'string' &&
    !template.includes('$$') &&
    /\$page|\$a\b/.test(value)
      ? value.replaceAll(/\$(page|a)\b/g, () => JSON.stringify(outputOf(request, 'a')))
      : value,
  ),
  'keeps-dollars': startsWith((value, template) =>
    typeof template === 'string' && template.includes('$$') ? template : value,
  ),
  'starts-at-once': emits(startsAtOnce),
  'nothing-given': plays((request) => (isObject(request['variables']) ? { variables: {} } : {})),
  'literal-responses': andThen(
    reads((output) =>
      output.replaceAll(/<response[^>]*>.*?<\/response>/gs, (response) =>
        response.replaceAll(/\$(?=\w)/g, '$$$$'),
      ),
    ),
    (events) => events,
  ),
  'response-first': emits((events, request) => {
    if (!outputsOf(request).some((output) => /<response[^>]*>[^<]*\$page/.test(output))) return events;
    return [
      ...events.filter((event) => isOf('response', event)),
      ...events.filter((event) => !isOf('response', event)),
    ];
  }),
};
