/** Errors of Gemini's Interactions API, both ways: `{"error": {code, message}}`, and the same in an event of a stream. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ClientError, ProviderError } from '../../messages.ts';
import { excerpt, isJsonObject } from '../shared/arguments.ts';
import type { ErrorResponse } from '../shared/dialect.ts';
import { retryHeaders } from '../shared/http-error.ts';
import type { ErrorText } from '../shared/http-error.ts';
import { errorCode, errorType, retriedCodes } from './words.ts';

/** The error object of an error. */
export const errorObject = (error: ProviderError): JsonObject => ({
  message: error.message,
  code: errorCode(error).code,
});

/** An error before any stream. */
export const errorBody = (error: ProviderError): ErrorResponse => ({
  status: errorCode(error).status,
  headers: retryHeaders(error),
  body: { error: errorObject(error) },
});

/** The text of an error before a stream. */
export function errorText(body: unknown, text: string): ErrorText {
  const { error } = isJsonObject(body) ? body : {};
  if (!isJsonObject(error)) return { message: excerpt(text) };
  const { code, message } = error;
  return {
    ...(typeof code === 'string' && { type: errorType(code) }),
    message: typeof message === 'string' ? message : excerpt(text),
  };
}

/** An error of a stream, or of an interaction that failed: its code says whether another attempt may help. */
export function streamError(error: Json | undefined): ClientError {
  const { code, message } = isJsonObject(error) ? error : {};
  return {
    kind: 'provider',
    ...(typeof code === 'string' && { type: errorType(code) }),
    message: typeof message === 'string' ? message : 'an error without a message',
    retryable: typeof code === 'string' && retriedCodes.has(code),
  };
}
