/** The page: no text acts in it, its policy lets only its own script run, it stays small, and it says what it leaves out. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../base/index.ts';
import { unseen } from '../base/index.ts';
import { pageScript, pageStyle } from './generated/page.ts';
import { htmlReport, pageLimit } from './html.ts';
import { hostileReport as hostileRun, hostileTexts, hostileTraces } from './html/hostile.test-helper.ts';
import type { PageTrace } from './html/page-data.ts';
import type { ReportOptions, ReportTrace } from './options.ts';
import { hostileReport, mixed, passing, row, sample, violated } from './sample.test-helper.ts';

const event = (seq: number, more: Partial<TraceEvent> = {}): TraceEvent => ({
  ...{
    seq,
    at: seq * 10,
    wire: 'fold',
    conn: 'c1',
    stream: 's1',
    from: 'target',
    to: 'gateway',
    kind: 'message',
  },
  data: { response: { request_id: `r${seq % 3}`, text: `text ${seq}` } },
  ...more,
});

const trace = (name: string, events: number, more: Partial<ReportTrace> = {}): ReportTrace => ({
  ...{ name, scenarios: [name], events: Array.from({ length: events }, (_, seq) => event(seq)) },
  ...more,
});

const page = (report: Parameters<typeof htmlReport>[0], options: Partial<ReportOptions> = {}): string =>
  htmlReport(report, { color: false, ...options });

/** The page without the texts of its own script and style. */
const markupOf = (html: string): string => html.replace(pageScript.text, '').replace(pageStyle.text, '');

/** The data of the diagrams. */
const dataOf = (html: string): readonly PageTrace[] =>
  [...html.matchAll(/<script type="application\/json" id="[^"]*">(.*?)<\/script>/gu)].map(
    ([, json]) => JSON.parse(json ?? '') as PageTrace,
  );

/** The elements and attributes that the page is made of. */
const elements =
  /^(?:a|aside|b|body|button|code|dd|details|div|dl|dt|footer|h1|h2|head|header|html|input|kbd|label|li|main|meta|nav|noscript|p|pre|script|section|span|style|summary|table|tbody|td|th|thead|title|tr|ul)$/u;
const attributes =
  /^(?:aria-[a-z]+|autocomplete|charset|class|content|data-event|data-role|data-verdict|hidden|href|http-equiv|id|lang|name|open|placeholder|role|scope|spellcheck|tabindex|type)$/u;

/** Everything in the page that is no text, and is not what the page is made of. */
function foreignMarkup(html: string): readonly string[] {
  const tags = markupOf(html).matchAll(/<(?!!doctype html>)\/?([a-zA-Z0-9-]*)((?:"[^"]*"|[^>"])*)>?/gu);
  return [...tags].flatMap(([whole, name = '', rest = '']) => {
    const names = [...rest.matchAll(/\s([^\s="]+)(?:="[^"]*")?/gu)].map(([, one = '']) => one);
    const links = [...rest.matchAll(/href="(?!#)/gu)];
    return elements.test(name) && names.every((one) => attributes.test(one)) && links.length === 0
      ? []
      : [whole];
  });
}

const options = { traces: hostileTraces(), diagrams: 'all' } as const;

describe('no text acts in the page', () => {
  it('whatever the texts of the report are', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const html = page(report);
        expect(foreignMarkup(html)).toEqual([]);
        expect(markupOf(html).replaceAll('\n', '')).not.toMatch(unseen);
      }),
      { numRuns: 200 },
    );
  });

  it('with 200 hostile texts in every field of a report and of its traces', () => {
    expect(hostileTexts.length).toBeGreaterThanOrEqual(200);
    const html = page(hostileRun(), {
      ...options,
      missing: hostileTexts.map((name) => ({ name, reason: name })),
    });
    expect(foreignMarkup(html)).toEqual([]);
    expect(markupOf(html).replaceAll('\n', '')).not.toMatch(unseen);
    expect(html.match(/<script/gu)).toHaveLength(options.traces.length + 1);
    expect(html).not.toMatch(/^\s*::|##\[|##vso/mu);
  });

  it('the test of markup sees markup', () => {
    for (const text of [
      '<img src=x onerror=a>',
      '<a href="javascript:x">',
      '<p onclick="x">',
      '<script src="x">',
    ])
      expect(foreignMarkup(page(passing).replace('</main>', () => `${text}</main>`))).not.toEqual([]);
  });

  it('the data of the diagrams has the texts as they came', () => {
    const [first] = dataOf(page(hostileRun(), options));
    const shown = new Map(first?.events.map(({ s, n }) => [s, n]));
    const notes = hostileTexts.map((_, seq) => hostileTexts[(seq + 3) % hostileTexts.length]);
    expect(
      notes.filter((note, seq) => shown.has(seq) && shown.get(seq) !== note && (note?.length ?? 0) < 100),
    ).toEqual([]);
  });

  it('each anchor stands once', () => {
    const ids = [...markupOf(page(hostileRun(), options)).matchAll(/ id="([^"]*)"/gu)].map(([, id]) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });
});

describe('the policy', () => {
  const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/u.exec(page(passing)) ?? [];

  it('lets nothing be loaded or sent', () => {
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "form-action 'none'"]),
    );
    expect(policy).not.toMatch(/unsafe|https?:|\*/u);
  });

  it.each([
    ['script', pageScript],
    ['style', pageStyle],
  ])('lets the own %s act, by its hash', (name, { text }) => {
    const hash = createHash('sha256').update(text).digest('base64');
    expect(policy).toContain(`${name}-src 'sha256-${hash}'`);
    expect(page(passing).includes(`<${name}>${text}</${name}>`)).toBe(true);
    // A reader of HTML may change other characters.
    expect(/[^\t\n\x20-\x7e\u00a0-\uffff]/u.exec(text)).toBeNull();
  });
});

