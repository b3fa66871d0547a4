/** Reference servers with one fault each, roughly in the order of the violated requirements. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { anthropicMutants } from './anthropic.ts';
import { endMutants } from './ends.ts';
import { errorMutants } from './errors.ts';
import { localMutants } from './local.ts';
import { openaiMutants } from './openai.ts';
import { truthMutants } from './truth.ts';

/** Every mutant of the reference server. */
export const serverMutants: readonly Mutant[] = [
  ...endMutants,
  ...anthropicMutants,
  ...openaiMutants,
  ...localMutants,
  ...truthMutants,
  ...errorMutants,
];
