/** Judges the answers of parsers by the facts that a test demands. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import {
  difference,
  exercisedUnless,
  judgeByFacts,
  judgeDigits,
  mismatch,
  shown,
} from '../../../src/kit/testee/index.ts';
import type { Facts, Judgement } from '../../../src/kit/testee/index.ts';
import { coalesced } from './events.ts';
import type { CameResponse } from './events.ts';
import { isCut, outputOf } from './memory.ts';
import type { ParserMemory } from './memory.ts';
import { ofEvents, textFacts, tidy } from './facts/texts.ts';

const objectsIn = (value: Json): readonly JsonObject[] =>
  isArray(value) ? value.filter((one): one is JsonObject => isObject(one)) : [];

/** What absent members of an action mean. */
const absent: JsonObject = { depends_on: [], on_error: 'skip', retry: 0, timeout: null, output_key: null };

/** The first wanted member that an action does not have. Members that a test does not name are not judged. */
function oddMember(at: string, wanted: JsonObject, came: JsonObject): string | undefined {
  for (const [name, value] of Object.entries(wanted)) {
    const odd = difference(`${at}.${name}`, value, came[name] ?? absent[name]);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

const listed = (actions: readonly JsonObject[]): string =>
  actions.length === 0
    ? 'no action'
    : `${actions.length} ${actions.length === 1 ? 'action' : 'actions'}: ${actions.map(nameOf).join(', ')}`;

/** An action by its id, else by its name. */
const nameOf = ({ id, name }: JsonObject): string => (id === undefined ? shown(name) : `id ${shown(id)}`);

/** All actions of the output, in order. */
const actions = ofEvents((wanted, came) => {
  const expected = objectsIn(wanted);
  if (expected.length !== came.actions.length) return mismatch(listed(expected), listed(came.actions));
  const odd = expected.flatMap((one, i) => oddMember(`actions[${i}]`, one, came.actions[i] ?? {}) ?? []);
  return exercisedUnless(odd[0]);
});

/** The digits of integers. */
const digits = ofEvents((wanted, came) =>
  judgeDigits(wanted, (id) => {
    const action = came.actions.find((one) => one['id'] === id);
    return action === undefined || !isObject(action['parameters']) ? undefined : action['parameters'];
  }),
);

/** Each action has an id of its own. */
const distinctIds = ofEvents((_, came) => {
  const ids = came.actions.map(({ id }) => id);
  const nameless = ids.findIndex((id) => typeof id !== 'string' || id === '');
  if (nameless >= 0) return mismatch('an id of each action', shown(ids[nameless]));
  const again = ids.find((id, i) => ids.indexOf(id) !== i);
  return again === undefined ? 'exercised' : mismatch('different ids', `${shown(again)} twice`);
});

/** The ids that the parser made for actions with these names. */
const madeIds = ofEvents((wanted, came) => {
  const odd = came.actions.find(
    ({ id, name }) =>
      typeof name === 'string' &&
      textsIn(wanted).includes(name) &&
      !(typeof id === 'string' && id.startsWith('#')),
  );
  return odd === undefined
    ? 'exercised'
    : mismatch(`an id that begins with # for ${shown(odd['name'])}, which has none`, shown(odd['id']));
});

/** An action that is made of a wrong body comes with a diagnostic. */
const reported = ofEvents((_, came) =>
  came.actions.length === 0 || came.diagnostics > 0
    ? 'exercised'
    : mismatch(
        'a diagnostic about the repaired body, or no action',
        `${listed(came.actions)}, without a diagnostic`,
      ),
);

const words = ({ text, final, complete }: CameResponse): string =>
  `${shown(text)} (${[final ? 'final' : 'not final', ...(complete === undefined ? [] : [complete ? 'complete' : 'incomplete'])].join(', ')})`;

/**
 * Each response, with its text and its end. Without events at the ends, responses with the same `final` are one: the fact
 * `ends` is for several responses, and for one that is not complete.
 */
const responses = ofEvents((wanted, came) => {
  const expected = objectsIn(wanted) as unknown as readonly CameResponse[];
  const same = (one: CameResponse, other: CameResponse | undefined): boolean =>
    other !== undefined &&
    tidy(one.text) === tidy(other.text) &&
    one.final === other.final &&
    (one.complete === undefined || one.complete === other.complete);
  if (expected.length === came.responses.length && expected.every((one, i) => same(one, came.responses[i])))
    return 'exercised';
  const said = (all: readonly CameResponse[]): string =>
    all.length === 0 ? 'no response' : all.map(words).join(', ');
  return mismatch(said(expected), said(came.responses));
});

const order = ofEvents((wanted, came) =>
  exercisedUnless(
    difference('order', wanted, came.order) &&
      `expected the events in the order ${said(textsIn(wanted))}; came ${said(came.order)}`,
  ),
);

const said = (kinds: readonly string[]): string => (kinds.length > 0 ? kinds.join(', ') : 'no events');

const textsIn = (value: Json): readonly string[] =>
  isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The texts of thoughts with their depths. Blanks between two tags have no place in it. */
const depths = ofEvents((wanted, came) => {
  const told = came.depths.flatMap(({ text, depth = null }) =>
    text.trim() === '' ? [] : [{ text: tidy(text), depth }],
  );
  const expected = objectsIn(wanted);
  if (expected.length !== told.length) return mismatch(inDepths(expected), inDepths(told));
  return exercisedUnless(difference('depths', [...expected], told));
});

const inDepths = (all: readonly JsonObject[]): string =>
  all.length === 0
    ? 'no thought'
    : all.map(({ text, depth }) => `${shown(text)} in depth ${shown(depth)}`).join(', ');

/** The kinds of events that came. */
const emits = ofEvents((wanted, came) => {
  const kinds = textsIn(wanted);
  if (kinds.length === 0) return { unknowable: 'it claims none of the kinds of events' };
  const lost = kinds.filter((kind) => !came.kinds.has(kind));
  return lost.length === 0 ? 'exercised' : mismatch(`events of the kind ${lost.join(', ')}`, 'none');
});

const facts: Facts = {
  ...textFacts,
  diagnostic: ofEvents((_, came) => (came.diagnostics > 0 ? 'exercised' : mismatch('a diagnostic', 'none'))),
  actions,
  digits,
  distinctIds,
  madeIds,
  reported,
  responses,
  ends: responses,
  order,
  depths,
  emits,
};

/** The features of events that a testee may lack, with the facts that need them. */
const featureOf: { readonly [fact: string]: string } = {
  diagnostic: 'diagnostics',
  feeds: 'feeds',
  exactFeeds: 'feeds',
  ends: 'response_ends',
};

/** The features of kinds of events that a testee may lack. */
const featureOfKind: { readonly [kind: string]: string } = {
  diagnostic: 'diagnostics',
  context_feed: 'feeds',
  response_end: 'response_ends',
};

/** The kinds that a testee with these features owes. */
const owedKinds = (kinds: Json, features: readonly string[]): readonly string[] =>
  textsIn(kinds).filter((kind) => {
    const feature = Object.hasOwn(featureOfKind, kind) ? featureOfKind[kind] : undefined;
    return feature === undefined || features.includes(feature);
  });

/** The features of a parser with all kinds of events. */
export const parserFeatures: readonly string[] = [
  'thought_actions',
  'non_final_responses',
  'feeds',
  'response_ends',
  'diagnostics',
];

const judge = judgeByFacts({ 'sep.parse': facts });

/**
 * Judges an answer by the facts in `expect`. Facts about kinds of events that the testee does not have are not judged.
 *
 * @example
 * const request = { op: 'sep.parse', chunks: ['<thought>Hm</thought>'] };
 * const ok = { events: [{ type: 'thought', text: 'Hm' }] };
 * judgeParse({ thought: 'Hm' }, request, { ok }, []); // 'exercised'
 * judgeParse({ thought: 'Ha' }, request, { ok }, []); // { violated: 'expected the text of thoughts "Ha"; came "Hm"' }
 */
export function judgeParse(
  expect: JsonObject,
  request: JsonObject,
  answer: JsonObject,
  features: readonly string[],
): Judgement {
  const owed = Object.entries(expect)
    .filter(([name]) => {
      const feature = Object.hasOwn(featureOf, name) ? featureOf[name] : undefined;
      return feature === undefined || features.includes(feature);
    })
    .map(([name, wanted]) => [name, name === 'emits' ? owedKinds(wanted, features) : wanted] as const);
  return judge(Object.fromEntries(owed), request, answer);
}

/**
 * Judges the answer to an output in pieces: its events are those of the whole output, which the testee got before (SEP-03).
 *
 * @returns undefined for a whole output, and for one of which the whole is not known
 */
export function judgeCut(request: JsonObject, answer: JsonObject, whole: ParserMemory): Judgement {
  if (!isCut(request)) return undefined;
  const expected = whole.get(outputOf(request));
  if (expected === undefined) return undefined;
  const { ok } = answer;
  if (!isObject(ok)) return mismatch('ok, as for the whole output', shown(answer['error']));
  const odd = difference('events', expected.map(withoutWords), coalesced(ok).map(withoutWords));
  return odd === undefined
    ? 'exercised'
    : { violated: `the events differ from those of the whole output: ${odd}` };
}

/** An event without the words of a diagnostic: its code and its offset are compared. */
const withoutWords = (event: Json): Json =>
  isObject(event) && event['type'] === 'diagnostic' ? { ...event, message: '' } : event;
