import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quietJson } from '../base/index.ts';
import { markdownFence, markdownText, neutraliseCommands, visible, xmlText } from './escape.ts';
import { nasty } from './sample.test-helper.ts';

const anyText = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary' }));

describe('visible text', () => {
  it.each([
    ['an ANSI escape', '\u001b[31mred', '\\x1b[31mred'],
    ['NUL, backspace and DEL', '\u0000\u0008\u007f', '\\x00\\x08\\x7f'],
    ['the one-byte CSI of C1', '\u009b31m', '\\x9b31m'],
    ['a bidi override', '\u202egnp.exe', '\\u202egnp.exe'],
    ['bidi isolates and marks', '\u2066\u2069\u200e\u200f\u061c', '\\u2066\\u2069\\u200e\\u200f\\u061c'],
    ['zero-width characters', 'a\u200bb\u200dc\ufeff', 'a\\u200bb\\u200dc\\ufeff'],
    ['line and paragraph separators', '\u2028\u2029\u0085', '\\u2028\\u2029\\x85'],
    ['lone surrogates', '\ud800x\udfff', '\\ud800x\\udfff'],
    ['tag characters', '\u{e0041}', '\\u{e0041}'],
    ['interlinear annotation', '\ufff9', '\\ufff9'],
    ['noncharacters', '\uffff', '\\uffff'],
    ['line ends and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
  ])('spells out %s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('leaves what a person can read as it is', () => {
    expect(visible('Grüße, 世界 😀 a\\b → "c"')).toBe('Grüße, 世界 😀 a\\b → "c"');
  });

  it('keeps line feeds, and only those, where lines are allowed', () => {
    expect(visible('a\r\nb\u2028c', { multiline: true })).toBe('a\\r\nb\\u2028c');
  });

  it('cuts at 400 characters and says how many are missing', () => {
    expect(visible('x'.repeat(400))).toBe('x'.repeat(400));
    expect(visible('x'.repeat(412))).toBe(`${'x'.repeat(400)}… (12 more characters)`);
  });

  it('counts characters, not UTF-16 units, and halves none', () => {
    expect(visible('😀😀😀', { limit: 2 })).toBe('😀😀… (1 more character)');
    expect(visible('a😀b', { limit: 2 })).toBe('a😀… (1 more character)');
    expect(visible('😀😀😀', { limit: 3 })).toBe('😀😀😀');
  });

  it('does not halve an escape', () => {
    expect(visible('\u001b\u001b\u001b', { limit: 2 })).toBe('\\x1b\\x1b… (1 more character)');
  });

  it('is the same when made visible twice', () => {
    fc.assert(fc.property(anyText, (text) => visible(visible(text), { limit: Infinity }) === visible(text)));
  });
});

describe('CI commands', () => {
  it.each([
    ['::error::x', '\\x3a:error::x'],
    [' \u00a0::error::x', ' \u00a0\\x3a:error::x'],
    ['fine\n  ::warning::x', 'fine\n  \\x3a:warning::x'],
    ['\u001b[31m::error::x', '\u001b[31m\\x3a:error::x'],
    ['mid ##[error]x', 'mid \\x23#[error]x'],
    ['##vso[task.complete]', '\\x23#vso[task.complete]'],
    ["###teamcity[buildStop comment='x']", "#\\x23#teamcity[buildStop comment='x']"],
  ])('breaks %j', (text, harmless) => {
    expect(neutraliseCommands(text)).toBe(harmless);
  });

  it.each(['a::b', 'std::vector at the start', ': x', '## heading [x]', '#[derive(Debug)]'])(
    'leaves %j alone',
    (text) => {
      expect(neutraliseCommands(text)).toBe(text);
    },
  );
});

describe('XML text', () => {
  it('cannot end a CDATA section, a tag or an attribute', () => {
    expect(xmlText(']]><script a="1">\'&amp;')).toBe(']]&#62;&#60;script a=&#34;1&#34;&#62;&#39;&#38;amp;');
  });

  it('spells out what XML 1.0 does not have', () => {
    expect(xmlText('\u0000\u000b\ud800\ufffe')).toBe('\\x00\\x0b\\ud800\\ufffe');
  });

  it('hides CI commands behind entities, which an XML reader resolves', () => {
    expect(xmlText('::error::x ##[error]')).toBe('&#58;:error::x &#35;#[error]');
    expect(xmlText('a\n::error::x', { multiline: true })).toBe('a\n&#58;:error::x');
  });
});

describe('markdown text', () => {
  it('stays within its table cell', () => {
    expect(markdownText('a|b\nc\\|d')).toBe('a&#124;b&#92;nc&#92;&#124;d');
  });

  it('makes no markup, link, image, mention or HTML', () => {
    const text = markdownText(
      '`x` <img> [a](b) ![c](d) *e* _f_ @me #1 https://a.example www.a.example :+1: $x$',
    );
    expect(text.replace('<!-- -->', '')).not.toMatch(/[`<>[\]!*_$]/u);
    expect(text).not.toMatch(/@|#(?!\d+;)|:\/\/|www\.|:\+/u);
    expect(text).toContain('&#64;<!-- -->me');
  });

  it('keeps the colon of a sentence', () => {
    expect(markdownText('conformant: 4 of 4')).toBe('conformant: 4 of 4');
  });
});

describe('a markdown fence', () => {
  it('is longer than any run of backticks inside', () => {
    expect(markdownFence(['a', '````', '</details>'])).toBe('`````text\na\n````\n</details>\n`````');
  });

  it('holds one line for each line it was given', () => {
    expect(markdownFence(['a\n```\nb']).split('\n')).toHaveLength(3);
  });

  it('holds no CI command', () => {
    expect(markdownFence(['::error::x'])).toBe('```text\n\\x3a:error::x\n```');
  });
});

describe('quiet JSON', () => {
  it('means the same', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        expect(JSON.parse(quietJson(JSON.stringify(value, null, 2)))).toEqual(value);
      }),
    );
  });

  it('holds nothing that acts', () => {
    expect(quietJson(JSON.stringify('\u202e\u009b\u2028##[error]'))).toBe(
      '"\\u202e\\u009b\\u2028\\u0023#[error]"',
    );
  });
});
