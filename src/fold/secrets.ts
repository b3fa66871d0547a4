/** The secrets on Fold's wires: they never stand in a trace. */
import { isObject } from '../kit/base/index.ts';
import type { Secrets } from '../kit/world/index.ts';

/** Signatures of SSH keys, the token of a Welcome and its secrets. */
export const foldSecrets: Secrets = {
  metadata: ['x-ssh-*'],
  fields: ['mcp_token', 'secrets'],
  may: (message) => isObject(message) && message['welcome'] !== undefined,
};
