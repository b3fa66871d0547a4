/** The dialects between which a gateway translates. LM Studio's own is no HTTP. */
import type { DialectName } from '../messages.ts';

/** A dialect on HTTP. */
export type GatewayDialect = Exclude<DialectName, 'lmstudio'>;

/** The dialects, in the order of reports. */
export const gatewayDialects: readonly GatewayDialect[] = [
  'anthropic',
  'openai-chat',
  'openai-responses',
  'ollama',
];
