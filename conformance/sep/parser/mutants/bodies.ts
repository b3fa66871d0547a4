/** Parsers that read the bodies of actions in another way. */
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { emits, isOf, mutant, reads, silentAbout, textAt } from './mutant.ts';
import type { Event } from './mutant.ts';
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
export const bodyMutants: readonly Mutant[] = [
  mutant(20, 'first-close', 'The first closing tag ends an action, also in a string.', ends(firstClose)),
  mutant(
    20,
    'never-falls-back',
    'A string without an end takes the rest of the output.',
    ends((output, from) => {
      const found = closeOutsideStrings(afterEscape)(output, from);
      const first = firstClose(output, from);
      return found === undefined || (first !== undefined && !isJson(output.slice(from, first.end)))
        ? found
        : first;
    }),
  ),
  mutant(
    20,
    'any-backslash-escapes',
    'A backslash before a quote escapes it, whatever stands before.',
    ends(closeOutsideStrings((output, at) => output[at - 1] === '\\')),
  ),
  mutant(
    20,
    'nothing-escapes',
    'A quote ends a string, also behind a backslash.',
    ends((output, from) => closeOutsideStrings(() => false)(output, from) ?? firstClose(output, from)),
  ),
  mutant(
    21,
    'takes-arrays',
    'It takes the object in an array.',
    edits((body) => body.replace(/^\[(.*)\]$/s, '$1')),
  ),
  mutant(
    21,
    'takes-first',
    'It takes the first of two objects.',
    repairsLoudly((body) => body.replace(/\}\{.*/s, '}')),
  ),
  mutant(
    21,
    'finds-objects',
    'It takes the object among words.',
    repairsLoudly((body) => /^[^{]*(\{.*\})[^}]*$/s.exec(body)?.[1] ?? body),
  ),
  mutant(
    21,
    'single-quotes',
    'It takes single quotes for double ones.',
    repairsLoudly((body) => body.replaceAll("'", '"')),
  ),
  mutant(
    21,
    'trailing-commas',
    'It takes a comma too many.',
    repairsLoudly((body) => body.replaceAll(/,\s*\}/g, '}')),
  ),
  mutant(
    21,
    'python-json',
    'It takes numbers that JSON does not have.',
    repairsLoudly((body) => body.replaceAll('NaN', '0')),
  ),
  mutant(
    21,
    'raw-tabs',
    'It takes a tab in a string.',
    repairsLoudly((body) => body.replaceAll('\t', ' ')),
  ),
  mutant(
    21,
    'comments',
    'It takes comments.',
    repairsLoudly((body) => body.replaceAll(/\/\/.*$/gm, '')),
  ),
  mutant(
    21,
    'bare-keys',
    'It takes keys without quotes.',
    repairsLoudly((body) => body.replaceAll(/([{,]\s*)(\w+):/g, '$1"$2":')),
  ),
  mutant(
    21,
    'closes-brackets',
    'It closes what a body leaves open.',
    repairsLoudly((body) => `${body}}`),
  ),
  mutant(
    21,
    'text-is-name',
    'It takes a text for the name.',
    edits((body) => (/^"[^"]*"$/.test(body) ? `{"name":${body}}` : body)),
  ),
  mutant(
    21,
    'null-is-empty',
    'It takes null for a body.',
    edits((body) => (body === 'null' ? '{"name":"null"}' : body)),
  ),
  mutant(
    21,
    'no-escapes',
    'It reads no escapes.',
    rejects((body) => /\\u/.test(body)),
  ),
  mutant(
    21,
    'less-ends-body',
    'A less-than sign ends a body.',
    rejects((body) => /<(?!\/action)/.test(body)),
  ),
  mutant(
    21,
    'no-nesting',
    'It reads no lists in parameters.',
    rejects((body) => /"parameters":\{[^}]*\[/.test(body) && isJson(body)),
  ),
  mutant(
    22,
    'stops-at-bad-body',
    'It reads nothing after a bad body.',
    emits((events) => {
      const bad = events.findIndex(isBadBody);
      return bad < 0 ? events : events.slice(0, bad + 1);
    }),
  ),
  mutant(
    22,
    'loses-next-action',
    'It skips the action after a bad body.',
    emits((events) => {
      const bad = events.findIndex(isBadBody);
      const next = events.findIndex((event, i) => i > bad && isOf('action', event));
      return bad < 0 ? events : events.filter((_, i) => i !== next);
    }),
  ),
  mutant(
    22,
    'bad-bodies-silently',
    'It says nothing about a bad body.',
    silentAbout('body-json', 'body-fields'),
  ),
  mutant(
    23,
    'repairs-commas',
    'It removes a comma too many, and says nothing.',
    repairs((body) => body.replaceAll(/,\s*\}/g, '}')),
  ),
  mutant(
    23,
    'repairs-cuts',
    'It closes what a body leaves open, and says nothing.',
    repairs((body) => `${body}}`),
  ),
];
