/** Executors that show the values of feeds in another way. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn, textsIn } from '../events.ts';
import { textForm } from '../references.ts';
import { feedsIn, firstValueOf } from './manifest-edits.ts';
import { answers, emits, emitsEach, outputsOf, plays, reads, startsWith } from './mutant.ts';
import type { ExecutorFaults } from './mutant.ts';

/** The id of the feed that a text is a reference to. */
const feedNamed = (template: Json, request: JsonObject): JsonObject | undefined => {
  const name = typeof template === 'string' ? /^\$(\w+)$/.exec(template)?.[1] : undefined;
  return feedsIn(request).find(({ id }) => id === name);
};

/** A fault in the references to feeds: `edit` gives what the model writes in their place. */
const references = (edit: (id: string, i: number, request: JsonObject) => string): AnswerFault =>
  plays((request) => {
    const ids = feedsIn(request).map((feed) => textIn(feed, 'id'));
    return {
      iterations: outputsOf(request).map((output, i) => [
        output.replaceAll(/\$(\w+)/g, (all, name: string) =>
          ids.includes(name) ? edit(name, i, request) : all,
        ),
      ]),
    };
  });

/** A reference that is none. */
const literal = (id: string): string => `$$${id}`;

/** A fault in what the model sees of feeds. */
const sees = (edit: (block: string) => string): AnswerFault =>
  answers((ok) => ({
    ...ok,
    transcripts: textsIn(ok['transcripts']).map((text) =>
      text.replaceAll(/<context_feed [^>]*>\n[^<]*\n<\/context_feed>/g, (block) => edit(block)),
    ),
  }));

/** What a model wrote into a context_feed, and the output behind it. */
const written = /<context_feed id="(\w+)">([^<]*)<\/context_feed>/;

const hasErrors = ({ feed_errors: errors }: JsonObject): boolean => errors !== undefined;

/** The mutants of the values of feeds. */
export const feedValueFaults: ExecutorFaults = {
  'no-feed-names': references(literal),
  'feeds-as-texts': startsWith((value, template, request) =>
    feedNamed(template, request) !== undefined && typeof value !== 'string' ? JSON.stringify(value) : value,
  ),
  'first-values': references((id, i, request) => {
    const feed = feedsIn(request).find((one) => one['id'] === id) ?? {};
    return i === 0 || hasErrors(request) || feed['type'] !== 'on_demand' || feed['cache_ttl'] !== undefined
      ? `$${id}`
      : textForm(firstValueOf(feed, request));
  }),
  'feeds-first': startsWith((value, template, request) => {
    const feed = feedNamed(template, request);
    return feed === undefined ? value : firstValueOf(feed, request);
  }),
  'given-first': startsWith((value, template, request) => {
    const { variables } = request;
    const id = textIn(feedNamed(template, request) ?? {}, 'id');
    return (isObject(variables) ? variables[id] : undefined) ?? value;
  }),
  'shows-no-feeds': sees(() => ''),
  'shows-no-ids': sees((block) => block.replace(/ id="[^"]*"/, '')),
  'shows-fetched-alone': answers((ok, request) =>
    feedsIn(request).some((feed) => feed['cache_ttl'] !== undefined)
      ? {
          ...ok,
          transcripts: textsIn(ok['transcripts']).map((text) => text.replaceAll('context_feed', 'feed')),
        }
      : ok,
  ),
  'shows-disabled': answers((ok, request) => {
    const off = feedsIn(request).filter(({ enabled }) => enabled === false);
    const blocks = off
      .map((feed) => `<context_feed id="${textIn(feed, 'id')}">\n\n</context_feed>\n`)
      .join('');
    return { ...ok, transcripts: textsIn(ok['transcripts']).map((text) => blocks + text) };
  }),
  'escapes-nothing': sees((block) =>
    block.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  ),
  'escapes-no-and': sees((block) => block.replaceAll('&amp;', '&')),
  'takes-from-model': reads((output) => {
    const [, id = '', text = ''] = written.exec(output) ?? [];
    return id === '' ? output : output.replaceAll(`$${id}`, text);
  }),
  'keeps-from-model': plays((request) => {
    const outputs = outputsOf(request);
    return {
      iterations: outputs.map((output, i) => {
        const [, id = '', text = ''] = written.exec(outputs[i - 1] ?? '') ?? [];
        return [id === '' ? output : output.replaceAll(`$${id}`, text)];
      }),
    };
  }),
  'forgets-values': references((id, i, request) => (i > 0 && hasErrors(request) ? literal(id) : `$${id}`)),
  'errors-as-values': references((id, i, request) =>
    hasErrors(request) && i === 0 ? 'no network' : `$${id}`,
  ),
  'fails-silently': emitsEach((event) => (event['code'] === 'feed-failed' ? [] : event)),
  'feeds-end-runs': emits((events) => {
    const failed = events.findIndex(({ code }) => code === 'feed-failed');
    return failed < 0 ? events : [...events.slice(0, failed + 1), ...events.slice(-1)];
  }),
  'never-stale': sees((block) => block.replace(' stale="true"', '')),
  'stale-for-ever': answers((ok, request) =>
    hasErrors(request)
      ? {
          ...ok,
          transcripts: textsIn(ok['transcripts']).map((text, i) =>
            i === 0 ? text : text.replaceAll(/(<context_feed id="\w+")>/g, '$1 stale="true">'),
          ),
        }
      : ok,
  ),
};
