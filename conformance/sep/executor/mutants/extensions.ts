/** Executors that read templates, transform feeds, or join them, in another way. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import type { ExtensionName } from '../../../../src/sep/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { textIn } from '../events.ts';
import { mutantOf } from './extended.ts';
import { readsFeeds, without } from './manifest-edits.ts';
import { anyMutant, emits, emitsEach, isOf, outputsOf, plays, reads } from './mutant.ts';
import type { ExecutorMutant } from './mutant.ts';

const template = mutantOf('templates');
const transform = mutantOf('transformations');
const cross = mutantOf('cross_feed_references');
const remote = mutantOf('distributed_feeds');

/** A fault in the parameters of actions that start. */
const parameters = (edit: (value: Json) => Json): AnswerFault =>
  emitsEach((event) =>
    isOf('started', event) && isObject(event['parameters'])
      ? {
          ...event,
          parameters: Object.fromEntries(
            Object.entries(event['parameters']).map(([name, value]) => [name, edit(value)]),
          ),
        }
      : event,
  );

/** An action of the type template without its template is one of a tool. */
function madeUp(request: JsonObject): JsonObject {
  let before = '';
  const iterations = outputsOf(request).map((output) => {
    const text = output.replaceAll(
      /<action type="template"([^>]*>\{"name": ?"(\w+)")/g,
      (all: string, rest: string, name: string, at: number) =>
        `${before}${output.slice(0, at)}`.includes(`<template name="${name}"`)
          ? all
          : `<action type="tool"${rest}`,
    );
    before += output;
    return [text];
  });
  return { iterations };
}

const templateMutants: readonly ExecutorMutant[] = [
  template(
    124,
    'template-texts',
    'It puts each parameter into a template as a text.',
    parameters((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  ),
  template(
    124,
    'one-dollar',
    'It reads two dollars of a template as one.',
    reads((output) => output.replaceAll('$$', () => '$')),
  ),
  template(
    124,
    'serves-once',
    'A template serves one action.',
    emits((events) => events.filter((event) => textIn(event, 'id') !== 'b')),
  ),
  template(125, 'makes-templates-up', 'An action without its template is one of a tool.', plays(madeUp)),
  template(
    125,
    'requires-nothing',
    'It ignores the parameters that a template requires.',
    reads((output) => output.replaceAll(/, "requires": \[[^\]]*\]/g, '')),
  ),
];

/** The steps of a feed; empty: it has none. */
const stepsOf = ({ transform: steps }: JsonObject): readonly Json[] => (isArray(steps) ? steps : []);

/** A fault in the steps. */
const steps = (edit: (all: readonly Json[]) => readonly Json[]): AnswerFault =>
  readsFeeds((feed) => ({ ...feed, transform: [...edit(stepsOf(feed))] }));

/** What a cut leaves of a text in tests (characters). */
const cutLength = 40;

/** The texts of sources, cut before their feeds are transformed. */
const cutsFirst = plays((request) =>
  textIn(request, 'manifest').includes('max_tokens') ? { feeds: withCutTexts(request['feeds'] ?? {}) } : {},
);

const withCutTexts = (value: Json): Json =>
  JSON.parse(JSON.stringify(value), (_, one: Json) =>
    typeof one === 'string' ? one.slice(0, cutLength) : one,
  ) as Json;

/** A feed without a value is not transformed. */
const asItIs: AnswerFault = (request) => {
  const answer = sepManifestTestee(request);
  const events = isObject(answer['ok']) ? answer['ok']['events'] : undefined;
  if (!isArray(events) || events.some((event) => isObject(event) && isOf('context_feed', event)))
    return answer;
  return readsFeeds((feed) => without(feed, 'transform'))(request);
};

/** The members of a request that switch an extension off. */
const switchedOff = ({ extensions }: JsonObject, name: ExtensionName): JsonObject => ({
  extensions: { ...(isObject(extensions) ? extensions : {}), [name]: false },
});

/** Whether a manifest has a feed of an internal source. */
const hasInternal = (request: JsonObject): boolean => textIn(request, 'manifest').includes('type: internal');

const feedMutants: readonly ExecutorMutant[] = [
  transform(
    135,
    'last-step-first',
    'It takes the last step first.',
    steps((all) => all.toReversed()),
  ),
  transform(
    135,
    'last-step-alone',
    'It takes the last step alone.',
    steps((all) => all.slice(-1)),
  ),
  transform(136, 'cuts-first', 'It cuts a value before the steps.', cutsFirst),
  transform(137, 'shows-as-it-is', 'It shows a value that a step does not fit as it is.', asItIs),
  cross(
    88,
    'params-as-written',
    'It passes the params of an internal source as they are written.',
    plays((request) => (hasInternal(request) ? switchedOff(request, 'cross_feed_references') : {})),
  ),
  cross(
    138,
    'fetches-cycles',
    'It fetches the feeds of tools that name each other.',
    plays((request) => (hasInternal(request) ? {} : switchedOff(request, 'cross_feed_references'))),
  ),
  remote(
    139,
    'no-remote',
    'It knows no remote source.',
    plays((request) => switchedOff(request, 'distributed_feeds')),
  ),
  anyMutant(
    140,
    'always-remote',
    'It fetches remote feeds though the extension is off.',
    plays(({ extensions }) => ({
      extensions: { ...(isObject(extensions) ? extensions : {}), distributed_feeds: true },
    })),
  ),
];

/** The mutants of templates and of the extensions of feeds. */
export const extensionMutants: readonly ExecutorMutant[] = [...templateMutants, ...feedMutants];
