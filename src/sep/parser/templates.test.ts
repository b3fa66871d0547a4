/** Templates, and the depth of thoughts: spec/sep/README.md, "Extensions". */
import { describe, expect, it } from 'vitest';
import { playRun } from '../executor/scripted-run.ts';
import { codesOf } from './events.test-helper.ts';
import { parseSep } from './parser.ts';
import { act, all, play } from '../executor/blocks/play.test-helper.ts';

const page =
  '<template name="page">{"type": "llm", "name": "scraper", "parameters": {"url": "$url", "text": "GET $url $$url $other"}, "timeout": 30, "retry": 2, "on_error": "fail", "output_key": "k", "requires": ["url"]}</template>';
const call = (id: string, body: object): string =>
  act(id, { name: 'page', ...body }, { type: 'template', mode: 'async' });
const parsed = (output: string, options = {}): ReturnType<typeof parseSep> =>
  parseSep(output, { extensions: all, ...options });
const codes = (output: string, options = {}): readonly string[] => codesOf(parsed(output, options));

describe('a template', () => {
  it('makes actions with its type and name, and with the parameters as they are written', () => {
    expect(parsed(`${page}${call('a', { parameters: { url: ['$b', '$$c'] } })}`)).toEqual([
      {
        type: 'template',
        name: 'page',
        template: {
          type: 'llm',
          name: 'scraper',
          parameters: { url: '$url', text: 'GET $url $$url $other' },
          requires: ['url'],
          output_key: 'k',
          timeout: 30,
          retry: 2,
          on_error: 'fail',
        },
      },
      {
        type: 'action',
        action: {
          id: 'a',
          type: 'llm',
          mode: 'async',
          name: 'scraper',
          parameters: { url: ['$b', '$$c'], text: 'GET ["$b","$$c"] $$url $other' },
          output_key: 'k',
          depends_on: [],
          timeout: 30,
          retry: 2,
          on_error: 'fail',
        },
      },
    ]);
  });

  it('leaves the other members to the action', () => {
    const own = { timeout: 5, retry_count: 0, skip_on_error: true, output_key: 'own', depends_on: ['b'] };
    expect(parsed(`${page}${call('a', { ...own, parameters: { url: 1 } })}`)[1]).toMatchObject({
      action: { timeout: 5, retry: 0, on_error: 'skip', output_key: 'own', depends_on: ['b'] },
    });
    const none = { timeout: null, on_error: null, parameters: { url: null } };
    expect(parsed(`${page}${call('a', none)}`)[1]).toMatchObject({
      action: { timeout: 30, on_error: 'fail', parameters: { url: null, text: 'GET null $$url $other' } },
    });
  });

  it.each([
    ['an action before it', call('a', { parameters: { url: 1 } }) + page, ['bad-template']],
    [
      'an action without a parameter that it requires',
      page + call('a', { parameters: { other: 1 } }),
      ['bad-template'],
    ],
    ['a second one with its name', page + page, ['duplicate-template']],
    ['one without a name', page.replace(' name="page"', ''), ['bad-template']],
    ['one of the type template', page.replace('llm', 'template'), ['bad-template']],
    ['one that is no JSON', '<template name="x">{"name": }</template>', ['bad-template']],
    ['one without an action', '<template name="x">{}</template>', ['bad-template']],
    ['one without an end', '<template name="x">{"name": "n"}', ['bad-template']],
    [
      'one in a block',
      '<if test="true"><template name="x">{}</template></if>',
      ['bad-template', 'stray-close'],
    ],
    ['an empty one', '<template name="x"/>', ['bad-template']],
  ])('refuses %s', (_, output, expected) => {
    expect(codes(output)).toEqual(expected);
    expect(parsed(output).filter(({ type }) => type === 'action')).toEqual([]);
  });

  it('ends at a closing tag outside of a JSON string', () => {
    expect(parsed('<template name="x">{"name": "</template>"}</template>')).toMatchObject([
      { type: 'template', template: { name: '</template>' } },
    ]);
  });

  it('serves the later iterations of a run', () => {
    const { events } = playRun({
      iterations: [[page], [call('a', { parameters: { url: 'u' } })]],
      extensions: all,
      providers: { scraper: [{ output: 'text' }] },
    });
    expect(events.filter(({ type }) => type === 'completed')).toMatchObject([{ id: 'a', output: 'text' }]);
  });

  it('has its parameters in loops from the round', () => {
    const output = `${page}<foreach in="[1, 2]">${call('a', { parameters: { url: '$item' } })}</foreach>`;
    expect(play(output, { providers: { scraper: [{ output: 1 }] } })).toEqual(
      expect.arrayContaining(['started a_0 {"url":1,"text":"GET 1 $url $other"}']),
    );
  });

  it('and its actions have as many characters as a body', () => {
    const wide = `<template name="page">{"name": "n", "parameters": {"t": "${'$x'.repeat(20)}"}}</template>`;
    const many = (length: number): string => wide + call('a', { parameters: { x: 'y'.repeat(length) } });
    expect(codes(many(10), { mostBody: 400 })).toEqual([]);
    expect(codes(many(30), { mostBody: 400 })).toEqual(['bad-template']);
  });

  it('is one of at most 256', () => {
    const some = (count: number): string =>
      Array.from({ length: count }, (_, i) => `<template name="t${i}">{"name": "n"}</template>`).join('');
    expect(codes(some(256))).toEqual([]);
    expect(codes(some(257))).toEqual(['bad-template']);
    expect(codes(some(3), { mostTemplates: 2 })).toEqual(['bad-template']);
  });

  it('is no type of actions while the extension is off', () => {
    const output = `${page}${call('a', { parameters: { url: 1 } })}`;
    expect(codesOf(parseSep(output, { extensions: { ...all, templates: false } }))).toEqual(['unknown-type']);
  });
});

describe('the depth of thoughts', () => {
  it('counts the thoughts around one', () => {
    expect(parsed('<thought>a<thought>b</thought>c</thought><thought>d</thought>')).toEqual([
      { type: 'thought', text: 'a', depth: 1 },
      { type: 'thought', text: 'b', depth: 2 },
      { type: 'thought', text: 'c', depth: 1 },
      { type: 'thought', text: 'd', depth: 1 },
    ]);
  });

  it('ends at 32', () => {
    const deep = (count: number): string => `${'<thought>'.repeat(count)}x${'</thought>'.repeat(count)}`;
    expect(parsed(deep(32))).toEqual([{ type: 'thought', text: 'x', depth: 32 }]);
    expect(parsed(deep(33))).toMatchObject([
      { code: 'too-deep', offset: 32 * 9 },
      { type: 'thought', text: 'x', depth: 32 },
    ]);
  });
});
