/** Gemini's errors, both ways: `{"error": {code, message, status, details}}`, also in a stream. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ClientError, ProviderError } from '../../messages.ts';
import { excerpt, isJsonObject } from '../shared/arguments.ts';
import { isArray, textIn } from '../shared/body-reader.ts';
import type { ErrorResponse } from '../shared/dialect.ts';
import { retryableStatus, retryHeaders } from '../shared/http-error.ts';
import type { ErrorText } from '../shared/http-error.ts';
import { errorStatus, errorType } from './words.ts';

const retryInfo = 'type.googleapis.com/google.rpc.RetryInfo';

/** The error of a provider. The time to wait is in its details, too, as the API has it. */
export function errorBody(error: ProviderError): ErrorResponse {
  const { word, status } = errorStatus(error);
  const { retryAfter, retryAfterMs } = error;
  const seconds = retryAfterMs === undefined ? retryAfter : retryAfterMs / 1000;
  const details = seconds === undefined ? [] : [{ '@type': retryInfo, retryDelay: `${seconds}s` }];
  return {
    status,
    headers: retryHeaders(error),
    body: {
      error: {
        code: status,
        message: error.message,
        status: word,
        ...(details.length > 0 && { details }),
      },
    },
  };
}

/** The error object of a body. A stream without `alt=sse` has it in a list. */
export function errorIn(body: unknown): JsonObject | undefined {
  const one: unknown = Array.isArray(body) ? body[0] : body;
  const { error } = isJsonObject(one) ? one : {};
  return isJsonObject(error) ? error : undefined;
}

/** The text of an error before a stream. */
export function errorText(body: unknown, text: string): ErrorText {
  const { status, message } = errorIn(body) ?? {};
  return {
    ...(typeof status === 'string' && { type: errorType(status) }),
    message: typeof message === 'string' ? message : excerpt(text),
  };
}

/** The error of a stream: its code says whether another attempt may help. */
export function streamError(error: JsonObject): ClientError {
  const { code, message, status } = error;
  return {
    kind: 'provider',
    ...(typeof status === 'string' && { type: errorType(status) }),
    message: typeof message === 'string' ? message : 'an error without a message',
    retryable: typeof code === 'number' && retryableStatus(code),
    ...waitOf(error),
  };
}

/** The time to wait that an error's details name (ms), such as `8s` or `0.5s`. */
export function waitOf({ details }: JsonObject): { readonly retryAfterMs?: number } {
  const list: readonly Json[] = isArray(details) ? details : [];
  for (const detail of list) {
    const delay = isObject(detail) && detail['@type'] === retryInfo ? textIn(detail['retryDelay']) : '';
    const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay) ?? [];
    if (seconds !== undefined) return { retryAfterMs: Math.round(Number(seconds) * 1000) };
  }
  return {};
}
