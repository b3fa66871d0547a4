/** Bedrock's exceptions as a client sees them: in a stream, or before it. */
import type { ClientError } from '../../messages.ts';
import { excerpt, isJsonObject } from '../shared/arguments.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import type { ErrorText } from '../shared/http-error.ts';
import { errorType, retriedExceptions } from './words.ts';

/** An exception of a stream: its name says whether another attempt may help. */
export function streamError(name: string, data: unknown): ClientError {
  return {
    kind: 'provider',
    type: errorType(codeIn(data) ?? name),
    message: messageIn(data) ?? `${excerpt(name)} without a message`,
    retryable: retriedExceptions.has(name),
  };
}

/** The text of an exception before a stream. Its name may be followed by a colon and an address. */
export function errorText(body: unknown, text: string, headers: HeaderFields): ErrorText {
  const [name = ''] = (headers['x-amzn-errortype'] ?? '').split(':');
  return {
    ...(name !== '' && { type: errorType(name) }),
    message: messageIn(body) ?? excerpt(text),
  };
}

/** The code of an error without a model. */
function codeIn(data: unknown): string | undefined {
  const { code } = isJsonObject(data) ? data : {};
  return typeof code === 'string' ? code : undefined;
}

function messageIn(data: unknown): string | undefined {
  const { message, Message: capital } = isJsonObject(data) ? data : {};
  return [message, capital].find((one) => typeof one === 'string');
}
