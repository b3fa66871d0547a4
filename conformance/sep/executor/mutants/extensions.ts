/** Executors that read templates, transform feeds, or join them, in another way. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import type { ExtensionName } from '../../../../src/sep/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { textIn } from '../events.ts';
import { inRunsWith } from './extended.ts';
import { readsFeeds, without } from './manifest-edits.ts';
import { emits, emitsEach, isOf, outputsOf, plays, reads } from './mutant.ts';
import type { ExecutorFaults } from './mutant.ts';

const template = inRunsWith('templates');
const transform = inRunsWith('transformations');
const cross = inRunsWith('cross_feed_references');
const remote = inRunsWith('distributed_feeds');

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

const templateFaults: ExecutorFaults = {
  'template-texts': template(
    parameters((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  ),
  'one-dollar': template(reads((output) => output.replaceAll('$$', () => '$'))),
  'serves-once': template(emits((events) => events.filter((event) => textIn(event, 'id') !== 'b'))),
  'makes-templates-up': template(plays(madeUp)),
  'requires-nothing': template(reads((output) => output.replaceAll(/, "requires": \[[^\]]*\]/g, ''))),
};

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

const feedFaults: ExecutorFaults = {
  'last-step-first': transform(steps((all) => all.toReversed())),
  'last-step-alone': transform(steps((all) => all.slice(-1))),
  'cuts-first': transform(cutsFirst),
  'shows-as-it-is': transform(asItIs),
  'params-as-written': cross(
    plays((request) => (hasInternal(request) ? switchedOff(request, 'cross_feed_references') : {})),
  ),
  'fetches-cycles': cross(
    plays((request) => (hasInternal(request) ? {} : switchedOff(request, 'cross_feed_references'))),
  ),
  'no-remote': remote(plays((request) => switchedOff(request, 'distributed_feeds'))),
  'always-remote': plays(({ extensions }) => ({
    extensions: { ...(isObject(extensions) ? extensions : {}), distributed_feeds: true },
  })),
};

/** The mutants of templates and of the extensions of feeds. */
export const extensionFaults: ExecutorFaults = { ...templateFaults, ...feedFaults };
