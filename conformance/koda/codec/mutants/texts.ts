/** Codecs that read or send texts that are not JSON, take bare strings and nested commands, or take other types. */
import type { Fault } from '../../../../src/koda/index.ts';
import { echoes, refuses, sends, takesAs } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';

/** Takes texts with a fault. */
const takes = (fault: Fault): ReturnType<typeof echoes> => echoes((violation) => violation.fault === fault);

export const textFaults: CodecFaults = {
  'takes-lone-surrogates': takes('lone-surrogate'),
  'takes-controls': takes('control-character'),
  'takes-tabs': echoes(({ fault }, text) => fault === 'control-character' && text.includes('\t')),
  'takes-marks': takes('byte-order-mark'),
  'takes-huge-numbers': echoes(({ fault }) => fault === 'number-too-large', 'koda.decode'),
  'takes-trailing-commas': takes('trailing-comma'),
  'sends-raw-controls': sends((sent) =>
    sent.replaceAll(/\\[nt]/g, (escape) => (escape === '\\n' ? '\n' : '\t')),
  ),
  'sends-null-character': sends((sent) => sent.replaceAll('\\u0000', '\0')),
  'sends-mark': sends((sent) => `\ufeff${sent}`),
  'sends-half-pairs': sends((sent) => sent.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\\ud83d')),
  'sends-trailing-commas': sends((sent) => sent.replace(/\}$/, ',}')),

  'takes-bare-reasons': echoes(({ fault, path }) => fault === 'bare-string' && path === 'reason'),
  'takes-bare-decisions': echoes(({ fault, path }) => fault === 'bare-string' && path === 'decision'),
  'takes-bare-previews': echoes(({ fault, path }) => fault === 'bare-string' && path === 'preview'),

  'takes-nested-commands': takes('nested-slash'),

  'takes-null': echoes(
    ({ fault, path }) => fault === 'null-field' && /(?:text|message|id|output|line)$/.test(path),
  ),
  'takes-numbers-for-strings': echoes(({ fault }, text) => fault === 'wrong-type' && /:5[,}]/.test(text)),
  'takes-strings-for-flags': echoes(({ fault }, text) => fault === 'wrong-type' && text.includes(':"true"')),
  'takes-numbers-for-flags': echoes(
    ({ fault, path }, text) => fault === 'wrong-type' && path.startsWith('is_') && text.includes(':1'),
  ),
  'takes-strings-for-floats': echoes(({ fault }, text) => fault === 'wrong-type' && text.includes(':"0.5"')),
  'takes-strings-for-lists': echoes(
    ({ fault, path }, text) => fault === 'wrong-type' && path === 'options' && text.includes(':"a"}'),
  ),
  'takes-mixed-lists': echoes(({ fault }, text) => fault === 'wrong-type' && text.includes('["a",1]')),

  'takes-trailing-text': echoes(({ fault }, text) => fault === 'syntax' && text.endsWith('} x')),
  'takes-several': echoes(({ fault }, text) => fault === 'syntax' && /\}\s*\{/.test(text)),
  'takes-comments': echoes(({ fault }, text) => fault === 'syntax' && text.includes('/*')),
  'takes-nan': echoes(({ fault }, text) => fault === 'syntax' && text.includes('NaN'), 'koda.decode'),
  'takes-leading-zeros': echoes(({ fault }, text) => fault === 'syntax' && text.includes(':01')),
  'takes-leading-zeros-in-args': takesAs((text, { fault }) =>
    fault === 'syntax' && text.includes('"args"') ? text.replace(/(?<=[:[]-?)0(?=\d)/, '') : text,
  ),
  'refuses-delete-characters': refuses((text) => text.includes('\u007f')),
};
