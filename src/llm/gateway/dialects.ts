/** The dialects between which a gateway translates. LM Studio's own is no HTTP; Gemini has no rows in the tables. */
import type { DialectName } from '../messages.ts';

/** A dialect that gateways translate. */
export type GatewayDialect = Exclude<DialectName, 'lmstudio' | 'gemini' | 'bedrock' | 'gemini-interactions'>;

/** The dialects, in the order of reports. */
export const gatewayDialects: readonly GatewayDialect[] = [
  'anthropic',
  'openai-chat',
  'openai-responses',
  'ollama',
];
