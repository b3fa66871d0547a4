/** Parsers that read the bodies of actions in another way. */
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { emits, isOf, reads, silentAbout, textAt } from './mutant.ts';
import type { Event, ParserFaults } from './mutant.ts';
import { afterEscape, closeOfBody, closeOutsideStrings, firstClose, isJson, rebodied } from './walk.ts';
import type { FindEnd } from './walk.ts';

/** No JSON. */
const wrong = '!';

/** A parser that finds the ends of bodies in another way. What is no JSON then is a bad body. */
const ends = (find: FindEnd): AnswerFault =>
  reads((output) => rebodied(output, find, (body) => (isJson(body) ? body : wrong)));

/** A parser that changes bodies before it reads them. */
const edits = (edit: (body: string) => string): AnswerFault =>
  reads((output) => rebodied(output, closeOfBody, edit));

/** A parser that repairs bodies, and says nothing. */
const repairs = (edit: (body: string) => string): AnswerFault =>
  edits((body) => (isJson(body) ? body : edit(body)));

/** A parser that repairs bodies, and reports it. */
const repairsLoudly = (edit: (body: string) => string): AnswerFault => {
  const repaired = repairs(edit);
  return emits((events, request) => {
    const ok = repaired(request)?.['ok'] as { events: readonly Event[] } | undefined;
    return events.some(isBadBody) ? [...events.filter(isBadBody), ...(ok?.events ?? [])] : events;
  });
};

const isBadBody = (event: Event): boolean => textAt(event, 'code').startsWith('body-');

/** A parser that rejects actions whose body has something. */
const rejects = (test: (body: string) => boolean): AnswerFault =>
  edits((body) => (test(body) ? wrong : body));

/** The mutants of bodies. */
export const bodyFaults: ParserFaults = {
  'first-close': ends(firstClose),
  'never-falls-back': ends((output, from) => {
    const found = closeOutsideStrings(afterEscape)(output, from);
    const first = firstClose(output, from);
    return found === undefined || (first !== undefined && !isJson(output.slice(from, first.end)))
      ? found
      : first;
  }),
  'any-backslash-escapes': ends(closeOutsideStrings((output, at) => output[at - 1] === '\\')),
  'nothing-escapes': ends(
    (output, from) => closeOutsideStrings(() => false)(output, from) ?? firstClose(output, from),
  ),
  'takes-arrays': edits((body) => body.replace(/^\[(.*)\]$/s, '$1')),
  'takes-first': repairsLoudly((body) => body.replace(/\}\{.*/s, '}')),
  'finds-objects': repairsLoudly((body) => /^[^{]*(\{.*\})[^}]*$/s.exec(body)?.[1] ?? body),
  'single-quotes': repairsLoudly((body) => body.replaceAll("'", '"')),
  'trailing-commas': repairsLoudly((body) => body.replaceAll(/,\s*\}/g, '}')),
  'python-json': repairsLoudly((body) => body.replaceAll('NaN', '0')),
  'raw-tabs': repairsLoudly((body) => body.replaceAll('\t', ' ')),
  comments: repairsLoudly((body) => body.replaceAll(/\/\/.*$/gm, '')),
  'bare-keys': repairsLoudly((body) => body.replaceAll(/([{,]\s*)(\w+):/g, '$1"$2":')),
  'closes-brackets': repairsLoudly((body) => `${body}}`),
  'text-is-name': edits((body) => (/^"[^"]*"$/.test(body) ? `{"name":${body}}` : body)),
  'null-is-empty': edits((body) => (body === 'null' ? '{"name":"null"}' : body)),
  'no-escapes': rejects((body) => /\\u/.test(body)),
  'less-ends-body': rejects((body) => /<(?!\/action)/.test(body)),
  'no-nesting': rejects((body) => /"parameters":\{[^}]*\[/.test(body) && isJson(body)),
  'stops-at-bad-body': emits((events) => {
    const bad = events.findIndex(isBadBody);
    return bad < 0 ? events : events.slice(0, bad + 1);
  }),
  'loses-next-action': emits((events) => {
    const bad = events.findIndex(isBadBody);
    const next = events.findIndex((event, i) => i > bad && isOf('action', event));
    return bad < 0 ? events : events.filter((_, i) => i !== next);
  }),
  'bad-bodies-silently': silentAbout('body-json', 'body-fields'),
  'repairs-commas': repairs((body) => body.replaceAll(/,\s*\}/g, '}')),
  'repairs-cuts': repairs((body) => `${body}}`),
};
