/** Codecs that take messages without their fields, with repeated fields or with null, or refuse unknown fields. */
import type { KodaViolation } from '../../../../src/koda/index.ts';
import { answersAsBefore, echoes, readsAs, refuses, takesAs } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';
import { repeatedNames } from './repeated-names.ts';

const isCall = (text: string): boolean => text.includes('"tool_call_start"');

/** Names in the tests that are no fields. */
const unknownName = /"(?:unknown|x|extra|Message|turnId|__proto__|constructor|)":/;

/** Whether a text has an unknown field. The members of args are not fields. */
const hasUnknownField = (text: string): boolean => !/"args":\{"/.test(text) && unknownName.test(text);

/** Whether a field is missing; args have a row of their own. */
const isMissing = ({ fault, path }: KodaViolation): boolean => fault === 'missing-field' && path !== 'args';

export const fieldFaults: CodecFaults = {
  'refuses-unknown': refuses(hasUnknownField),
  'refuses-unknown-beside-tag': refuses((text) =>
    /"(?:text_done|thinking_start|interrupt)","(?:unknown|text|)"/.test(text),
  ),
  'refuses-unknown-in-parts': refuses((text) => /"reason":\{[^}]*"unknown"/.test(text)),

  'takes-missing': echoes(isMissing),
  'takes-missing-lists': echoes(
    (violation) =>
      isMissing(violation) && /(?:options|recent_tools|lines|replacements)$/.test(violation.path),
  ),
  'takes-missing-flags': echoes(
    (violation) => isMissing(violation) && /(?:^is_\w+|truncated|recursive)$/.test(violation.path),
  ),
  'takes-missing-reasons': echoes((violation) => isMissing(violation) && violation.path === 'reason'),
  'takes-missing-types': echoes(({ fault, path }) => fault === 'no-tag' && path === 'type'),
  'ignores-case-of-names': takesAs((text, { fault }) =>
    fault === 'missing-field' ? text.replace('"TEXT"', '"text"') : text,
  ),
  'answers-as-before': { ofRun: answersAsBefore },

  'demands-preview': refuses(
    (text) => text.includes('"approval_request"') && !text.includes('"preview"'),
    'koda.decode',
  ),
  'demands-action': refuses((text) => text.includes('"memory"') && !text.includes('"action"'), 'koda.decode'),
  'demands-images': refuses(
    (text) => text.includes('"user_prompt"') && !text.includes('"images"'),
    'koda.decode',
  ),

  'takes-null-lists': echoes(isNullList),
  'takes-null-images': echoes((violation) => isNullList(violation) && violation.path === 'images'),
  'takes-null-options': echoes((violation) => isNullList(violation) && violation.path === 'options'),

  'takes-repeated': echoes(({ fault }) => fault === 'duplicate-field'),
  'takes-repeated-tags': echoes(
    ({ fault, path }) => fault === 'duplicate-field' && /(?:type|kind|decision|cmd)$/.test(path),
  ),
  'takes-repeated-in-parts': echoes(({ fault, path }) => fault === 'duplicate-field' && path.includes('.')),
  'takes-repeated-nulls': takesAs((text, { fault }) =>
    fault === 'duplicate-field' ? text.replace(/("\w+":)([^,]+),\1null/, '$1$2') : text,
  ),

  'refuses-repeated-unknown': refuses((text) => !isCall(text) && repeatedNames(text).length > 0),
  'refuses-repeated-in-args': refuses((text) => isCall(text) && repeatedNames(text).length > 0),
  'takes-first-in-args': readsAs((text) =>
    text.replace(/("(\w+)":[^,{}[\]]+),"\2":[^,{}[\]]+(?=\})/, (both, first: string) =>
      isCall(text) ? first : both,
    ),
  ),
};

/** Whether null stands for a list. */
function isNullList({ fault, path }: KodaViolation): boolean {
  return fault === 'null-field' && /(?:images|options|recent_tools|lines|replacements)$/.test(path);
}
