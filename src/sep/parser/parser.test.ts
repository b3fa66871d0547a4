/** The parser, clause by clause. The examples are those of the Streaming Execution Protocol v1.1. */
import { describe, expect, it } from 'vitest';
import { coalesced, codesOf, plain } from './events.test-helper.ts';
import type { SepEvent } from './events.ts';
import { mostBody, parseSep, SepParser } from './parser.ts';
import { mostTag } from './tag.ts';

const thought = (text: string): SepEvent => ({ type: 'thought', text });
const response = (text: string, final = true): SepEvent => ({ type: 'response', text, final });
const end = (final = true, complete = true): SepEvent => ({ type: 'response_end', final, complete });
const outside = (text: string): SepEvent => ({ type: 'text', text });

/** The actions of an output. */
const actionsOf = (output: string): readonly object[] =>
  parseSep(output).flatMap((event) => (event.type === 'action' ? [event.action] : []));

/** An action with these attributes and this body. */
const action = (attributes: string, body = '{"name":"n"}'): string =>
  `<action ${attributes}>${body}</action>`;

describe('tags', () => {
  it.each([
    [
      'SEP-01: thought and response',
      '<thought>a</thought><response>b</response>',
      [thought('a'), response('b'), end()],
    ],
    ['SEP-01: uppercase is text', '<Thought>a</Thought>', [outside('<Thought>a</Thought>')]],
    [
      'SEP-01: a feed',
      '<context_feed id="f">x</context_feed>',
      [{ type: 'context_feed', id: 'f', text: 'x' }],
    ],
    [
      'SEP-05: other < are text',
      '<thought>a < b <b>c</b> <thoughts></thought>',
      [thought('a < b <b>c</b> <thoughts>')],
    ],
    ['SEP-05: a tag that begins again', '<thought>a<<action <</thought>', [thought('a<<action <')]],
    [
      'SEP-06: quotes and blanks',
      "<response final = 'false' >x</response>",
      [response('x', false), end(false)],
    ],
    ['SEP-07: > in a value', '<response note="a > b">x</response>', [response('x'), end()]],
    ['SEP-08: the last of two', '<response final="false" final="true">x</response>', [response('x'), end()]],
    ['SEP-91: a bare value', '<response final=false>x</response>', [response('x', false), end(false)]],
    ['SEP-09: white space', '<thought>\n a\n\n b \n</thought>', [thought('\n a\n\n b \n')]],
    ['SEP-10: blanks before >', '<thought>a</thought \n>', [thought('a')]],
    ['SEP-11: a comment', '<!-- <thought>a</thought> --><thought>b</thought>', [thought('b')]],
    ['SEP-13: many thoughts', '<thought>a</thought>\n<thought>b</thought>', [thought('ab')]],
    [
      'SEP-16: a thought in a thought',
      '<thought>a<thought>b</thought>c</thought>d',
      [thought('abc'), outside('d')],
    ],
    ['SEP-18: an open thought', '<thought>a', [thought('a')]],
    ['SEP-18: an open response', '<response>a', [response('a'), end(false, false)]],
    ['SEP-18: an open tag', 'a<respon', [outside('a<respon')]],
    ['SEP-50: another value', '<response final="yes">a</response>', [response('a', false), end(false)]],
    [
      'SEP-53: after the final response',
      '<response>a</response><thought>b</thought>',
      [response('a'), end()],
    ],
    ['a stray end', 'a</thought>b', [outside('a</thought>b')]],
    ['an empty response', '<response/>', [end()]],
    ['an empty feed', '<context_feed id="f"></context_feed>', [{ type: 'context_feed', id: 'f', text: '' }]],
    ['a closed feed', '<context_feed id="f"/>', [{ type: 'context_feed', id: 'f', text: '' }]],
  ])('%s', (_, output, expected) => {
    const events = plain(parseSep(output));
    // Thoughts that follow each other are one text.
    expect(joined(events)).toEqual(expected);
  });

  it('SEP-17: an action in a response is text, with a remark', () => {
    const inside = '<response>x <action id="a">{"name":"n"}</action> y</response>';
    expect(plain(parseSep(inside))).toEqual([response('x <action id="a">{"name":"n"}</action> y'), end()]);
    expect(codesOf(parseSep(inside))).toEqual(['action-in-response']);
  });

  it('SEP-55: the texts of responses stay apart', () => {
    const output = '<response final="false">a</response><response final="false">b</response>';
    expect(plain(parseSep(output))).toEqual([
      response('a', false),
      end(false),
      response('b', false),
      end(false),
    ]);
  });

  it(`a tag of more than ${mostTag} characters is text, with a remark`, () => {
    const long = `<thought note="${'x'.repeat(mostTag)}">`;
    const events = parseSep(`${long}a`);
    expect(plain(events)).toEqual([outside(`${long}a`)]);
    expect(codesOf(events)).toEqual(['tag-too-long']);
  });
});

