/** Codecs that read or send texts that are not JSON, take bare strings and nested commands, or take other types. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { Fault } from '../../../../src/koda/index.ts';
import { echoes, mutant, refuses, sends, takesAs } from './mutant.ts';

/** Takes texts with a fault. */
const takes = (fault: Fault): ReturnType<typeof echoes> => echoes((violation) => violation.fault === fault);

/** The rows of values of other types, and of texts that are not JSON. The case tables have the same. */
const [typeRow, syntaxRow] = [6, 16];

/** The mutants of texts. */
export const textMutants: readonly Mutant[] = [
  mutant(16, 'takes-lone-surrogates', 'It takes lone surrogates.', takes('lone-surrogate')),
  mutant(16, 'takes-controls', 'It takes raw control characters in strings.', takes('control-character')),
  mutant(
    16,
    'takes-tabs',
    'It takes raw tabs in strings.',
    echoes(({ fault }, text) => fault === 'control-character' && text.includes('\t')),
  ),
  mutant(16, 'takes-marks', 'It takes a byte order mark.', takes('byte-order-mark')),
  mutant(
    16,
    'takes-huge-numbers',
    'It takes 1e400 as infinite.',
    echoes(({ fault }) => fault === 'number-too-large', 'koda.decode'),
  ),
  mutant(16, 'takes-trailing-commas', 'It takes trailing commas.', takes('trailing-comma')),
  mutant(
    16,
    'sends-raw-controls',
    'It sends line breaks and tabs in strings without an escape.',
    sends((sent) => sent.replaceAll(/\\[nt]/g, (escape) => (escape === '\\n' ? '\n' : '\t'))),
  ),
  mutant(
    16,
    'sends-null-character',
    'It sends U+0000 without an escape.',
    sends((sent) => sent.replaceAll('\\u0000', '\0')),
  ),
  mutant(
    16,
    'sends-mark',
    'It sends a byte order mark.',
    sends((sent) => `\ufeff${sent}`),
  ),
  mutant(
    16,
    'sends-half-pairs',
    'It sends a character beyond the BMP as the escape of one surrogate.',
    sends((sent) => sent.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\\ud83d')),
  ),
  mutant(
    16,
    'sends-trailing-commas',
    'It sends a comma behind the last field.',
    sends((sent) => sent.replace(/\}$/, ',}')),
  ),

  mutant(
    18,
    'takes-bare-reasons',
    'It takes a string for a reason.',
    echoes(({ fault, path }) => fault === 'bare-string' && path === 'reason'),
  ),
  mutant(
    18,
    'takes-bare-decisions',
    'It takes a string for a decision.',
    echoes(({ fault, path }) => fault === 'bare-string' && path === 'decision'),
  ),
  mutant(
    18,
    'takes-bare-previews',
    'It takes a string for a preview.',
    echoes(({ fault, path }) => fault === 'bare-string' && path === 'preview'),
  ),

  mutant(21, 'takes-nested-commands', 'It takes a nested slash command.', takes('nested-slash')),

  mutant(
    typeRow,
    'takes-null',
    'It takes null for a string.',
    echoes(({ fault, path }) => fault === 'null-field' && /(?:text|message|id|output|line)$/.test(path)),
  ),
  mutant(
    typeRow,
    'takes-numbers-for-strings',
    'It takes a number for a string.',
    echoes(({ fault }, text) => fault === 'wrong-type' && /:5[,}]/.test(text)),
  ),
  mutant(
    typeRow,
    'takes-strings-for-flags',
    'It takes a string for a boolean.',
    echoes(({ fault }, text) => fault === 'wrong-type' && text.includes(':"true"')),
  ),
  mutant(
    typeRow,
    'takes-numbers-for-flags',
    'It takes 1 for a boolean.',
    echoes(
      ({ fault, path }, text) => fault === 'wrong-type' && path.startsWith('is_') && text.includes(':1'),
    ),
  ),
  mutant(
    typeRow,
    'takes-strings-for-floats',
    'It takes a string for a float.',
    echoes(({ fault }, text) => fault === 'wrong-type' && text.includes(':"0.5"')),
  ),
  mutant(
    typeRow,
    'takes-strings-for-lists',
    'It takes a string for a list.',
    echoes(({ fault, path }, text) => fault === 'wrong-type' && path === 'options' && text.includes(':"a"}')),
  ),
  mutant(
    typeRow,
    'takes-mixed-lists',
    'It takes numbers in a list of strings.',
    echoes(({ fault }, text) => fault === 'wrong-type' && text.includes('["a",1]')),
  ),

  mutant(
    syntaxRow,
    'takes-trailing-text',
    'It reads the first object of a text alone.',
    echoes(({ fault }, text) => fault === 'syntax' && text.endsWith('} x')),
  ),
  mutant(
    syntaxRow,
    'takes-several',
    'It reads the first of several messages.',
    echoes(({ fault }, text) => fault === 'syntax' && /\}\s*\{/.test(text)),
  ),
  mutant(
    syntaxRow,
    'takes-comments',
    'It takes comments.',
    echoes(({ fault }, text) => fault === 'syntax' && text.includes('/*')),
  ),
  mutant(
    syntaxRow,
    'takes-nan',
    'It takes NaN for a float.',
    echoes(({ fault }, text) => fault === 'syntax' && text.includes('NaN'), 'koda.decode'),
  ),
  mutant(
    syntaxRow,
    'takes-leading-zeros',
    'It takes integers with a leading zero.',
    echoes(({ fault }, text) => fault === 'syntax' && text.includes(':01')),
  ),
  mutant(
    syntaxRow,
    'takes-leading-zeros-in-args',
    'It takes numbers with a leading zero within args.',
    takesAs((text, { fault }) =>
      fault === 'syntax' && text.includes('"args"') ? text.replace(/(?<=[:[]-?)0(?=\d)/, '') : text,
    ),
  ),
  mutant(
    syntaxRow,
    'refuses-delete-characters',
    'It takes U+007F for a control character that needs an escape.',
    refuses((text) => text.includes('\u007f')),
  ),
];
