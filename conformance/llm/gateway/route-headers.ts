/** The header fields with which a scenario's client asks. */
import type { JsonObject, ScenarioStep } from '../../../src/kit/base/index.ts';
import type { Route } from './pairs.ts';

/**
 * The header fields of a route: those of its statement, and a key. `{llm_url}` in them is the base URL of the kit's provider,
 * and `{client_key}` the client's key. The mark tells the judge how the trace names the keys.
 */
export function headersOf(
  { client, headers }: Route,
  own: { readonly [name: string]: string } = {},
): readonly ScenarioStep[] {
  const stated = Object.entries(headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    value.replaceAll(/\{(llm_url|llm_url_2|client_key|provider_key)\}/g, '${$1}'),
  ]);
  const hasKey = stated.some(([name]) => name === 'authorization' || name === 'x-api-key');
  const key: JsonObject =
    client === 'anthropic' ? { 'x-api-key': '${client_key}' } : { authorization: 'Bearer ${client_key}' };
  const message: JsonObject = {
    headers: {
      ...(hasKey ? {} : key),
      cookie: 'session=${client_key}',
      ...own,
      ...Object.fromEntries(stated),
    },
  };
  return [
    { mark: { keys: { client: '$client_key', provider: '$provider_key' } } },
    { send: { from: 'client', message } },
  ];
}
