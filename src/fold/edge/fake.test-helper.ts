/** A gateway of one function, and an operator that notes what it hears: for the tests of this room. */
import type { Metadata, Status } from '../../kit/base/index.ts';
import type { Accept, Dial, Link, LinkEvents } from '../../kit/world/index.ts';
import { operatorCallCodec, operatorPath, operatorReplyCodec } from '../operator.ts';
import type { OperatorReply, OperatorRequest } from '../operator.ts';

export { pause, until } from '../../kit/world/until.test-helper.ts';

/** One call as the gateway sees it. */
export interface Heard {
  readonly link: Link;
  readonly metadata: Metadata;
  request: OperatorRequest | undefined;
  halfClosed: boolean;
  ended: boolean;
  drained: number;
}

/** Takes calls, and answers each as it is told. */
export class FakeGateway {
  readonly calls: Heard[] = [];
  answer: (request: OperatorRequest, link: Link, call: Heard) => void = (_, link) => finish(link);

  readonly accept: Accept = (link, metadata): LinkEvents => {
    const call: Heard = { link, metadata, request: undefined, halfClosed: false, ended: false, drained: 0 };
    this.calls.push(call);
    return {
      headers: () => {},
      message: (bytes) => {
        const decoded = operatorCallCodec.decode(bytes);
        if (!decoded.ok) throw new Error(decoded.error.message);
        call.request = decoded.value.message;
        this.answer(decoded.value.message, link, call);
      },
      halfClose: () => void (call.halfClosed = true),
      ended: () => void (call.ended = true),
      drained: () => void call.drained++,
      ping: () => {},
    };
  };

  call(n: number): Heard {
    const call = this.calls[n];
    if (call === undefined) throw new Error(`expected ${n + 1} calls; came ${this.calls.length}`);
    return call;
  }

  /** What was asked, in order. */
  get requests(): readonly (OperatorRequest | undefined)[] {
    return this.calls.map(({ request }) => request);
  }
}

export const reply = (link: Link, ...replies: OperatorReply[]): boolean =>
  replies.map((one) => link.send(operatorReplyCodec.encode(one))).every(Boolean);

export const finish = (link: Link, code = 0, message = ''): void => link.close({ code, message });

/** What an operator hears of one call. */
export interface Talk {
  readonly link: Link;
  readonly replies: unknown[];
  headers: number;
  /** The status; `null` for none; undefined while it goes on. */
  status: Status | null | undefined;
  readonly over: Promise<Status | null>;
}

/** Makes a call. */
export function talk(dial: Dial, request: OperatorRequest): Talk {
  let end: (status: Status | null) => void = () => {};
  const over = new Promise<Status | null>((resolve) => void (end = resolve));
  const heard: Omit<Talk, 'link'> = { replies: [], headers: 0, status: undefined, over };
  const link = dial(
    { metadata: { ':path': operatorPath } },
    {
      headers: () => void heard.headers++,
      message(bytes) {
        const decoded = operatorReplyCodec.decode(bytes);
        if (!decoded.ok) throw new Error(decoded.error.message);
        heard.replies.push(decoded.value.message);
      },
      halfClose: () => {},
      ended(status) {
        if (heard.status !== undefined) throw new Error('ended twice');
        heard.status = status ?? null;
        end(heard.status);
      },
      drained: () => {},
      ping: () => {},
    },
  );
  link.send(operatorCallCodec.encode(request));
  link.halfClose();
  return Object.assign(heard, { link });
}

export function counter(): () => number {
  let n = 0;
  return () => ++n;
}

/** Every event of a request, once each, as the published face names them. */
export const everyEvent: readonly OperatorReply[] = [
  { started: { thread_id: 't-1', request_id: 'r-1', agent_id: 'a-1' } },
  { thinking: { text: 'hm' } },
  { text: { text: 'line one\nline two\r\n\u{1F600} ü' } },
  { tool_use: { id: 'u-1', name: 'ls', input_json: '{"path":"/"}' } },
  { tool_approval: { id: 'u-1', name: 'ls', input_json: '{"path":"/"}', request_id: 'r-1' } },
  { tool_state: { id: 'u-1', state: 'awaiting_approval' } },
  { tool_state: { id: 'u-1', state: 'canceled', detail: 'enough' } },
  { tool_state: { id: 'u-1', state: '77' } },
  { tool_result: { id: 'u-1', output: 'x', is_error: true } },
  {
    usage: {
      input_tokens: 1,
      output_tokens: 2,
      cache_read_tokens: 0,
      cache_write_tokens: 4,
      thinking_tokens: 5,
    },
  },
];

/** What ClientService has no place for. */
export const otherEvents: readonly OperatorReply[] = [
  { file: { filename: 'f', mime_type: 'text/plain', data: 'aGk=' } },
  { session_init: { session_id: 's' } },
  { session_orphaned: { reason: 'gone' } },
];

/** Opens streams to an accept in this process; what either side does is heard by the other a little later. */
export const dialTo =
  (accept: Accept): Dial =>
  (options, client) => {
    const name = `s${++streams}`;
    let over = false;
    const later = (what: () => void): void => void setImmediate(what);
    const link = (other: () => LinkEvents, end: (status: Status) => void): Link => ({
      conn: 'c',
      stream: name,
      headers: (metadata) => later(() => other().headers(metadata)),
      send(bytes) {
        later(() => over || other().message(bytes));
        return true;
      },
      halfClose: () => later(() => over || other().halfClose()),
      close: (status) =>
        later(() => {
          if (over) return;
          over = true;
          end(status);
        }),
      pause: () => {},
      resume: () => {},
    });
    const server = accept(
      link(
        () => client,
        (status) => client.ended(status),
      ),
      options.metadata,
    );
    return link(
      () => server,
      () => server.ended(undefined),
    );
  };

let streams = 0;
