/** Lawful clients on the WebSocket of Responses. */
import { changeExchange } from '../mutants/mutant.ts';
import type { ClientFaults } from '../mutants/mutant.ts';
import { LastingConnection } from '../mutants/sockets.ts';

export const lawfulSockets: ClientFaults = {
  'continues-a-stored-response': {
    ...changeExchange({
      body: (body) => (body['type'] === 'response.create' ? { ...body, store: true } : body),
    }),
    connection: (options) => new LastingConnection(options),
  },
};
