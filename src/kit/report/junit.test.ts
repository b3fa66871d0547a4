import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { junitReport } from './junit.ts';
import { hostileReport, mixed, nasty, passing, row, rows, sample, violated } from './sample.test-helper.ts';

/** The complaint of a strict reader of the XML 1.0 subset that these reports use, or undefined. */
const malformed = (xml: string): string | undefined => {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(declaration)) return 'no declaration';
  // XML 1.0, production 2: Char
  if (/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(xml)) return 'illegal character';
  const token = /<(\/?)([\w-]+)((?: [\w-]+="(?:[^"<&]|&#\d+;)*")*)(\/?)>|((?:[^<&>]|&#\d+;)+)/uy;
  const open: string[] = [];
  let roots = 0;
  token.lastIndex = declaration.length;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const [found, closing, name = '', , empty, text] = token.exec(xml) ?? [];
    if (found === undefined) return `no token at ${at}: ${xml.slice(at, at + 40)}`;
    if (text !== undefined) {
      if (open.length === 0 && text.trim() !== '') return 'text outside the root';
    } else if (closing === '/') {
      if (open.pop() !== name) return `</${name}> closes nothing`;
    } else {
      if (open.length === 0) roots += 1;
      if (empty === '') open.push(name);
    }
  }
  return open.length === 0 && roots === 1 ? undefined : `${open.join(' ')} left open, ${roots} roots`;
};

const countOf = (xml: string, part: string): number => xml.split(part).length - 1;

describe('the reader in this test', () => {
  it.each(['<a>', '<a></b>', '<a x="<"/>', '<a>&</a>', '<a>]]></a>', '<a/><b/>', '<a/>x', '<a>\u0000</a>'])(
    'refuses %j',
    (xml) => {
      expect(malformed(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`)).toBeTypeOf('string');
    },
  );
});

describe('the JUnit report', () => {
  const xml = junitReport(mixed);

  it('has one testcase for each requirement, in the suite', () => {
    expect(countOf(xml, '<testcase ')).toBe(mixed.requirements.length);
    expect(xml).toContain(
      '<testcase classname="fold/agent" name="FOLD-A01 The sentence of FOLD-A01." time="0"/>',
    );
  });

  it('counts what it holds', () => {
    expect(xml).toContain(
      '<testsuite name="fold/agent" tests="11" failures="2" errors="1" skipped="4" time="2.345">',
    );
    expect(countOf(xml, '<failure ')).toBe(2);
    expect(countOf(xml, '<error ')).toBe(1);
    expect(countOf(xml, '<skipped ')).toBe(4);
  });

  it('tells a failure with its level, source, wire events and replay command', () => {
    const start = xml.indexOf('name="FOLD-A15');
    const failure = xml.slice(start, xml.indexOf('</testcase>', start));
    expect(failure).toContain('type="MUST"');
    expect(failure).toContain('message="expected response.request_id &#34;r1&#34;, got &#34;r2&#34;"');
    expect(failure).toContain('Fold protocol, revision r3, section 5.2');
    expect(failure).toContain('&#62; 13 target → gateway response');
    expect(failure).toContain('again: wireproof replay main.jsonl --only FOLD-A15');
  });

  it('notes a violated SHOULD without failing it, unless strict', () => {
    const should = sample([violated('S', { level: 'SHOULD' })]);
    expect(junitReport(should)).toContain('<system-out>SHOULD violated, not fatal\n');
    expect(junitReport(should)).toContain('failures="0"');
    expect(junitReport({ ...should, strict: true })).toContain('type="SHOULD"');
  });

  it.each(['not-observed', 'not-applicable', 'untestable'] as const)(
    'skips what is %s, and says why',
    (verdict) => {
      const text = junitReport(sample([row('A', { verdict, exercised: 0, reason: 'no "tool" call' })]));
      expect(text).toContain(`<skipped message="${verdict}: no &#34;tool&#34; call"/>`);
    },
  );

  it('skips an expected failure, with its reason', () => {
    expect(xml).toContain('<skipped message="expected failure: known (https://example.org/issues/9)"/>');
  });

  it('carries the verdict with its scope', () => {
    expect(junitReport(passing)).toContain(
      '<property name="verdict" value="conformant: 41 of 41 applicable MUSTs exercised; 6 untestable in passive drive"/>',
    );
  });

  it('is red when problems alone make the run not conformant', () => {
    const text = junitReport(
      sample(rows(2), { verdict: 'not-conformant', problems: ['a stale expected failure'] }),
    );
    expect(text).toContain('tests="3" failures="1"');
    expect(text).toContain('name="the run as a whole"');
    expect(text).toContain('a stale expected failure</failure>');
  });

  it('is red when the run was interrupted or the kit failed', () => {
    expect(junitReport(sample(rows(2), { interrupted: true }))).toContain('errors="1"');
    expect(junitReport(sample(rows(2), { verdict: 'error' }))).toContain('errors="1"');
    expect(junitReport(passing)).toContain('errors="0"');
  });
});

describe('hostile text in XML', () => {
  it.each(nasty.map((text) => [text]))('leaves it well-formed: %j', (text) => {
    const requirements = [
      violated(text, { text, message: text, excerpt: [text], replay: text }),
      row(text, { verdict: 'untestable', reason: text }),
    ];
    const xml = junitReport(sample(requirements, { suite: text, notes: [text], target_output: [text] }));
    expect(malformed(xml)).toBeUndefined();
  });

  it('leaves every report well-formed, without characters or commands that act', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const xml = junitReport(report);
        expect(malformed(xml)).toBeUndefined();
        expect(xml).not.toMatch(/[^\P{C}\n\p{Co}\p{Cn}]/u);
        expect(xml).not.toMatch(/^\s*::|##[\w.-]*\[/mu);
      }),
    );
  });
});
