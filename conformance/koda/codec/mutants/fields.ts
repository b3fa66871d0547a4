/** Codecs that take messages without their fields, with repeated fields or with null, or refuse unknown fields. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { KodaViolation } from '../../../../src/koda/index.ts';
import { answersAsBefore, echoes, mutant, readsAs, refuses, rememberingMutant, takesAs } from './mutant.ts';
import { repeatedNames } from './repeated-names.ts';

const isCall = (text: string): boolean => text.includes('"tool_call_start"');

/** Names in the tests that are no fields. */
const unknownName = /"(?:unknown|x|extra|Message|turnId|__proto__|constructor|)":/;

/** Whether a text has an unknown field. The members of args are none. */
const hasUnknownField = (text: string): boolean => !/"args":\{"/.test(text) && unknownName.test(text);

/** Whether a field is missing; args have a row of their own. */
const isMissing = ({ fault, path }: KodaViolation): boolean => fault === 'missing-field' && path !== 'args';

/** The mutants of fields. */
export const fieldMutants: readonly Mutant[] = [
  mutant(4, 'refuses-unknown', 'It refuses unknown fields.', refuses(hasUnknownField)),
  mutant(
    4,
    'refuses-unknown-beside-tag',
    'It refuses unknown fields of messages without fields.',
    refuses((text) => /"(?:text_done|thinking_start|interrupt)","(?:unknown|text|)"/.test(text)),
  ),
  mutant(
    4,
    'refuses-unknown-in-parts',
    'It refuses unknown fields of reasons.',
    refuses((text) => /"reason":\{[^}]*"unknown"/.test(text)),
  ),

  mutant(6, 'takes-missing', 'It takes messages without a field.', echoes(isMissing)),
  mutant(
    6,
    'takes-missing-lists',
    'It takes messages without a list as messages with an empty one.',
    echoes(
      (violation) =>
        isMissing(violation) && /(?:options|recent_tools|lines|replacements)$/.test(violation.path),
    ),
  ),
  mutant(
    6,
    'takes-missing-flags',
    'It takes an absent boolean for false.',
    echoes((violation) => isMissing(violation) && /(?:^is_\w+|truncated|recursive)$/.test(violation.path)),
  ),
  mutant(
    6,
    'takes-missing-reasons',
    'It takes a turn_end without a reason for complete.',
    echoes((violation) => isMissing(violation) && violation.path === 'reason'),
  ),
  mutant(
    6,
    'takes-missing-types',
    'It takes messages without type.',
    echoes(({ fault, path }) => fault === 'no-tag' && path === 'type'),
  ),
  mutant(
    6,
    'ignores-case-of-names',
    'It reads the names of fields in any case.',
    takesAs((text, { fault }) => (fault === 'missing-field' ? text.replace('"TEXT"', '"text"') : text)),
  ),
  rememberingMutant(
    6,
    'answers-as-before',
    'It answers a text that it must refuse with the message before it.',
    answersAsBefore,
  ),

  mutant(
    66,
    'demands-preview',
    'It refuses a request without a preview.',
    refuses((text) => text.includes('"approval_request"') && !text.includes('"preview"'), 'koda.decode'),
  ),
  mutant(
    66,
    'demands-action',
    'It refuses memory without an action.',
    refuses((text) => text.includes('"memory"') && !text.includes('"action"'), 'koda.decode'),
  ),
  mutant(
    66,
    'demands-images',
    'It refuses a prompt without images.',
    refuses((text) => text.includes('"user_prompt"') && !text.includes('"images"'), 'koda.decode'),
  ),

  mutant(7, 'takes-null-lists', 'It takes null for a list.', echoes(isNullList)),
  mutant(
    7,
    'takes-null-images',
    'It takes null for images.',
    echoes((violation) => isNullList(violation) && violation.path === 'images'),
  ),
  mutant(
    7,
    'takes-null-options',
    'It takes null for options.',
    echoes((violation) => isNullList(violation) && violation.path === 'options'),
  ),

  mutant(
    8,
    'takes-repeated',
    'Of a field that stands twice, it takes the last one.',
    echoes(({ fault }) => fault === 'duplicate-field'),
  ),
  mutant(
    8,
    'takes-repeated-tags',
    'It takes a tag that stands twice.',
    echoes(({ fault, path }) => fault === 'duplicate-field' && /(?:type|kind|decision|cmd)$/.test(path)),
  ),
  mutant(
    8,
    'takes-repeated-in-parts',
    'It takes a field of a part that stands twice.',
    echoes(({ fault, path }) => fault === 'duplicate-field' && path.includes('.')),
  ),
  mutant(
    8,
    'takes-repeated-nulls',
    'It takes a field that stands twice, the second time with null.',
    takesAs((text, { fault }) =>
      fault === 'duplicate-field' ? text.replace(/("\w+":)([^,]+),\1null/, '$1$2') : text,
    ),
  ),

  mutant(
    67,
    'refuses-repeated-unknown',
    'It refuses an unknown field that stands twice.',
    refuses((text) => !isCall(text) && repeatedNames(text).length > 0),
  ),
  mutant(
    67,
    'refuses-repeated-in-args',
    'It refuses members that stand twice in args.',
    refuses((text) => isCall(text) && repeatedNames(text).length > 0),
  ),
  mutant(
    67,
    'takes-first-in-args',
    'Of two members with one name in args, it takes the first.',
    readsAs((text) =>
      text.replace(/("(\w+)":[^,{}[\]]+),"\2":[^,{}[\]]+(?=\})/, (both, first: string) =>
        isCall(text) ? first : both,
      ),
    ),
  ),
];

/** Whether null stands for a list. */
function isNullList({ fault, path }: KodaViolation): boolean {
  return fault === 'null-field' && /(?:images|options|recent_tools|lines|replacements)$/.test(path);
}
