/** An operator call made from within, by a face that translates: a link to the gateway that no wire carries. */
import type { Metadata, Status } from '../../kit/base/index.ts';
import { isObject } from '../../kit/base/index.ts';
import type { Accept, Link } from '../../kit/world/index.ts';
import { operatorCallCodec, operatorPath } from '../operator.ts';
import type { OperatorRequest } from '../operator.ts';

/** Hears what the gateway answers. */
export interface Answered {
  /** An event or an answer. @returns false to hold the gateway back until `drained` of {@link InnerCall} */
  reply(name: string, data: unknown): boolean;
  /** The call is over, with the gateway's status. */
  ended(status: Status): void;
}

/** A call that was made. */
export interface InnerCall {
  /** More may be sent. */
  drained(): void;
}

/** The stream of a caller: whose name the call inside takes over, because the gateway does not see that stream. */
export interface Origin {
  readonly link: Link;
  readonly metadata: Metadata;
}

const decoder = new TextDecoder();

/** Makes a call. What is answered may be heard before this returns. */
export function innerCall(
  accept: Accept,
  { link: { conn, stream }, metadata }: Origin,
  request: OperatorRequest,
  answered: Answered,
): InnerCall {
  let over = false;
  const link: Link = {
    conn,
    stream,
    headers: () => {},
    send(bytes) {
      const reply: unknown = JSON.parse(decoder.decode(bytes));
      const [name, data] = isObject(reply) ? (Object.entries(reply)[0] ?? []) : [];
      return over || name === undefined || answered.reply(name, data);
    },
    halfClose: () => {},
    close(status) {
      if (over) return;
      over = true;
      answered.ended(status);
    },
    pause: () => {},
    resume: () => {},
  };
  const events = accept(link, { ...metadata, ':path': operatorPath });
  events.message(operatorCallCodec.encode(request));
  events.halfClose();
  return {
    drained() {
      if (!over) events.drained();
    },
  };
}