describe('a row', () => {
  const failed = sample([violated('FOLD-A15', { evidence: [{ trace: 'plain', seq: 2 }] }), row('FOLD-A01')], {
    verdict: 'not-conformant',
  });

  it('tells what was exercised where, and links to the event', () => {
    const found = new Map([['FOLD-A15', { exercised: 3, first: 1 }]]);
    const html = page(failed, { traces: [trace('plain', 5, { found }), trace('other', 5, { found })] });
    expect(html).toContain('<details class="row fail" id="FOLD-A15"');
    expect(html).toContain('<a href="#trace-plain:2" data-event>plain event 2</a>');
    expect(html).toContain(
      '<a href="#trace-plain:1" data-event>plain 3× from event 1</a>, other 3× from event 1',
    );
  });

  it('is marked in its trace, and the other traces are only counted', () => {
    const html = page(failed, { traces: [trace('plain', 5), trace('other', 5)] });
    expect(dataOf(html).map(({ key, faults }) => [key, faults.map(({ seq }) => seq)])).toEqual([
      ['trace-plain', [2]],
    ]);
    expect(html).toContain(
      '1 more trace of this run is not on this page; with --trace all it has every trace',
    );
  });

  it('stands there without a trace, too', () => {
    const html = page(mixed, { missing: [{ name: 'main.jsonl', reason: 'no such file' }] });
    expect(dataOf(html)).toEqual([]);
    expect(html).toContain('main.jsonl is not on this page: no such file.');
    for (const { id } of mixed.requirements) expect(html).toContain(`id="${id}"`);
  });
});

describe('the traces of a page', () => {
  it('are those of a scenario that was chosen', () => {
    const traces = [trace('a', 3), trace('b', 3)];
    expect(dataOf(page(passing, { traces, scenario: 'b' })).map(({ key }) => key)).toEqual(['trace-b']);
    expect(dataOf(page(passing, { traces, diagrams: 'all' })).map(({ key }) => key)).toEqual([
      'trace-a',
      'trace-b',
    ]);
    expect(dataOf(page(passing, { traces, diagrams: 'none' }))).toEqual([]);
  });

  it('are one where two targets were judged by themselves', () => {
    const both = trace('x.jsonl (a-1)', 4);
    const report = sample([violated('FOLD-A15', { evidence: [{ trace: 'x.jsonl (a-2)', seq: 3 }] })]);
    const html = page(report, { traces: [both, { ...both, name: 'x.jsonl (a-2)' }], diagrams: 'all' });
    expect(dataOf(html)).toHaveLength(1);
    expect(html).toContain('<a href="#trace-x.jsonl-a-1-:3" data-event>');
  });

  it('keep a page small, which says what it leaves out', () => {
    // The largest suite, llm/client, has 104 traces of 374 events on average, 8 MB as files.
    const large = (seq: number): TraceEvent =>
      event(seq, { data: { text: 'x'.repeat(seq % 50 === 0 ? 9000 : 90) } });
    const events = Array.from({ length: 600 }, (_, seq) => large(seq));
    const traces = Array.from({ length: 104 }, (_, i) => trace(`t${i}`, 0, { events: [...events] }));
    const report = sample([violated('FOLD-A15', { evidence: [{ trace: 't7', seq: 500 }] })]);
    const html = page(report, { traces, diagrams: 'all' });
    expect(Buffer.byteLength(html)).toBeLessThan(pageLimit);
    const [first, second] = dataOf(html);
    expect(first?.key).toBe('trace-t7');
    expect(first?.events.map(({ s }) => s)).toContain(500);
    expect(first?.events.length).toBeGreaterThan(second?.events.length ?? 0);
    expect(html).toMatch(
      /This page is kept small: it shows \d+ of 600 events, those nearest to a violation/u,
    );
    expect(html).toMatch(/the data of \d+ events? is cut to about \d+ characters/u);
  });

  it('are whole when they are short', () => {
    const html = page(passing, { traces: [trace('a', 20)], diagrams: 'all' });
    expect(html).not.toContain('kept small');
    expect(dataOf(html)[0]?.events.map(({ d }) => d)).toEqual(trace('a', 20).events.map(({ data }) => data));
  });
});
