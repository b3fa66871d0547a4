/** The reference responder: a pong for each ping. */
import type { Role } from '../../kit/base/index.ts';
import type { SampleMessage } from '../messages.ts';

/** Makes the role. It keeps no state. */
export const responder = (): Role<null, SampleMessage, SampleMessage> => ({
  name: 'responder',
  start: () => null,
  step: (state, input) => ({
    state,
    outputs:
      input.type === 'message' && input.message.type === 'ping'
        ? [{ type: 'send', peer: input.peer, message: { type: 'pong', id: input.message.id } }]
        : [],
  }),
});