/** Joins thoughts that only white space parts. */
function joined(events: readonly SepEvent[]): readonly SepEvent[] {
  return coalesced(events);
}

describe('actions', () => {
  it('SEP-14: an action inside a thought', () => {
    const output = `<thought>a ${action('type="tool" mode="async" id="f"')} b</thought>`;
    expect(plain(parseSep(output)).map(({ type }) => type)).toEqual(['thought', 'action', 'thought']);
  });

  it('has the defaults of the document', () => {
    const body =
      '{"name":"web_scraper","parameters":{"url":"https://example.com"},"output_key":"page","timeout":30,"retry":3}';
    expect(actionsOf(action('type="tool" mode="async" id="fetch"', body))).toEqual([
      {
        id: 'fetch',
        type: 'tool',
        mode: 'async',
        name: 'web_scraper',
        parameters: { url: 'https://example.com' },
        output_key: 'page',
        depends_on: [],
        timeout: 30,
        retry: 3,
        on_error: 'skip',
      },
    ]);
  });

  it.each([
    ['SEP-21: a list', '[]', 'body-fields'],
    ['SEP-21: a comment, as in the document', '{"name":"n" // the name\n}', 'body-json'],
    ['SEP-21: a trailing comma', '{"name":"n",}', 'body-json'],
    ['SEP-22: an arrow, as in the document', '{"name":"n","output_key":"w"  ← Stores as $w\n}', 'body-json'],
    ['SEP-22: no JSON', '...', 'body-json'],
    ['SEP-24: no name', '{"parameters":{}}', 'missing-name'],
    ['SEP-24: an empty name', '{"name":""}', 'missing-name'],
    ['wrong parameters', '{"name":"n","parameters":[]}', 'body-fields'],
    ['a wrong timeout', '{"name":"n","timeout":-1}', 'body-fields'],
    ['too many levels', `{"name":"n","parameters":{"a":${'['.repeat(600)}${']'.repeat(600)}}}`, 'body-json'],
  ])('%s is not executed, and reported', (_, body, code) => {
    const events = parseSep(`${action('type="tool" mode="sync" id="a"', body)}<response>x</response>`);
    expect(plain(events)).toEqual([response('x'), end()]);
    expect(codesOf(events)).toEqual([code]);
  });

  it.each([
    ['SEP-27: an unknown type', 'type="robot" mode="sync" id="a"', 'unknown-type'],
    ['SEP-27: an unknown mode', 'type="tool" mode="later" id="a"', 'unknown-mode'],
  ])('%s is not executed, and reported', (_, attributes, code) => {
    expect(codesOf(parseSep(action(attributes)))).toEqual([code]);
    expect(actionsOf(action(attributes))).toEqual([]);
  });

  it('SEP-25: makes an id that no other action has', () => {
    const output = `${action('type="tool" mode="sync" id="#1"')}${action('type="tool" mode="sync"')}`;
    expect(actionsOf(output)).toMatchObject([{ id: '#1' }, { id: '#2', generated: true }]);
    expect(codesOf(parseSep(output))).toEqual(['missing-id']);
  });

  it('SEP-26: rejects an id that is taken, also by an earlier output', () => {
    const one = action('type="tool" mode="sync" id="a"');
    const ids = new Set<string>();
    expect(codesOf(parseSep(one + one, { ids }))).toEqual(['duplicate-id']);
    expect(codesOf(parseSep(one, { ids }))).toEqual(['duplicate-id']);
  });

  it('SEP-93: the defaults of type and mode come with remarks', () => {
    expect(actionsOf(action('id="a"'))).toMatchObject([{ type: 'tool', mode: 'sync' }]);
    expect(codesOf(parseSep(action('id="a"')))).toEqual(['attribute-missing', 'attribute-missing']);
  });

  it.each(['null', '[]'])('SEP-35: depends_on %s means none', (value) => {
    const body = `{"name":"n","depends_on":${value}}`;
    expect(actionsOf(action('type="tool" mode="sync" id="a"', body))).toMatchObject([{ depends_on: [] }]);
  });

  it.each([
    ['depends_on=["a", "b"]', ['x', 'a', 'b']],
    ['depends_on="a, b"', ['x', 'a', 'b']],
    [`depends_on='["a"]'`, ['x', 'a']],
    ['depends_on=["a,b", "c"]', ['x', 'a,b', 'c']],
    ["depends_on=['a,b', 'c d', e f]", ['x', 'a,b', 'c d', 'e f']],
    ["depends_on=['a']", ['x', 'a']],
  ])('SEP-36: %s is added', (attribute, ids) => {
    const output = action(`type="tool" mode="sync" id="z" ${attribute}`, '{"name":"n","depends_on":["x"]}');
    expect(actionsOf(output)).toMatchObject([{ depends_on: ids }]);
    expect(codesOf(parseSep(output))).toEqual(['attribute-depends-on']);
  });

  it('a key __proto__ harms nothing', () => {
    const [read] = actionsOf(
      action('type="tool" mode="sync" id="__proto__"', '{"name":"n","parameters":{"__proto__":1}}'),
    );
    expect(JSON.stringify(read)).toContain('"parameters":{"__proto__":1}');
    expect(({} as { n?: unknown }).n).toBeUndefined();
  });
});

