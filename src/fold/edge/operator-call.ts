/** Operator calls from within the gateway's process: by the HTTP face, ClientService and the terminal. */
import type { Metadata, Status } from '../../kit/base/index.ts';
import type { Accept, Link } from '../../kit/world/index.ts';
import { operatorCallCodec, operatorPath, operatorReplyCodec } from '../operator.ts';
import type { OperatorRequest } from '../operator.ts';

/** The stream of a call: its names in traces, and its caller's metadata. */
export interface CallStream {
  readonly conn: string;
  readonly stream: string;
  readonly metadata?: Metadata;
}

/** Receives the replies to a call. */
export interface CallReplies {
  /** An event or an answer. @returns false to pause the gateway until {@link OperatorCall.drained} */
  reply(name: string, data: unknown): boolean;
  /** The call ended with the gateway's status. No reply follows. */
  ended(status: Status): void;
}

/** An open call. */
export interface OperatorCall {
  /** The caller takes more replies after `reply` returned false. */
  drained(): void;
  /** The caller leaves: it receives nothing more. */
  leave(): void;
}

/** Makes a call. Replies can come before this returns. */
export function operatorCall(
  accept: Accept,
  { conn, stream, metadata }: CallStream,
  request: OperatorRequest,
  replies: CallReplies,
): OperatorCall {
  let open = true;
  const link: Link = {
    conn,
    stream,
    headers: () => {},
    send(bytes) {
      const decoded = operatorReplyCodec.decode(bytes);
      const [name, data] = decoded.ok ? (Object.entries(decoded.value.message)[0] ?? []) : [];
      return !open || name === undefined || replies.reply(name, data);
    },
    halfClose: () => {},
    close(status) {
      if (!open) return;
      open = false;
      replies.ended(status);
    },
    pause: () => {},
    resume: () => {},
  };
  const events = accept(link, { ...metadata, ':path': operatorPath });
  events.message(operatorCallCodec.encode(request));
  events.halfClose();
  return {
    drained() {
      if (open) events.drained();
    },
    leave() {
      if (!open) return;
      open = false;
      events.ended(undefined);
    },
  };
}
