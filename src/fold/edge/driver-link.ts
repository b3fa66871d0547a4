/**
 * The links of drivers. The kit opens a link and sends one operator request; the driver makes the call in its own way
 * and reports its events as the link's.
 */
import { unsupportedText } from '../../kit/base/index.ts';
import type { Status } from '../../kit/base/index.ts';
import type { Dial, LinkEvents } from '../../kit/world/index.ts';
import { operatorCallCodec } from '../operator.ts';
import type { OperatorRequest } from '../operator.ts';

/** Receives a driver's events of a call. `ended` is the last one. */
export interface CallEvents {
  /** The gateway has accepted the call. */
  headers(): void;
  /** An event or an answer came. */
  reply(name: string, data: unknown): void;
  ended(status: Status | undefined): void;
}

/** A running call. */
export interface DriverCall {
  /** The operator has left. */
  abort(): void;
  pause(): void;
  resume(): void;
}

/** Starts a call, or refuses it with a status. It must not call `caller` before it returns. */
export type StartCall = (request: OperatorRequest, caller: CallEvents) => DriverCall | Status;

/** The status of a call that this driver or gateway does not have. Requirements that need it are untestable. */
export const unsupported = (reason: string): Status => ({ code: 12, message: unsupportedText(reason) });

/** The status of a call that succeeded. */
export const okStatus: Status = { code: 0, message: '' };

const encoder = new TextEncoder();

/** Reports the events of a call to the opener of its link, until the call has ended. */
class CallReporter implements CallEvents {
  readonly #events: LinkEvents;
  open = true;

  constructor(events: LinkEvents) {
    this.#events = events;
  }

  headers(): void {
    if (this.open) this.#events.headers({});
  }

  reply(name: string, data: unknown): void {
    if (this.open) this.#events.message(encoder.encode(JSON.stringify({ [name]: data ?? null })));
  }

  ended(status: Status | undefined): void {
    if (!this.open) return;
    this.open = false;
    this.#events.ended(status);
  }
}

/** Makes the `dial` of a driver. `next` numbers its streams: `op1`, `op2`, … */
export function driverDial(conn: string, next: () => number, start: StartCall): Dial {
  return (_options, events) => {
    const caller = new CallReporter(events);
    let call: DriverCall | undefined;
    let sent = false;
    return {
      conn,
      stream: `op${next()}`,
      headers: () => {},
      send(bytes) {
        if (sent || !caller.open) return true;
        sent = true;
        const request = operatorCallCodec.decode(bytes);
        const started = request.ok
          ? start(request.value.message, caller)
          : { code: 3, message: request.error.message };
        if ('code' in started) setImmediate(() => caller.ended(started));
        else call = started;
        return true;
      },
      halfClose: () => {},
      close() {
        if (!caller.open) return;
        caller.open = false;
        call?.abort();
      },
      pause: () => call?.pause(),
      resume: () => call?.resume(),
    };
  };
}
