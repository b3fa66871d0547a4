/** The extensions at the doors of SEP: the operations of a testee, and the stream under the names of the document. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../kit/base/index.ts';
import { StreamingProtocolParser } from './streaming/streaming-protocol-parser.ts';
import { sepTestee } from './testee.ts';
import { act, all } from './executor/blocks/play.test-helper.ts';

const output = `<if test="true"><foreach in="[1, 2]">${act('x', { name: 'n' })}</foreach><response>$x</response></if>`;
const extensions = { ...all };

/** The kinds of the events of an answer. */
const kindsOf = (answer: JsonObject): readonly string[] =>
  (answer['ok'] as { readonly events: readonly { readonly type: string }[] }).events.map(({ type }) => type);

describe('a testee', () => {
  it('has the extensions of an output among its features', () => {
    expect(sepTestee({ id: 1, op: 'hello' })).toMatchObject({
      ok: {
        features: expect.arrayContaining([
          'conditions',
          'loops',
          'groups',
          'templates',
          'sub_thoughts',
        ]) as unknown,
      },
    });
  });

  it('parses blocks, also in bytes', () => {
    const chunks = output.split('');
    const bytes = chunks.map((char) => Buffer.from(char).toString('hex'));
    const kinds = [
      'block',
      'block',
      'action',
      'block_end',
      'response',
      'response',
      'response_end',
      'block_end',
    ];
    for (const pieces of [{ chunks }, { bytes }])
      expect(kindsOf(sepTestee({ id: 1, op: 'sep.parse', ...pieces, extensions }))).toEqual(kinds);
    expect(new Set(kindsOf(sepTestee({ id: 1, op: 'sep.parse', chunks: ['<if>', '</if>'] })))).toEqual(
      new Set(['text']),
    );
  });

  it('runs them', () => {
    const providers = { n: [{ output: 'a' }, { output: 'b' }] };
    const answer = sepTestee({ id: 1, op: 'sep.run', iterations: [[output]], providers, extensions });
    expect(answer).toMatchObject({ ok: { variables: { x_0: 'a', x_1: 'b', x: ['a', 'b'] } } });
    expect(kindsOf(answer)).toEqual(expect.arrayContaining(['condition', 'loop']));
  });
});

it('a stream runs them, with words for a user', async () => {
  async function* pieces(): AsyncGenerator<string> {
    yield `<template name="t">{"name": "n"}</template>`;
    yield* output.match(/[^]{1,7}/g) ?? [];
  }
  const parser = new StreamingProtocolParser({ extensions, actionExecutor: ({ id }) => `of ${id}` });
  const seen: string[] = [];
  for await (const { tokenType, content } of parser.parseStream(pieces()))
    if (['condition', 'loop', 'template', 'response'].includes(tokenType))
      seen.push(`${tokenType}: ${content}`);
  expect(seen).toEqual([
    'template: t',
    'condition: true is true',
    'loop: 2 rounds of [1, 2]',
    'response: ["of x_0","of x_1"]',
  ]);
});
