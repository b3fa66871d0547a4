/** The keys of both sides (LLM-G68 and G69): neither may cross a gateway. Traces have a word instead of each. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Metadata, TraceEvent } from '../../../src/kit/base/index.ts';
import { secretHeaders } from '../../../src/kit/world/index.ts';
import { broken, kept } from './facts.ts';
import type { GatewayFact } from './facts.ts';

/** The keys that the kit gives: the client's to the gateway, and the gateway's to the provider. */
export const keys = {
  client_key: 'sk-wireproof-client-0f3a9c7d51',
  provider_key: 'sk-wireproof-provider-8b2e64d097',
} as const;

/** The words of a trace for the keys. */
export interface KeyWords {
  readonly client?: string;
  readonly provider?: string;
}

/** The words in a mark. */
export function keysIn({ data }: TraceEvent): KeyWords | undefined {
  const said = data['keys'];
  if (!isObject(said)) return undefined;
  const { client, provider } = said;
  return {
    ...(typeof client === 'string' ? { client } : {}),
    ...(typeof provider === 'string' ? { provider } : {}),
  };
}

/** The words of a trace for the secrets in header fields, without a scheme such as `Bearer`. */
export const secretsIn = (headers: Metadata): readonly string[] =>
  secretHeaders.flatMap((name) => headers[name]?.match(/redacted:[0-9a-f]+/g) ?? []);

/** The members of an event with a body, or a piece of one. */
const bodies: ReadonlySet<string> = new Set(['body', 'data', 'event', 'piece']);

/** Where one of these words stands; undefined: nowhere. */
function placeOf(words: readonly string[], { data, bytes }: TraceEvent): string | undefined {
  const isIn = (value: unknown): boolean => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return words.some((word) => text.includes(word));
  };
  if (bytes !== undefined && isIn(Buffer.from(bytes, 'base64').toString('latin1'))) return 'in its bytes';
  const found = Object.entries(data).find(([name, value]) => isIn(name) || isIn(value));
  if (found === undefined) return undefined;
  if (found[0] === ':path') return 'in its address';
  return bodies.has(found[0]) ? 'in its body' : `in the header field ${found[0]}`;
}

/** LLM-G68: the client's keys are not in what the provider gets. */
export function clientKeyFacts(sent: readonly string[], event: TraceEvent): readonly GatewayFact[] {
  if (sent.length === 0) return [];
  const place = placeOf(sent, event);
  if (place !== undefined)
    return [
      broken('LLM-G68', `expected no key of the client in the request to the provider; came one ${place}`),
    ];
  return event.kind === 'message' ? [kept('LLM-G68')] : [];
}

/** LLM-G69: the provider's key is not in what the client gets. */
export function providerKeyFacts(sent: readonly string[], event: TraceEvent): readonly GatewayFact[] {
  if (sent.length === 0) return [];
  const place = placeOf(sent, event);
  if (place !== undefined)
    return [broken('LLM-G69', `expected no key of the provider in the answer; came one ${place}`)];
  return event.kind === 'end' || event.kind === 'reset' ? [kept('LLM-G69')] : [];
}
