/** All mutants of parsers: the reference testee with one fault each. */
import { withoutExtensions } from '../../shared/without-extensions.ts';
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { parserWith } from './mutant.ts';
import { actionFaults } from './actions.ts';
import { bodyFaults } from './bodies.ts';
import { characterFaults } from './characters.ts';
import { contentFaults } from './content.ts';
import { extensionFaults } from './extensions.ts';
import { memberFaults } from './members.ts';
import { responseFaults } from './responses.ts';
import { sequelFaults } from './sequels.ts';
import { strayFaults } from './strays.ts';
import { tagFaults } from './tags.ts';
import { thoughtFaults } from './thoughts.ts';

/** Every mutant, by theme. */
export const parserMutants: () => readonly Mutant[] = mutantsOf(
  'sep/parser',
  [
    ...[
      tagFaults,
      thoughtFaults,
      contentFaults,
      characterFaults,
      bodyFaults,
      actionFaults,
      memberFaults,
      responseFaults,
      strayFaults,
      sequelFaults,
    ].map(withoutExtensions),
    extensionFaults,
  ],
  parserWith,
);
