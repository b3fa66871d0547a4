/** Engines that write their messages wrongly. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { replacing } from '../../shared/mutants/mutant.ts';
import { textMutants } from '../../shared/mutants/texts.ts';
import { mutant } from './mutant.ts';

/** The mutants of this theme. */
export const textFaults: readonly Mutant[] = [
  ...textMutants('text_delta').map(({ breaks, id, title, writes }) =>
    mutant(breaks, id, title, () => ({ writes })),
  ),
  mutant('KODA-02', 'leaves-out-previews', 'It leaves out a preview that is null.', () =>
    replacing(',"preview":null', ''),
  ),
  mutant('KODA-02', 'leaves-out-stderr', 'It leaves out is_stderr where it is false.', () =>
    replacing(',"is_stderr":false', ''),
  ),
  mutant('KODA-12', 'null-rates', 'It writes null for a rate that is not finite.', () => ({
    writes: (text) => text.replace(/"rate":[^,]*/, '"rate":null'),
  })),
  mutant('KODA-16', 'raw-controls', 'It writes control characters as they are.', () =>
    replacing('\\u0001', '\u0001'),
  ),
  mutant('KODA-16', 'cut-surrogates', 'It cuts its texts in the middle of an emoji.', () =>
    replacing('\u{1F600}', '\\ud83d'),
  ),
  mutant('KODA-16', 'latin-1', 'It writes its messages in Latin-1.', () => ({
    bytesOf: (text) => Uint8Array.from(text, (one) => one.charCodeAt(0)),
  })),
  mutant('KODA-79', 'raw-line-feeds', 'It writes the line feeds of a text as they are.', () =>
    replacing('\\n', '\n'),
  ),
  mutant('KODA-18', 'bare-reasons', 'It writes the reason of a turn_end as a string.', () =>
    replacing('"reason":{"kind":"complete"}', '"reason":"complete"'),
  ),
  mutant('KODA-18', 'bare-previews', 'It writes the kind of a preview as a string.', () => ({
    writes: (text) => text.replace(/"preview":\{.*\}\}$/, '"preview":"WriteNew"}'),
  })),
  mutant('KODA-20', 'numbered-reasons', 'It writes the tag of a reason as a number.', () =>
    replacing('{"kind":"complete"}', '{"kind":0}'),
  ),
  mutant('KODA-80', 'fractions', 'It writes a count of tokens as a fraction.', () => ({
    writes: (text) => text.replace(/"used":(\d+)/, '"used":$1.5'),
  })),
  mutant('KODA-80', 'negative-counts', 'It writes a negative count.', () => ({
    writes: (text) => text.replace(/"max":(\d+)/, '"max":-$1'),
  })),
];
