/** Engines that write their messages wrongly. */
import { replacing } from '../../shared/mutants/mutant.ts';
import { sharedTextFaults } from '../../shared/mutants/texts.ts';
import type { EngineFaults } from './mutant.ts';

export const textFaults: EngineFaults = {
  ...sharedTextFaults('text_delta'),
  'leaves-out-previews': () => replacing(',"preview":null', ''),
  'leaves-out-stderr': () => replacing(',"is_stderr":false', ''),
  'null-rates': () => ({ writes: (text) => text.replace(/"rate":[^,]*/, '"rate":null') }),
  'raw-controls': () => replacing('\\u0001', '\u0001'),
  'cut-surrogates': () => replacing('\u{1F600}', '\\ud83d'),
  'latin-1': () => ({ bytesOf: (text) => Uint8Array.from(text, (one) => one.charCodeAt(0)) }),
  'raw-line-feeds': () => replacing('\\n', '\n'),
  'bare-reasons': () => replacing('"reason":{"kind":"complete"}', '"reason":"complete"'),
  'bare-previews': () => ({ writes: (text) => text.replace(/"preview":\{.*\}\}$/, '"preview":"WriteNew"}') }),
  'numbered-reasons': () => replacing('{"kind":"complete"}', '{"kind":0}'),
  fractions: () => ({ writes: (text) => text.replace(/"used":(\d+)/, '"used":$1.5') }),
  'negative-counts': () => ({ writes: (text) => text.replace(/"max":(\d+)/, '"max":-$1') }),
};
