/** Reads a route of the command line: `anthropic=openai-chat@http://127.0.0.1:4010`, with models behind slashes. */
import { WireproofError, didYouMean } from '../../../src/kit/base/index.ts';
import { gatewayDialects } from '../../../src/llm/gateway/index.ts';
import type { GatewayDialect, GatewayRoute } from '../../../src/llm/gateway/index.ts';

const form = 'CLIENT=PROVIDER@URL, such as anthropic=openai-chat@http://127.0.0.1:4010';

/** A dialect, with the model behind its slash. */
function side(text: string, route: string): readonly [dialect: GatewayDialect, model: string | undefined] {
  const slash = text.indexOf('/');
  const name = slash < 0 ? text : text.slice(0, slash);
  const dialect = gatewayDialects.find((one) => one === name);
  if (dialect !== undefined) return [dialect, slash < 0 ? undefined : text.slice(slash + 1)];
  throw new WireproofError(
    'usage',
    `--route ${route}: no dialect ${JSON.stringify(name)}${didYouMean(name, gatewayDialects)}; the dialects are ${gatewayDialects.join(', ')}`,
  );
}

function baseUrl(url: string, route: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, '');
  throw new WireproofError(
    'usage',
    `--route ${route}: expected a URL of http or https; came ${JSON.stringify(url)}`,
  );
}

/**
 * A route of its text.
 *
 * @throws WireproofError 'usage' for another form, an unknown dialect, or a URL that is not of HTTP
 * @example
 * routeOfFlag('anthropic=ollama/llama3@http://127.0.0.1:11434').served; // 'llama3'
 */
export function routeOfFlag(text: string): GatewayRoute {
  const [, above, below, url] = /^([^=@]+)=([^@]+)@(.+)$/.exec(text) ?? [];
  if (above === undefined || below === undefined || url === undefined)
    throw new WireproofError('usage', `--route ${text}: expected ${form}`);
  const [first, fallback, ...rest] = url.split(',').map((one) => baseUrl(one, text));
  if (first === undefined || rest.length > 0)
    throw new WireproofError('usage', `--route ${text}: expected one URL, or two with a comma between them`);
  const [client, model] = side(above, text);
  const [provider, served] = side(below, text);
  return {
    client,
    provider,
    url: first,
    ...(fallback === undefined ? {} : { fallback }),
    ...(model === undefined ? {} : { model }),
    ...(served === undefined ? {} : { served }),
  };
}
