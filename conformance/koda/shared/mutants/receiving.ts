/** Faults of receivers: a message that cannot be read ends more than itself. */
import { allFaults, onInput, onReceive } from '../../../../src/kit/suite/index.ts';
import type { RoleFault } from '../../../../src/kit/suite/index.ts';

/** Closes the link at a message that it cannot read. */
export const hangsUp = <In, Out>(): RoleFault<unknown, In, Out> =>
  onInput('undecodable', ({ peer }, context) => context.close(1, 'a message could not be read', peer));

/** Reads nothing after a message that it cannot read. */
export const goesDeaf = <In, Out>(): RoleFault<unknown, In, Out> => {
  let deaf = false;
  return allFaults(
    onInput('undecodable', () => void (deaf = true)),
    onReceive(() => (deaf ? [] : undefined)),
  );
};

/** Ends a line at U+0085, U+2028 and U+2029, too: a message that holds one is two broken lines, and is lost. */
export const splitsAtSeparators = <In, Out>(): RoleFault<unknown, In, Out> =>
  onReceive((message) => (/[\u0085\u2028\u2029]/u.test(JSON.stringify(message)) ? [] : undefined));