describe('the end of a body (SEP-20)', () => {
  const open = '<action type="tool" mode="sync" id="a">';
  it.each([
    ['in a string', `${open}{"name":"n </action> m"}</action>`, ['n </action> m']],
    ['behind an escaped quote', `${open}{"name":"\\" </action>"}</action>`, ['" </action>']],
    ['in a string that the output leaves open', `${open}{"name":"n"} "</action>b`, []],
    ['in a string with a line break', `${open}{"name":"n\n</action>`, []],
    ['in a whole body and an open string', `${open}{"name":"n"}</action> "`, ['n']],
  ])('%s', (_, output, names) => {
    expect(actionsOf(output)).toMatchObject(names.map((name) => ({ name })));
  });

  it('reads on behind the first end, when the string is never closed', () => {
    const output = `${open}{"name":"x</action><response>y</response>`;
    expect(plain(parseSep(output))).toEqual([response('y'), end()]);
    expect(codesOf(parseSep(output))).toEqual(['body-json']);
  });

  it('SEP-19: an action that is not closed is not executed', () => {
    expect(plain(parseSep(`${open}{"name":"n"}`))).toEqual([]);
    expect(codesOf(parseSep(`${open}{"name":"n"}`))).toEqual(['unclosed-action']);
  });

  it('a body above the limit is refused, and the output is read on', () => {
    const body = `{"name":"${'x'.repeat(2000)}"}`;
    const output = `${open}${body}</action><response>y</response>`;
    expect(plain(parseSep(output, { mostBody: 1000 }))).toEqual([response('y'), end()]);
    expect(codesOf(parseSep(output, { mostBody: 1000 }))).toEqual(['body-too-large']);
    expect(actionsOf(output)).toHaveLength(1);
    expect(mostBody).toBe(4 * 1024 * 1024);
  });
});

describe('the stream', () => {
  it('SEP-02 and SEP-12: text is emitted as it comes', () => {
    const events: SepEvent[] = [];
    const parser = new SepParser((event) => events.push(event));
    parser.write('<thought>Let me ');
    expect(events).toEqual([thought('Let me ')]);
    parser.write('think');
    expect(events).toEqual([thought('Let me '), thought('think')]);
  });

  it('SEP-04: holds back what may be a tag, and no more', () => {
    const events: SepEvent[] = [];
    const parser = new SepParser((event) => events.push(event));
    parser.write('<thought>a </thou');
    expect(events).toEqual([thought('a ')]);
    parser.write('ght? b');
    expect(coalesced(events)).toEqual([thought('a </thought? b')]);
  });
});
