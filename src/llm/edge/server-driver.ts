/** Dials a model server under test: HTTP, or LM Studio's WebSocket. */
import { addressText, WireproofError } from '../../kit/base/index.ts';
import type { Metadata, Status } from '../../kit/base/index.ts';
import { dialHttp } from '../../kit/transport/index.ts';
import { credentialIn } from '../../kit/world/index.ts';
import type { Dial } from '../../kit/world/index.ts';
import { joinUrl } from '../dialects/shared/join-url.ts';
import { dialects } from '../messages.ts';

/** A request for a driver; see a suite's `Listening.driver`. */
export interface ServerDriverRequest {
  /** The dialect. */
  readonly name: string;
  /** `url`: the server's base URL, where it is more than a host and a port. */
  readonly place: {
    readonly host: string;
    readonly port: number;
    readonly url: string;
    readonly tls?: boolean;
    readonly ca?: string;
    readonly token?: string;
  };
  readonly statement:
    | {
        readonly operator?: {
          readonly url?: string;
          readonly token_env?: string;
          readonly model?: string;
          readonly witness?: string;
          readonly headers?: { readonly [name: string]: string | { readonly env: string } };
        };
      }
    | undefined;
}

/** The largest message of a WebSocket (bytes). */
const maxReceive = 32 << 20;

/**
 * The environment variable that names the model to use instead of the first that the server lists. The statement's
 * `operator.model` overrides it.
 */
export const modelVariable = 'WIREPROOF_LLM_MODEL';

/**
 * Makes a dial for a server. Metadata need only have `:path`. A token goes out in the three header fields that providers
 * read, and never into a trace. The model of the statement
 * or the environment is added to answers as `:model`.
 *
 * @throws WireproofError 'usage' when the dialect is not known, or the token's variable is not set
 */
export async function serverDriver(request: ServerDriverRequest): Promise<Dial> {
  const { name, place, statement } = request;
  if (!dialects.some((dialect) => dialect === name))
    throw new WireproofError('usage', `no dialect ${name}; the dialects are ${dialects.join(', ')}`);
  const { url, token_env, headers = {}, model: stated } = statement?.operator ?? {};
  const model = stated ?? process.env[modelVariable] ?? '';
  const base = url ?? urlOfPlace(place);
  const token =
    place.token ?? (token_env === undefined ? undefined : credentialIn(token_env, 'operator.token_env'));
  const shownToServer = { ...credentials(token), ...statedHeaders(headers) };
  let malformed: Status | undefined;
  const failed = ({ code = '', message }: NodeJS.ErrnoException): void => {
    // More bytes than content-length says begin the next answer, and are no HTTP.
    if (code.startsWith('HPE_')) malformed = { code: 13, message: `the bytes are not HTTP: ${message}` };
  };
  const dial = dialHttp({
    maxReceive,
    keepsAlive: true,
    failed,
    ...(place.ca === undefined ? {} : { ca: place.ca }),
  });
  return ({ metadata, ...more }, events) => {
    const asked = metadata[':witness'] === undefined ? urlOf(base, metadata) : witnessUrl(statement, base);
    const whole = { ...metadata, ...shownToServer, ':url': asked };
    return dial(
      { ...more, metadata: whole },
      {
        headers: (headers) => events.headers(model === '' ? headers : { ...headers, ':model': model }),
        message: (bytes) => events.message(bytes),
        halfClose: () => events.halfClose(),
        ended(status) {
          events.ended(status ?? malformed);
          malformed = undefined;
        },
        drained: () => events.drained(),
        ping: () => events.ping(),
      },
    );
  };
}

function urlOfPlace(place: ServerDriverRequest['place']): string {
  return place.url === '' ? `${place.tls === true ? 'https' : 'http'}://${addressText(place)}` : place.url;
}

/** Where the witness is: a path is below the host of the server, whatever the base of its API. */
const witnessUrl = (statement: ServerDriverRequest['statement'], base: string): string =>
  new URL(statement?.operator?.witness ?? '/metrics', base).href;

function urlOf(base: string, metadata: Metadata): string {
  const url = joinUrl(base, metadata[':path'] ?? '/');
  return metadata[':carrier'] === 'ws' ? url.replace(/^http/, 'ws') : url;
}

/** The header fields of the statement. A value from the environment is a credential. */
const statedHeaders = (headers: { readonly [name: string]: string | { readonly env: string } }): Metadata =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? value : credentialIn(value.env, `operator.headers.${name}`),
    ]),
  );

const credentials = (token: string | undefined): Metadata =>
  token === undefined
    ? {}
    : { authorization: `Bearer ${token}`, 'x-api-key': token, 'x-goog-api-key': token };
