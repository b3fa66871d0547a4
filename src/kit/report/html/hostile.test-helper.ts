/** Texts that would act in a page that does not escape them, and a run that has them everywhere. */
import fc from 'fast-check';
import type { Json, Report, RequirementOutcome, TraceEvent } from '../../base/index.ts';
import { verdicts } from '../../base/index.ts';
import type { ReportTrace } from '../options.ts';
import { nasty, sample } from '../sample.test-helper.ts';

/** What a text does when it acts. */
const act = 'window.hacked=1';
const elsewhere = 'http://127.0.0.1:9/stolen';

/** Ways into a page, by hand: out of elements, attributes, scripts, styles, comments and URLs. */
export const markup: readonly string[] = [
  `<script>${act}</script>`,
  `</script><script>${act}</script>`,
  `</style><script>${act}</script>`,
  `</pre></details><script>${act}</script>`,
  `</title><script>${act}</script>`,
  `--><script>${act}</script>`,
  `<!--<script>${act}</script>`,
  `]]><script>${act}</script>`,
  `"><img src=x onerror=${act}>`,
  `'><img src=x onerror=${act}>`,
  `" onmouseover="${act}" x="`,
  `" autofocus onfocus="${act}" tabindex="0`,
  `' style='animation:x' onanimationstart='${act}`,
  `<svg onload=${act}>`,
  `<svg><script>${act}</script></svg>`,
  `<math><mtext></mtext><script>${act}</script></math>`,
  `<body onload=${act}>`,
  `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>`,
  `<iframe src="javascript:parent.hacked=1"></iframe>`,
  `<object data="${elsewhere}"></object>`,
  `<embed src="${elsewhere}">`,
  `<img src="${elsewhere}">`,
  `<link rel=stylesheet href="${elsewhere}">`,
  `<style>@import "${elsewhere}";body{background:url(${elsewhere})}</style>`,
  `<base href="${elsewhere}/">`,
  `<meta http-equiv="refresh" content="0;url=${elsewhere}">`,
  `<form action="${elsewhere}"><input autofocus></form>`,
  `<a href="javascript:${act}" autofocus>x</a>`,
  `javascript:${act}`,
  `data:text/html,<script>${act}</script>`,
  `<details open ontoggle=${act}>`,
  `<video><source onerror=${act}></video>`,
  `<template><script>${act}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${act}>">`,
  `<input onfocus=${act} autofocus>`,
  `<marquee onstart=${act}>`,
  `<select><option><style></option></select><script>${act}</script>`,
  '&lt;script&gt;window.hacked=1&lt;/script&gt;',
  '\\u003cscript\\u003ewindow.hacked=1\\u003c/script\\u003e',
  `\u2028;${act};//`,
  `\${${act}}`,
  `{{constructor.constructor('${act}')()}}`,
  `';${act};'`,
  `";${act};"`,
  `*/${act}/*`,
  `\u0000<script>${act}</script>`,
  `<scr\u0000ipt>${act}</scr\u0000ipt>`,
  `\ud800<script>${act}</script>`,
  `＜script＞${act}＜/script＞`,
  '__proto__',
  'constructor',
  '%E0%A4%A',
  '#traces',
  '../../../etc/passwd',
  '.row{display:none}',
];

/** At least 200 hostile texts: those by hand, those that act on terminals and CI logs, and random ones between them. */
export const hostileTexts: readonly string[] = [
  ...markup,
  ...nasty,
  ...fc.sample(
    fc
      .tuple(
        fc.constantFrom(...markup),
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.constantFrom(...nasty),
      )
      .map((parts) => parts.join('')),
    { numRuns: 140, seed: 7 },
  ),
];

const at = (i: number): string => hostileTexts[i % hostileTexts.length] ?? '';

/** A requirement of hostile texts, the `i`th of each. */
const hostileRow = (i: number): RequirementOutcome => ({
  id: at(i),
  level: 'MUST',
  text: at(i + 1),
  source: { document: at(i + 2), revision: at(i + 3), section: at(i + 4) },
  verdict: i % 3 === 0 ? (verdicts[(i / 3) % verdicts.length] ?? 'fail') : 'fail',
  exercised: 1,
  reason: at(i + 5),
  message: at(i + 6),
  evidence: [{ trace: at(i), seq: i }],
  excerpt: [at(i + 7), at(i + 8)],
  comparison: {
    field: at(i + 14),
    from: i % 2 === 0 ? 'above' : 'below',
    above: { label: at(i + 15), parts: { [at(i + 14)]: at(i + 16) } },
    below: { label: at(i + 17), parts: { [at(i + 18)]: at(i + 19) } },
    due: [at(i + 20)],
    source: at(i + 21),
  },
  expected_failure: { reason: at(i + 9), issue: at(i + 10) },
  follows_from: { id: at(i + 11), why: at(i + 12) },
  replay: at(i + 13),
});

const hostileEvent = (seq: number): TraceEvent => {
  const data: { [key: string]: Json } = {
    [at(seq)]: at(seq + 1),
    request_id: at(seq % 40),
    type: at(seq + 2),
  };
  const hostile = { data, note: at(seq + 3), wire: at(seq % 5), conn: at(seq % 6), stream: at(seq % 7) };
  const bytes = Buffer.from(at(seq)).toString('base64');
  const event = {
    seq,
    at: seq * 3,
    from: at(seq % 4),
    to: 'target',
    kind: 'message',
    bytes,
    ...hostile,
  } as const;
  return seq % 10 === 9
    ? { ...event, from: 'kit', to: 'kit', kind: 'mark', data: { scenario: at(seq), outcome: at(seq + 1) } }
    : event;
};

/** A report whose every text is hostile, a requirement for each text. */
export const hostileReport = (): Report =>
  sample(
    hostileTexts.map((_, i) => hostileRow(i)),
    {
      ...{ kit: at(1), suite: at(0), revision: at(2), target: at(3), drive: at(4), seed: at(5) },
      ...{ verdict: 'not-conformant', features: hostileTexts, problems: hostileTexts, notes: hostileTexts },
      grid: {
        rows: { name: at(6), values: hostileTexts },
        columns: { name: at(7), values: [at(8)] },
        cells: hostileTexts.map((text, i) => ({
          ...{ row: text, column: at(8), verdict: 'fail', exercised: 1 },
          ...{ failed: [at(i + 1)], missing: [at(i + 2)] },
        })),
      },
      excluded: hostileTexts.map((text, i) => ({ id: text, reason: at(i + 1) })),
      scenarios: hostileTexts.map((name, i) => ({
        name,
        outcome: 'ended-early',
        reason: at(i + 1),
        duration_ms: 1,
      })),
      target_output: hostileTexts,
    },
  );

/** Three traces with hostile names; their events have each text as a key, a value, a name and a note. */
export const hostileTraces = (): readonly ReportTrace[] => {
  const events = hostileTexts.map((_, seq) => hostileEvent(seq));
  const found = new Map(hostileTexts.map((id) => [id, { exercised: 2, first: 1 }]));
  const trace = (i: number): ReportTrace => ({
    name: at(i),
    scenarios: [at(i + 1), at(i + 2)],
    events: [...events],
    found,
  });
  return [trace(0), trace(8), trace(15)];
};
