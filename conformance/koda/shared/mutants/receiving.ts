/** Faults of receivers: a message that cannot be read ends more than itself. */
import type { RoleFault } from '../../../../src/kit/suite/index.ts';

/** Closes the link at a message that it cannot read. */
export const hangsUp = <In, Out>(): RoleFault<unknown, In, Out> => ({
  input(input, context) {
    if (input.type === 'undecodable') context.close(1, 'a message could not be read', input.peer);
    return [input];
  },
});

/** Reads nothing after a message that it cannot read. */
export const goesDeaf = <In, Out>(): RoleFault<unknown, In, Out> => {
  let deaf = false;
  return {
    input(input) {
      deaf ||= input.type === 'undecodable';
      return deaf && input.type === 'message' ? [] : [input];
    },
  };
};
