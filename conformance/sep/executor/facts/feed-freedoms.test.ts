/**
 * What spec/sep/README.md leaves to an executor with feeds: the answers of the reference to all tests of feeds and internal
 * actions, changed in a way that the page allows, are judged as right.
 */
import { describe, expect, it } from 'vitest';
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { vectorsOf } from '../../vectors-of.ts';
import { textIn, textsIn } from '../events.ts';
import { isFetched } from '../events.ts';
import { judgeRun } from '../judge.ts';

type Edit = (event: JsonObject) => JsonObject | readonly JsonObject[];

/** JSON with blanks; a text as it is. */
function spaced(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const ofFetched =
  (edit: Edit): Edit =>
  (event) =>
    isFetched(event) ? edit(event) : event;

const eventEdits: { readonly [freedom: string]: Edit } = {
  'JSON with blanks in the event of a value': ofFetched((event) => ({
    ...event,
    text: `\n${spaced(textIn(event, 'text'))}\n`,
  })),
  'a value that is told twice': ofFetched((event) => [event, event]),
  'values without the mark runtime': ofFetched((event) => ({ ...event, runtime: null })),
  'times with milliseconds': ofFetched((event) => ({
    ...event,
    text: textIn(event, 'text').replace(/^(2024-\S{14})Z$/, '$1.000Z'),
  })),
  'other outputs of internal actions': (event) =>
    event['type'] === 'completed' && isObject(event['output']) ? { ...event, output: 'done' } : event,
  'other words of errors and diagnostics': (event) =>
    event['type'] === 'failed' || event['type'] === 'diagnostic'
      ? { ...event, ...(event['type'] === 'failed' ? { error: 'no' } : { code: 'odd', message: 'no' }) }
      : event,
  'events a tenth of a second late': (event) => ({ ...event, at: Number(event['at']) + 0.1 }),
};

const textEdits: { readonly [freedom: string]: (text: string) => string } = {
  'other entities': (text) =>
    text.replaceAll('&lt;', '&#60;').replaceAll('&quot;', '&#x22;').replaceAll('&gt;', '>'),
  'other quotes and attributes': (text) =>
    text.replaceAll(/<context_feed id="(\w+)"/g, "<context_feed at='1' id='$1'"),
  'no line breaks in a block': (text) => text.replaceAll(/(<context_feed[^>]*>)\n([^<]*)\n</g, '$1$2<'),
  'more text around the feeds': (text) => `You are an agent.\n<feeds>${text}</feeds>`,
  'the feeds behind the transcript': (text) => {
    const feeds = [...text.matchAll(/<context_feed.*?<\/context_feed>/gs)].map(([block]) => block);
    return feeds.reduce((left, block) => left.replace(block, '') + block, text);
  },
};

const features = ['diagnostics', 'transcripts', 'manifests', 'internal_actions'];

const tests = vectorsOf('sep.run')
  .filter(({ name }) => name === 'feeds.json' || name === 'internal-actions.json')
  .flatMap(({ vectors }) => vectors.groups.flatMap((group) => group.tests));

const answers = new Map(
  tests.map((test) => [test, sepManifestTestee({ op: 'sep.run', ...(test as unknown as JsonObject) })]),
);

/** The tests whose changed answers are not exercised, with their judgements. */
const blamed = (edit: (ok: JsonObject) => JsonObject): readonly unknown[] =>
  [...answers].flatMap(([test, answer]) => {
    const { ok } = answer;
    const judged = judgeRun(test.requirements[0] ?? '', {
      isInvalid: test.result === 'invalid',
      mayBeRefused: test.result === 'acceptable',
      expect: test.expect ?? {},
      request: { op: 'sep.run', ...(test as unknown as JsonObject) },
      answer: isObject(ok) ? { ok: edit(ok) } : { error: { code: 'odd', message: 'no' } },
      features,
      isVirtual: true,
    });
    return judged === 'exercised' ? [] : [{ test: test.id, judged }];
  });

const eventsOf = ({ events }: JsonObject): readonly JsonObject[] =>
  isArray(events) ? events.filter((event): event is JsonObject => isObject(event)) : [];

describe('an executor is free in', () => {
  it.each(Object.entries(eventEdits))('%s', (_, edit) => {
    expect(blamed((ok) => ({ ...ok, events: eventsOf(ok).flatMap(edit) as Json[] }))).toEqual([]);
  });

  it.each(Object.entries(textEdits))('what the model sees: %s', (_, edit) => {
    expect(blamed((ok) => ({ ...ok, transcripts: textsIn(ok['transcripts']).map(edit) }))).toEqual([]);
  });
});
