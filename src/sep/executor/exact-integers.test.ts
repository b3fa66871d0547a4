/** An integer of 64 bits has all its digits wherever a run puts it (SEP-145). */
import { expect, it } from 'vitest';
import { exactText } from '../../kit/base/index.ts';
import { playRun } from './scripted-run.ts';
import type { RunScript } from './scripted-run.ts';

const ticket = '2512292042121000001';
const tag = (id: string, body: string, type = 'tool'): string =>
  `<action type="${type}" mode="sync" id="${id}">${body}</action>`;

const textOf = (output: string, more: Partial<RunScript> = {}): string =>
  exactText(playRun({ iterations: [[output]], providers: { x: [{ output: 1 }] }, ...more }).events);

it.each<[string, string, string, Partial<RunScript>?]>([
  ['in parameters', tag('a', `{"name":"x","parameters":{"n":${ticket}}}`), `"parameters":{"n":${ticket}}`],
  [
    'as a variable, whole and inside a text',
    tag('v', `{"name":"set_variable","parameters":{"name":"t","value":${ticket}}}`, 'internal') +
      tag('a', '{"name":"x","parameters":{"n":"$t","s":"no. $t"}}'),
    `"parameters":{"n":${ticket},"s":"no. ${ticket}"}`,
  ],
  [
    'as an item of a list',
    `<foreach in="[${ticket}]">${tag('a', '{"name":"x","parameters":{"n":"$item"}}')}</foreach>`,
    `"parameters":{"n":${ticket}}`,
    { extensions: { loops: true } },
  ],
  [
    'in a template',
    `<template name="p">{"name":"x","parameters":{"n":"$n","m":${ticket}}}</template>` +
      tag('a', `{"name":"p","parameters":{"n":${ticket}}}`, 'template'),
    `"parameters":{"n":${ticket},"m":${ticket}}`,
    { extensions: { templates: true } },
  ],
  [
    'in a condition, which tells it from its neighbour',
    tag('v', `{"name":"set_variable","parameters":{"name":"t","value":${ticket}}}`, 'internal') +
      `<if test="$t == 2512292042121000000"><response>same</response><else/><response>other</response></if>`,
    '"text":"other"',
    { extensions: { conditions: true } },
  ],
])('%s', (_, output, expected, more) => {
  expect(textOf(output, more)).toContain(expected);
});

it('a retry beyond 2^53 is a number', () => {
  expect(textOf(tag('a', '{"name":"x","retry":9007199254740993}'))).toContain('"completed"');
});
