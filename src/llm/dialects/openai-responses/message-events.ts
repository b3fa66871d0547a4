/** The events of Responses on a WebSocket: each is one message, and an error has its status in it. */
import type { Json, JsonObject, SseEvent } from '../../../kit/base/index.ts';
import type { ClientError } from '../../messages.ts';
import { httpErrorText, readError } from '../openai/errors.ts';
import { isJsonObject } from '../shared/arguments.ts';
import type { ItemParser } from '../shared/decoder.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import { httpError } from '../shared/http-error.ts';
import { MessageParser } from '../shared/message-parser.ts';

/** Takes each message as the data of an event. */
export class MessageEvents implements ItemParser<SseEvent> {
  readonly #messages: MessageParser;

  constructor(limit: number) {
    this.#messages = new MessageParser(limit);
  }

  get overflowed(): boolean {
    return this.#messages.overflowed;
  }

  push(bytes: Uint8Array): readonly SseEvent[] {
    return this.#messages.push(bytes).map((data) => ({ event: '', data }));
  }
}

/** The error of an event: by its status and its hints where it has them, as on a WebSocket; otherwise by its words. */
export function messageError({ error = null, status, headers }: JsonObject): ClientError {
  if (typeof status !== 'number') return readError(error);
  return httpError(status, textsOf(headers), httpErrorText({ error }, status));
}

/** The header fields in a message. */
const textsOf = (fields: Json | undefined): HeaderFields =>
  Object.fromEntries(
    Object.entries(isJsonObject(fields) ? fields : {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  );
