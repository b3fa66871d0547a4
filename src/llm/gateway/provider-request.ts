/** The request that a gateway sends to a provider. */
import { exactText } from '../../kit/base/index.ts';
import type { Json, Metadata } from '../../kit/base/index.ts';
import type { WireRequest } from '../dialects/shared/dialect.ts';
import type { GatewayOutputs } from './above.ts';
import { writeFullRequest } from './request/index.ts';
import type { FullRequest, Part } from './request/request.ts';
import type { GatewayRoute } from './route.ts';

/** Where a request goes, and what is in it. */
interface Posted {
  readonly url: string;
  readonly path: string;
  readonly headers: Metadata;
  readonly body: Json;
}

/** Sends a request on a new link. */
export function post(
  peer: string,
  { url, path, headers, body }: Posted,
  edit: (metadata: Metadata) => Metadata,
): GatewayOutputs {
  const bytes = Buffer.from(exactText(body));
  const metadata: Metadata = {
    ':carrier': 'http',
    ':path': path,
    ':url': url,
    ':method': 'POST',
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...headers,
  };
  return [
    { type: 'dial', peer, metadata: edit(metadata) },
    { type: 'send', peer, message: { chunk: bytes } },
    { type: 'half_close', peer },
  ];
}

/** Header fields of a client that mean something to a provider of its own dialect. No other one goes below. */
const passed: readonly string[] = ['anthropic-version', 'anthropic-beta', 'openai-beta'];

/** A request to a provider. */
export interface ProviderRequest extends WireRequest {
  /** What the provider's dialect has no word for, and no answer may leave out: then the request is refused (LLM-G57, G70). */
  readonly wordless: readonly string[];
  /** The client's names of tools whose names the provider's dialect cannot carry, by the provider's. */
  readonly names: ReadonlyMap<string, string>;
}

/** Writes the request in the provider's dialect, with the provider's own key. */
export function providerRequest(
  route: GatewayRoute,
  request: FullRequest,
  headers: Metadata,
): ProviderRequest {
  const { client, provider, served } = route;
  const asked: FullRequest = {
    ...request,
    ...(served === undefined ? {} : { model: served }),
    // Usage is always asked for: a client of another dialect always gets it. One of the same dialect says what it wants.
    ...(request.stream && client !== provider ? { includeUsage: true } : {}),
  };
  const { path, headers: own, body, lost, names } = writeFullRequest(provider, asked);
  const same = client === provider ? passed.filter((name) => headers[name] !== undefined) : [];
  const kept = Object.fromEntries(same.map((name) => [name, headers[name] ?? '']));
  const wordless = lost.flatMap((lostPath) => wordlessOf(request, lostPath) ?? []);
  return { path, body, headers: { ...own, ...kept, ...route.headers }, wordless, names };
}

/** The names of members without which an answer is another one. */
const owed: ReadonlyMap<string, string> = new Map([
  ['stop', 'stop sequences (stop)'],
  ['format', 'the format of the answer (response_format)'],
  ['previous', 'previous_response_id'],
]);

/** A lost member in words, if its loss is not lawful. */
function wordlessOf({ messages }: FullRequest, lost: string): string | undefined {
  const [, message, part, inner] =
    /^messages\[(\d+)\]\.parts\[(\d+)\](?:\.parts\[(\d+)\])?$/.exec(lost) ?? [];
  if (message === undefined) return owed.get(lost);
  const outer: Part | undefined = messages[Number(message)]?.parts[Number(part)];
  const found = inner !== undefined && outer?.kind === 'result' ? outer.parts[Number(inner)] : outer;
  return found?.kind === 'image' || found?.kind === 'file' ? `this ${found.kind} (${lost})` : undefined;
}
