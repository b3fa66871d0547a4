/** The decoder of OpenAI's two APIs: server-sent events whose data is JSON, or the word `[DONE]`. */
import { SseParser } from '../../../kit/base/index.ts';
import type { JsonObject, SseEvent } from '../../../kit/base/index.ts';
import type { DecoderLimits } from '../../messages.ts';
import { excerpt, isJsonObject, parseJson } from '../shared/arguments.ts';
import type { PendingCall } from '../shared/assembly.ts';
import { HttpDecoder } from '../shared/decoder.ts';
import type { ItemParser } from '../shared/decoder.ts';
import type { ErrorText } from '../shared/http-error.ts';
import { httpErrorText } from './errors.ts';

/** A decoder of one response. An API adds the meaning of each event. */
export abstract class EventDecoder extends HttpDecoder<SseEvent> {
  /** @param parser - makes the parser; absent: that of SSE */
  constructor(
    limits: Partial<DecoderLimits>,
    parser: (limit: number) => ItemParser<SseEvent> = (limit) => new SseParser(limit),
  ) {
    super(limits, parser);
  }

  protected take({ data }: SseEvent): void {
    if (data === '[DONE]') return this.last();
    const event = parseJson(data);
    if (isJsonObject(event)) this.event(event);
    else if (event === undefined) this.refuse(`expected events of JSON; came ${excerpt(data)}`);
    else this.assembly.warn(`expected an event that is an object; came ${excerpt(data)}`);
  }

  protected errorText(body: unknown, _text: string, status: number): ErrorText {
    return httpErrorText(body, status);
  }

  /** Takes one event. */
  protected abstract event(event: JsonObject): void;

  /** `[DONE]` has come. */
  protected abstract last(): void;

  /** A call's arguments are not JSON: it must not run. */
  protected refuseCall({ name, partial }: PendingCall): void {
    this.assembly.warn(`call ${excerpt(name)} is refused: expected a JSON object; came ${excerpt(partial)}`);
  }
}
