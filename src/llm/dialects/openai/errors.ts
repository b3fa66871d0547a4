/** Errors of OpenAI's APIs and the neutral ones, both ways. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ClientError, ProviderError } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import type { ErrorResponse } from '../shared/dialect.ts';
import { retryHeaders } from '../shared/http-error.ts';
import type { ErrorText } from '../shared/http-error.ts';

/** The API's form of a neutral type of error. */
interface ErrorForm {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
}

const forms: ReadonlyMap<string, ErrorForm> = new Map([
  ['overloaded', { status: 503, type: 'service_unavailable_error', code: 'server_is_overloaded' }],
  ['rate_limit', { status: 429, type: 'requests', code: 'rate_limit_exceeded' }],
  ['invalid_request', { status: 400, type: 'invalid_request_error', code: null }],
  ['context_overflow', { status: 400, type: 'invalid_request_error', code: 'context_length_exceeded' }],
  ['authentication', { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' }],
  ['not_found', { status: 404, type: 'invalid_request_error', code: 'model_not_found' }],
  ['server', { status: 500, type: 'server_error', code: null }],
]);

/** The neutral types, by code first, since one type of the API stands for several. */
const neutral: ReadonlyMap<string, string> = new Map([
  ...[...forms].map(([word, { type, code }]) => [code ?? type, word] as const),
  ['slow_down', 'overloaded'],
  ['service_unavailable_error', 'overloaded'],
  ['requests', 'rate_limit'],
  ['tokens', 'rate_limit'],
  ['too_many_requests', 'rate_limit'],
]);

/** The types of errors that may be gone at the next attempt. */
const passing: ReadonlySet<string> = new Set(['overloaded', 'rate_limit', 'server']);

const formOf = ({ type, status = 500 }: ProviderError): ErrorForm =>
  forms.get(type) ?? { status, type, code: null };

/** The HTTP status of an error before any stream. */
export const statusOf = (error: ProviderError): number => error.status ?? formOf(error).status;

/** An error in the bodies of both APIs. */
export interface ErrorObject extends JsonObject {
  readonly message: string;
  readonly type: string;
  readonly param: null;
  readonly code: string | null;
}

/** Writes an error; a type that is not neutral stays as it is. */
export function errorObject(error: ProviderError): ErrorObject {
  const { type, code } = formOf(error);
  return { message: error.message, type, param: null, code };
}

/** An error instead of a response, with the header fields by which the SDK decides about a retry. */
export const errorBody = (error: ProviderError, id: string): ErrorResponse => ({
  status: statusOf(error),
  headers: { 'x-request-id': id, ...retryHeaders(error) },
  body: { error: errorObject(error) },
});

/** The client's error from an error in a stream; some servers send a bare string. */
export function readError(error: Json): ClientError {
  const text = errorText(error);
  return { kind: 'provider', ...text, retryable: text.type !== undefined && passing.has(text.type) };
}

/** The text of any HTTP error's body. */
export function httpErrorText(body: unknown, status: number): ErrorText {
  const error = isJsonObject(body) ? body['error'] : undefined;
  return error === undefined || error === null ? { message: `HTTP status ${status}` } : errorText(error);
}

/** The neutral type of OpenRouter's codes, which are HTTP statuses. */
function typeOfStatus(status: number): string {
  const known = [...forms].find(([, form]) => form.status === status);
  return known?.[0] ?? (status >= 500 ? 'server' : 'invalid_request');
}

function errorText(error: Json): ErrorText {
  const { message, type = null, code = null }: JsonObject = isJsonObject(error) ? error : {};
  const words = [code, type].filter((word) => typeof word === 'string');
  const meant = words.map((each) => neutral.get(each)).find((each) => each !== undefined);
  const word = meant ?? words.at(-1) ?? (typeof code === 'number' ? typeOfStatus(code) : undefined);
  return {
    ...(word === undefined ? {} : { type: word }),
    message: typeof message === 'string' ? message : typeof error === 'string' ? error : 'no message',
  };
}
