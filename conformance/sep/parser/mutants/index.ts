/** All mutants of parsers: the reference testee with one fault each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { actionMutants } from './actions.ts';
import { bodyMutants } from './bodies.ts';
import { characterMutants } from './characters.ts';
import { contentMutants } from './content.ts';
import { extensionMutants } from './extensions.ts';
import { memberMutants } from './members.ts';
import { responseMutants } from './responses.ts';
import { sequelMutants } from './sequels.ts';
import { strayMutants } from './strays.ts';
import { tagMutants } from './tags.ts';
import { thoughtMutants } from './thoughts.ts';

/** Every mutant, by theme. */
export const parserMutants: readonly Mutant[] = [
  ...tagMutants,
  ...thoughtMutants,
  ...contentMutants,
  ...characterMutants,
  ...bodyMutants,
  ...actionMutants,
  ...memberMutants,
  ...responseMutants,
  ...extensionMutants,
  ...strayMutants,
  ...sequelMutants,
];
