/**
 * What every driver shares: a way to open streams that are not there. The kit opens a link and sends one operator
 * request; a driver carries it out in its own way and says what comes.
 */
import type { Status } from '../../kit/base/index.ts';
import type { Dial, Link } from '../../kit/world/index.ts';
import { operatorCallCodec } from '../operator.ts';
import type { OperatorRequest } from '../operator.ts';

/** What a driver says of the call it carries out. After `ended` nothing more is heard. */
export interface Caller {
  /** The gateway has taken the call. */
  headers(): void;
  /** An event or an answer, under its name. */
  reply(name: string, data: unknown): void;
  ended(status: Status | undefined): void;
}

/** A call that is being carried out. */
export interface DriverCall {
  /** The operator has left. */
  abort(): void;
  pause(): void;
  resume(): void;
}

/** Carries out a call, or says at once why it cannot be. `caller` must not be told anything before this returns. */
export type Start = (request: OperatorRequest, caller: Caller) => DriverCall | Status;

/** The end of a call that this driver or gateway does not offer; what needs it is untestable. */
export const unsupported = (why: string): Status => ({ code: 12, message: `unsupported: ${why}` });

/** The end of a call that was answered. */
export const fine: Status = { code: 0, message: '' };

const encoder = new TextEncoder();

/** Makes a dial of a driver; its streams are `op1`, `op2`, …, numbered by `next`. */
export function driverDial(conn: string, next: () => number, start: Start): Dial {
  return (_options, events) => {
    let over = false;
    let call: DriverCall | undefined;
    const caller: Caller = {
      headers() {
        if (!over) events.headers({});
      },
      reply(name, data) {
        if (!over) events.message(encoder.encode(JSON.stringify({ [name]: data ?? null })));
      },
      ended(status) {
        if (over) return;
        over = true;
        events.ended(status);
      },
    };
    let begun = false;
    const begin = (bytes: Uint8Array): void => {
      const request = operatorCallCodec.decode(bytes);
      const started = request.ok
        ? start(request.value.message, caller)
        : { code: 3, message: request.error.message };
      if ('code' in started) setImmediate(() => caller.ended(started));
      else call = started;
    };
    const link: Link = {
      conn,
      stream: `op${next()}`,
      headers: () => {},
      send(bytes) {
        if (begun || over) return true;
        begun = true;
        begin(bytes);
        return true;
      },
      halfClose: () => {},
      close() {
        if (over) return;
        over = true;
        call?.abort();
      },
      pause: () => call?.pause(),
      resume: () => call?.resume(),
    };
    return link;
  };
}
