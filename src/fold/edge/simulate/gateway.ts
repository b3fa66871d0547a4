/** The gateway for tests of agents: on a port of this process, with what crossed its streams as typed lists. */
import { addressText, WireproofError } from '../../../kit/base/index.ts';
import type { TraceEvent } from '../../../kit/base/index.ts';
import { PeerTrace, realClock, secretRedactor } from '../../../kit/world/index.ts';
import type { WireEvent } from '../../../kit/world/index.ts';
import type { GatewayOptions } from '../../gateway/options.ts';
import type { OperatorCalls, OperatorReply, OperatorRequest } from '../../operator.ts';
import { foldSecrets } from '../../messages.ts';
import { serveGateway } from '../serve.ts';
import type { GatewayServer, GatewayServerOptions } from '../serve.ts';
import { SentRequest } from './request.ts';
import type { FoldRequest } from './request.ts';
import { SeenAgents } from './seen-agents.ts';
import type { SeenAgent } from './seen-agents.ts';

/** The options of a simulated gateway. */
export interface SimulateFoldGatewayOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** The operator's HTTP face; default: none. */
  readonly http?: NonNullable<GatewayServerOptions['http']>;
  /** The behaviour of the reference gateway: credentials, timeouts, budget. */
  readonly gateway?: Partial<GatewayOptions>;
  /** More paths of agents' streams, such as `/my.Control/AgentStream`. */
  readonly paths?: readonly string[];
  /** The longest wait of the methods without a time of their own (ms). Default 10,000. */
  readonly within?: number;
  /** The most events that the trace keeps, and the most messages of an agent. Default 100,000. */
  readonly traceLimit?: number;
  /** `false` shows secrets in the trace. */
  readonly redact?: boolean;
}

/** Options of a message to an agent. */
export type SendOptions = Partial<Omit<OperatorCalls['send'], 'content'>> & {
  /** The longest wait (ms). */
  readonly within?: number;
};

/** A running simulated gateway. */
export interface SimulatedFoldGateway {
  /** host:port, for the agent. */
  readonly address: string;
  /** Such as `http://127.0.0.1:40123`; empty without an HTTP face. */
  readonly url: string;
  /** The trace so far. */
  readonly trace: readonly TraceEvent[];
  /** The streams of agents, in the order in which they opened, with their messages. */
  readonly agents: readonly SeenAgent[];
  /** The requests of {@link SimulatedFoldGateway.send} and `start`, in order. */
  readonly requests: readonly FoldRequest[];
  /**
   * Waits for a connected agent: any, or the one with this id.
   *
   * @throws WireproofError 'environment' when none comes within the time (ms)
   */
  agent(options?: { readonly agent_id?: string; readonly within?: number }): Promise<SeenAgent>;
  /** Sends a message, and waits for the end of the request. @throws WireproofError as {@link FoldRequest.event} */
  send(content: string, options?: SendOptions): Promise<FoldRequest>;
  /** Sends a message. @returns the request, while it runs */
  start(content: string, options?: SendOptions): FoldRequest;
  /** Injects context into an agent; default: the one that is connected. @returns the id of the injection */
  inject(content: string, options?: Partial<Omit<OperatorCalls['inject'], 'content'>>): Promise<string>;
  /**
   * Sends HTTP/2 GOAWAY on every connection. `NO_ERROR` (the default), as before a restart: open streams go on, a new stream
   * needs a new connection. `ENHANCE_YOUR_CALM`, with the debug data `too_many_pings`: the connections end.
   */
  goaway(code?: 'NO_ERROR' | 'ENHANCE_YOUR_CALM'): void;
  /** Says Shutdown to all agents, lets requests end, and closes. */
  shutdown(reason?: string): Promise<void>;
  /** Ends everything at once. A gateway that is not closed does not keep its process alive. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a gateway: the reference gateway, on a port of this process.
 *
 * @throws WireproofError 'environment' when the port cannot be had
 *
 * @example
 * import { simulateFoldGateway } from 'wireproof/fold/simulate';
 *
 * const gateway = await simulateFoldGateway();
 * /^127\.0\.0\.1:\d+$/.test(gateway.address); // true
 * await gateway.agent({ within: 10 }).catch((error: Error) => error.message); // 'no agent is connected; no stream has opened (waited 10 ms)'
 * await gateway.close();
 */
export async function simulateFoldGateway(
  options: SimulateFoldGatewayOptions = {},
): Promise<SimulatedFoldGateway> {
  const { host = '127.0.0.1', port = 0, http, gateway, paths, within = 10_000 } = options;
  const watch = new GatewayWatch(options);
  const server = await serveGateway({
    host,
    port,
    background: true,
    tap: (event) => watch.add(event),
    ...(http === undefined ? {} : { http }),
    ...(gateway === undefined ? {} : { gateway }),
    ...(paths === undefined ? {} : { paths }),
  });
  return new GatewayForTests(server, watch, { host, within });
}

/** What crossed the streams of a gateway. */
class GatewayWatch {
  readonly trace: PeerTrace;
  readonly agents: SeenAgents;

