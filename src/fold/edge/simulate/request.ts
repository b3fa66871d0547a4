/** A message that a simulated gateway sent to an agent, and what the agent answered so far. */
import { WireproofError } from '../../../kit/base/index.ts';
import type { Status } from '../../../kit/base/index.ts';
import type { PeerTrace } from '../../../kit/world/index.ts';
import type { TokenUsage } from '../../messages.ts';
import { operatorTerminals } from '../../operator.ts';
import type { OperatorCalls, OperatorEventName, OperatorEvents, OperatorReply } from '../../operator.ts';

/** An event of a request, by its published name. */
export type FoldEvent = {
  readonly [N in OperatorEventName]: { readonly name: N; readonly data: OperatorEvents[N] };
}[OperatorEventName];

/** A tool that the agent used for a request. */
export interface FoldTool {
  readonly id: string;
  readonly name: string;
  readonly input_json: string;
  /** Its states, in order. */
  readonly states: readonly string[];
  /** Absent: no result came. */
  readonly result?: { readonly output: string; readonly is_error: boolean };
}

/** A request to an agent. Its members show what has come so far. */
export interface FoldRequest {
  readonly content: string;
  /** The ids, once the message was sent. */
  readonly request_id?: string;
  readonly thread_id?: string;
  readonly agent_id?: string;
  /** All events, in order. */
  readonly events: readonly FoldEvent[];
  /** The joined texts; `thinking`: the joined thoughts. */
  readonly text: string;
  readonly thinking: string;
  readonly tools: readonly FoldTool[];
  readonly usage: readonly TokenUsage[];
  /** The event that ended it; absent: it runs. */
  readonly end?: Extract<FoldEvent, { name: 'done' | 'error' | 'canceled' }>;
  /**
   * Waits for the first event of a name, which may have come already.
   *
   * @param within - the longest wait (ms); default 10,000
   * @throws WireproofError 'environment' when it does not come, or the gateway refuses the request
   */
  event<N extends OperatorEventName>(name: N, within?: number): Promise<OperatorEvents[N]>;
  /** Waits for its end: `done`, `error` or `canceled`. @throws WireproofError as {@link FoldRequest.event} */
  ended(within?: number): Promise<FoldRequest>;
  /** Cancels it. */
  cancel(reason?: string): Promise<void>;
  /** Approves a tool that waits for approval, or denies it. */
  approve(tool_id: string, approved?: boolean): Promise<void>;
}

/** What a request needs of its gateway. */
export interface RequestOwner {
  readonly trace: PeerTrace;
  /** The longest wait (ms). */
  readonly within: number;
  call(request: Pick<OperatorCalls, 'cancel'> | Pick<OperatorCalls, 'approve'>): Promise<unknown>;
}

type Terminal = NonNullable<FoldRequest['end']>;

/** See {@link FoldRequest}. */
export class SentRequest implements FoldRequest {
  readonly content: string;
  readonly events: FoldEvent[] = [];
  request_id?: string;
  thread_id?: string;
  agent_id?: string;
  end?: Terminal;
  readonly #owner: RequestOwner;
  #status: Status | undefined;

  constructor(content: string, owner: RequestOwner) {
    this.content = content;
    this.#owner = owner;
  }

  /** Takes a reply to the call. */
  add(reply: OperatorReply): void {
    for (const [name, data] of Object.entries(reply)) {
      const event = { name, data } as FoldEvent;
      this.events.push(event);
      if (event.name === 'started') Object.assign(this, event.data);
      if (operatorTerminals.has(event.name)) this.end = event as Terminal;
    }
    this.#owner.trace.changed();
  }

  /** Takes the status of the call. */
  close(status: Status): void {
    this.#status = status;
    this.#owner.trace.changed();
  }

  get text(): string {
    return this.#all('text')
      .map(({ text }) => text)
      .join('');
  }

  get thinking(): string {
    return this.#all('thinking')
      .map(({ text }) => text)
      .join('');
  }

  get usage(): readonly TokenUsage[] {
    return this.#all('usage');
  }

  get tools(): readonly FoldTool[] {
    const results = this.#all('tool_result');
    const states = this.#all('tool_state');
    return this.#all('tool_use').map((use) => {
      const result = results.find(({ id }) => id === use.id);
      return {
        ...use,
        states: states.filter(({ id }) => id === use.id).map(({ state }) => state),
        ...(result === undefined ? {} : { result: { output: result.output, is_error: result.is_error } }),
      };
    });
  }

  async event<N extends OperatorEventName>(name: N, within?: number): Promise<OperatorEvents[N]> {
    return this.#until(() => this.#all(name)[0], `no ${name} came`, within);
  }

  async ended(within?: number): Promise<FoldRequest> {
    return this.#until(() => (this.end === undefined ? undefined : this), 'it did not end', within);
  }

  async cancel(reason = 'cancelled by the test'): Promise<void> {
    const { request_id = '' } = await this.event('started');
    await this.#owner.call({ cancel: { request_id, reason } });
  }

  async approve(tool_id: string, approved = true): Promise<void> {
    const { agent_id = '' } = await this.event('started');
    await this.#owner.call({ approve: { agent_id, tool_id, approved } });
  }

  #all<N extends OperatorEventName>(name: N): readonly OperatorEvents[N][] {
    return this.events.flatMap((event) => (event.name === name ? [event.data as OperatorEvents[N]] : []));
  }

  async #until<T>(find: () => T | undefined, missed: string, within = this.#owner.within): Promise<T> {
    const names = (): string => this.events.map(({ name }) => name).join(', ') || 'nothing';
    const about = `the request ${JSON.stringify(this.content.slice(0, 80))}`;
    const found = await this.#owner.trace.until(
      () => find() ?? (this.#status === undefined ? undefined : this.#status),
      within,
      () => `${about}: ${missed}; so far came ${names()}`,
    );
    const came = find();
    if (came !== undefined) return came;
    const { message, code } = found as Status;
    const why = code === 0 ? `${missed}; came ${names()}` : `refused: ${message} (status ${code})`;
    throw new WireproofError('environment', `${about}: ${why}`);
  }
}
