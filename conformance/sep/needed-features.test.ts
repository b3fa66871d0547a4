/** The features that a test needs are read from its outputs. */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/kit/base/index.ts';
import { vectorOf } from '../../src/kit/testee/index.ts';
import { neededFeatures } from './needed-features.ts';

const needsOf = (op: string, input: JsonObject): readonly string[] =>
  neededFeatures({ op, test: vectorOf({ id: 'a', comment: 'a', requirements: ['SEP-01'], ...input }) });

const action = (more = ''): string => `<action type="tool" mode="sync" id="a">{"name":"x"${more}}</action>`;

it.each<[string, readonly string[]]>([
  [action(), []],
  [`<thought>a${action()}</thought>`, ['thought_actions']],
  [`<thought>a</thought>${action()}`, []],
  ['<response final="false">a</response>', ['non_final_responses']],
  ["<response final='no'>a</response>", ['non_final_responses']],
  ['<response final="true">a</response><response>b</response>', []],
  [action(',"depends_on":["b"]'), ['dependencies']],
  [action(',"depends_on":[]'), []],
  [action(',"timeout":0.5'), ['timeouts']],
  [action(',"retry":2'), ['retries']],
  [action(',"retry":0'), []],
  [action(',"on_error":"retry"'), ['retries']],
  [action(',"rollback":{"name":"y","timeout":1}'), []],
  [action(',"parameters":{"p":"the $b"}'), ['variables']],
  [action(',"parameters":{"p":"for $5"}'), []],
])('%s needs %j', (output, features) => {
  expect(needsOf('sep.run', { iterations: [[output]] })).toEqual(features);
  const ofParsers = features.filter((one) => ['thought_actions', 'non_final_responses'].includes(one));
  expect(needsOf('sep.parse', { chunks: [output] })).toEqual(ofParsers);
  expect(needsOf('sep.parse', { bytes: [Buffer.from(output).toString('hex')] })).toEqual(ofParsers);
});

it.each(['action: random', 'action: debug_context', 'action: system_clock, params: { format: unix }'])(
  'a source with %s needs more than the document shows',
  (source) => {
    const manifest = `[{ id: a, type: on_demand, source: { type: internal, ${source} } }]`;
    expect(needsOf('sep.run', { iterations: [['a']], manifest })).toEqual(['internal_sources']);
  },
);

it('the clock of the document needs no feature', () => {
  const manifest = '{ type: internal, action: system_clock, params: { format: "ISO8601", timezone: "UTC" } }';
  expect(needsOf('sep.run', { iterations: [['a']], manifest })).toEqual([]);
});

it('a second output needs iterations, and names of feeds need no variables', () => {
  expect(needsOf('sep.run', { iterations: [['a'], ['b']] })).toEqual(['non_final_responses']);
  const iterations = [['<response>$load</response>']];
  expect(needsOf('sep.run', { iterations, manifest: '[]' })).toEqual([]);
  expect(needsOf('sep.run', { iterations })).toEqual(['variables']);
});
