/** Faults with keys: one side's key reaches the other side. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { GatewayParts } from '../../../../src/llm/gateway/index.ts';

const keyOf = ({ authorization, 'x-api-key': key = '' }: { readonly [name: string]: string }): string =>
  authorization?.replace(/^Bearer /, '') ?? key;

export const keyFaults: Faults<GatewayParts> = {
  'client-key-below': { fields: (fields, { client }) => ({ ...fields, 'x-client-key': keyOf(client) }) },
  'cookie-below': { fields: (fields, { client }) => ({ ...fields, cookie: client['cookie'] ?? '' }) },
  'client-key-as-user': {
    asked: (body, { client }) => (isObject(body) ? { ...body, metadata: { user_id: keyOf(client) } } : body),
  },
  'provider-key-above': {
    head: (fields, { route: { headers = {} } }) => ({
      ...fields,
      'x-upstream-authorization': headers['authorization'] ?? '',
    }),
  },
  'provider-key-in-error': {
    refused: (refusal, _, { route: { headers = {} } }) => ({
      ...refusal,
      body: { ...refusal.body, request: { headers: { ...headers } } },
    }),
  },
};
