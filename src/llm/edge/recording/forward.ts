/** Passes requests on to a provider, and its answers back as they come. */
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pathOf } from '../../streamer/routes.ts';
import { recordedBody } from './recording.ts';
import type { RecordedExchange } from './recording.ts';

/** A request with its whole body. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Fields that belong to one connection. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'proxy-authorization',
  'host',
  'content-length',
  'expect',
]);

/** The fields of answers that a recording keeps; a `*` at the end stands for the rest of a name. */
const keptHeaders = [
  'content-type',
  'content-encoding',
  'cache-control',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'request-id',
  'x-request-id',
  'anthropic-ratelimit-*',
  'x-ratelimit-*',
];

const isKept = (name: string): boolean =>
  keptHeaders.some((kept) => (kept.endsWith('*') ? name.startsWith(kept.slice(0, -1)) : name === kept));

/**
 * Passes a request on to a provider, and the answer back.
 *
 * @returns the answer for a recording; undefined when it did not come whole
 */
export function forward(
  { method, target, headers, bytes }: IncomingRequest,
  to: string,
  response: ServerResponse,
): Promise<RecordedExchange | undefined> {
  const url = new URL(to.replace(/\/+$/, '') + target);
  const make = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
  return new Promise((resolve) => {
    const call = make(url, {
      method,
      headers: { ...sent, 'accept-encoding': 'identity', 'content-length': bytes.length },
    });
    call.on(
      'response',
      (answer) =>
        void takeAnswer(answer, response).then((taken) =>
          resolve(taken && { method, path: pathOf(target), ...taken }),
        ),
    );
    call.on('error', (error) => {
      unreachable(response, `${url.origin} cannot be reached: ${error.message}`);
      resolve(undefined);
    });
    response.on('close', () => call.destroy());
    call.end(bytes);
  });
}

/** The provider is not there, or was lost in the middle of its answer. */
function unreachable(response: ServerResponse, message: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(502, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message } }));
}

function takeAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
): Promise<Pick<RecordedExchange, 'status' | 'headers' | 'body' | 'base64'> | undefined> {
  const status = answer.statusCode ?? 502;
  const passed = Object.entries(answer.headers).filter(([name]) => !hopByHop.has(name));
  response.writeHead(status, Object.fromEntries(passed));
  response.flushHeaders();
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      response.write(chunk);
    });
    answer.on('end', () => response.end());
    answer.on('close', () => {
      if (!answer.complete) response.destroy();
      const headers = Object.fromEntries(
        passed.flatMap(([name, value]) => (isKept(name) ? [[name, String(value)]] : [])),
      );
      resolve(answer.complete ? { status, headers, ...recordedBody(Buffer.concat(chunks)) } : undefined);
    });
    answer.on('error', () => {});
  });
}

/** Fields and query parameters whose values are credentials. */
const credentialFields = [
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
];
const credentialParameters = ['key', 'api_key', 'api-key', 'token', 'access_token'];

/** Removes the credentials of a request from a text: a provider may repeat them, as in "Incorrect API key". */
export function withoutSecrets({ headers, target }: IncomingRequest, text: string): string {
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  const secrets = [
    ...credentialFields.flatMap((name) => String(headers[name] ?? '').split(/[\s;,]+/)),
    ...credentialParameters.map((name) => query.get(name) ?? ''),
  ];
  return secrets
    .filter((secret) => secret.length >= 8)
    .reduce((rest, secret) => rest.replaceAll(secret, 'redacted'), text);
}