  constructor({ traceLimit = 100_000, redact = true }: SimulateFoldGatewayOptions) {
    this.agents = new SeenAgents(traceLimit);
    this.trace = new PeerTrace({
      clock: realClock({ background: true }),
      wire: 'fold',
      secrets: foldSecrets,
      redact: redact ? secretRedactor() : undefined,
      limit: traceLimit,
    });
  }

  add(event: WireEvent): void {
    this.agents.add(event);
    this.trace.wire('gateway', event, this.agents.isOperator(event.stream) ? 'operator' : 'fold');
    this.agents.forget(event);
    this.trace.changed();
  }
}

class GatewayForTests implements SimulatedFoldGateway {
  readonly address: string;
  readonly url: string;
  readonly agents: readonly SeenAgent[];
  readonly requests: SentRequest[] = [];
  readonly #server: GatewayServer;
  readonly #watch: GatewayWatch;
  readonly #within: number;

  constructor(
    server: GatewayServer,
    watch: GatewayWatch,
    { host, within }: { readonly host: string; readonly within: number },
  ) {
    this.#server = server;
    this.#watch = watch;
    this.#within = within;
    this.address = addressText({ host, port: server.port });
    this.url = server.httpPort === 0 ? '' : `http://${addressText({ host, port: server.httpPort })}`;
    this.agents = watch.agents.all;
  }

  get trace(): readonly TraceEvent[] {
    return this.#watch.trace.events;
  }

  agent({ agent_id, within = this.#within }: Parameters<SimulatedFoldGateway['agent']>[0] = {}) {
    return this.#watch.trace.until(
      () =>
        this.agents.findLast(
          (agent) => agent.connected && (agent_id === undefined || agent.agent_id === agent_id),
        ),
      within,
      () => `no agent ${agent_id === undefined ? '' : `${agent_id} `}is connected; ${this.#seen()}`,
    );
  }

  /** The agents that came, in words. */
  #seen(): string {
    const said = this.agents.map(
      ({ agent_id, connected, register }) =>
        `${agent_id || 'an agent'} ${connected ? 'is connected' : register === undefined ? 'did not register' : 'left'}`,
    );
    return said.length === 0 ? 'no stream has opened' : said.slice(-3).join(', ');
  }

  send(content: string, options: SendOptions = {}): Promise<FoldRequest> {
    return this.start(content, options).ended();
  }

  start(content: string, { within = this.#within, ...order }: SendOptions = {}): FoldRequest {
    const request = new SentRequest(content, {
      trace: this.#watch.trace,
      within,
      call: (call) => this.#call(call),
    });
    this.requests.push(request);
    this.#server.ask(
      { send: { sender: 'test', ...order, content } },
      { reply: (reply) => request.add(reply), end: (status) => request.close(status) },
    );
    return request;
  }

  async inject(
    content: string,
    options: Partial<Omit<OperatorCalls['inject'], 'content'>> = {},
  ): Promise<string> {
    const agent_id = options.agent_id ?? (await this.agent()).agent_id;
    const { injected } = await this.#call({ inject: { ...options, agent_id, content } });
    return injected?.injection_id ?? '';
  }

  /** Makes a call with one answer. */
  async #call(call: OperatorRequest): Promise<OperatorReply> {
    const verb = Object.keys(call)[0] ?? '';
    const replies: OperatorReply[] = [];
    let ended: { readonly code: number; readonly message: string } | undefined;
    const { trace } = this.#watch;
    this.#server.ask(call, {
      reply: (reply) => void replies.push(reply),
      end(status) {
        ended = status;
        trace.changed();
      },
    });
    const status = await trace.until(
      () => ended,
      this.#within,
      () => `${verb}: the gateway did not answer`,
    );
    if (status.code === 0) return replies[0] ?? {};
    throw new WireproofError('environment', `${verb}: refused: ${status.message} (status ${status.code})`);
  }

  goaway(code: 'NO_ERROR' | 'ENHANCE_YOUR_CALM' = 'NO_ERROR'): void {
    this.#server.goaway(code);
  }

  async shutdown(reason = 'the test is over'): Promise<void> {
    this.#server.shutdown(reason);
    await this.#server.stopped;
    await this.close();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#watch.trace.close('the gateway was closed');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
