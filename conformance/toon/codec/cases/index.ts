/** The golden vectors of TOON (Task Orchestration Over Node), one file a theme: tables written by hand, and random cases. */
import type { VectorFile } from '../../../../src/kit/spec/index.ts';
import { seededRandom } from '../../../../src/kit/world/index.ts';
import { compressionCases } from './compression.ts';
import { encodeCompressionCases } from './encode-compression.ts';
import { encodeCases } from './encode.ts';
import { headerCases } from './header.ts';
import { lengthCases } from './length.ts';
import { limitCases } from './limits.ts';
import { payloadCases } from './payload.ts';
import { rleCases } from './rle.ts';
import { streamCases } from './stream.ts';
import { textCases } from './text.ts';
import { validateCases } from './validate.ts';

const themes = {
  header: headerCases,
  length: lengthCases,
  text: textCases,
  payload: payloadCases,
  compression: compressionCases,
  rle: rleCases,
  encode: encodeCases,
  'encode-compression': encodeCompressionCases,
  validate: validateCases,
  stream: streamCases,
  limits: limitCases,
} as const;

/**
 * The files of vectors that a seed makes: the same for the same seed. Each theme has its own sequence, so that a case
 * more in one changes no other.
 */
export const toonCases = (seed: string): readonly VectorFile[] =>
  Object.entries(themes).map(([theme, cases]) => cases(seed, seededRandom(`${seed} ${theme}`)));
