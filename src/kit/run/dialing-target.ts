/** A lane in the real world: a gRPC server behind a network front, and a target that was spawned or comes by itself. */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { openFront, serveGrpc, startProcess } from '../transport/index.ts';
import type { Front, GrpcServer, TargetProcess } from '../transport/index.ts';
import { realClock } from '../world/index.ts';
import type { Random } from '../world/index.ts';
import type { Found } from '../judge/index.ts';
import { Lane } from '../suite/index.ts';
import { filledIn, placeholderVariables } from './placeholders.ts';
import type { Played } from '../scenario/index.ts';
import type { TargetPlan, Dialling, Suite } from '../suite/index.ts';

/** What a real lane needs. */
export interface DialingTargetOptions<V> {
  readonly suite: Suite<V>;
  readonly dialling: Dialling<V>;
  readonly target: TargetPlan;
  readonly methods: readonly string[];
  readonly random: Random;
  readonly drive: string;
  readonly timeouts: { readonly [name: string]: number };
  readonly timeoutScale: number;
  readonly redact: ((secret: string) => string) | undefined;
  readonly maxReceive: number;
  readonly only?: ReadonlySet<string>;
}

/** What became of waiting for a target. */
export type Readiness =
  | { readonly is: 'ready' }
  /** It opened a stream and did not get ready: that is judged. */
  | { readonly is: 'refused' }
  /** It never opened a stream. */
  | { readonly is: 'absent'; readonly why: string };

/** A lane on real sockets. */
export class DialingTarget<V> {
  readonly lane: Lane<V>;
  readonly started: number = Date.now();
  process: TargetProcess | undefined;
  readonly #options: DialingTargetOptions<V>;
  #front: Front | undefined;
  #server: GrpcServer | undefined;
  #connected = false;
  #exit: { readonly exit: number | null; readonly signal: string | null } | undefined;
  #onGone: (() => void) | undefined;
  #stopping = false;

  constructor(options: DialingTargetOptions<V>) {
    this.#options = options;
    this.lane = new Lane({
      ...options,
      clock: realClock(),
      fault: (fault) => this.#front?.fault(fault),
    });
  }

  /** Opens the port, sets the peers up, begins a fresh scenario's play, and starts the target. */
  async open(peers: Scenario['peers'], begin?: () => void): Promise<void> {
    const { target, methods, maxReceive } = this.#options;
    this.lane.setPeers(peers);
    const connOf = (peer: string): string => this.#front?.connOf(peer) ?? peer;
    this.#server = await serveGrpc({
      host: '127.0.0.1',
      port: 0,
      methods,
      maxReceive,
      accept: this.lane.accept,
      connOf,
    });
    const { host, port } = target.kind === 'command' ? { host: '127.0.0.1', port: 0 } : target;
    this.#front = await openFront({
      host,
      port,
      behind: this.#server.port,
      onPing: (conn) => this.lane.ping(conn),
      onMessage: (conn, bytes) => {
        if (bytes > maxReceive) this.lane.oversize(conn, bytes, maxReceive);
      },
      onConnect: () => (this.#connected = true),
    });
    begin?.();
    if (target.kind === 'command') await this.#spawn(target);
  }

  /** The port on which the target is awaited. */
  get port(): number {
    return this.#front?.port ?? 0;
  }

  async #spawn(target: Extract<TargetPlan, { kind: 'command' }>): Promise<void> {
    const port = String(this.port);
    const values = { address: `127.0.0.1:${port}`, host: '127.0.0.1', port, url: `http://127.0.0.1:${port}` };
    this.process = await startProcess({
      command: filledIn(target.command, values),
      env: { ...placeholderVariables(values), ...target.env },
      onExit: (exit, signal) => {
        this.#exit = { exit, signal };
        if (this.#stopping) return;
        this.lane.processEnded(exit, signal);
        this.#onGone?.();
      },
    });
  }

  /** Waits until the target can be given work. */
  async ready(): Promise<Readiness> {
    const { suite, dialling, timeouts, timeoutScale, target } = this.#options;
    const limit = (timeouts['handshake'] ?? 5000) * timeoutScale;
    const isReady = (): boolean =>
      this.lane.events.some((event) => suite.judging.topicOf(event) === dialling.ready);
    if (isReady()) return { is: 'ready' };
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, target.kind === 'listen' ? Math.max(limit, 3_600_000) : limit);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.lane.awaitTopic(dialling.ready, done);
      this.#onGone = done;
      this.cancelWait = done;
      if (this.#exit !== undefined) done();
    });
    this.#onGone = undefined;
    if (isReady()) return { is: 'ready' };
    const opened = this.lane.events.some((event) => event.kind === 'open');
    return opened ? { is: 'refused' } : { is: 'absent', why: this.#absence(limit) };
  }

  /** Ends a wait for readiness early. */
  cancelWait: () => void = () => {};

  #absence(limit: number): string {
    if (this.#exit !== undefined) {
      const how =
        this.#exit.signal === null
          ? `exited with code ${this.#exit.exit ?? 0}`
          : `was ended by ${this.#exit.signal}`;
      return `the target ${how} before it opened a stream`;
    }
    if (this.#connected)
      return `something connected, and opened no gRPC stream on ${this.#options.methods.join(' or ')} in ${limit} ms`;
    return `nothing connected to 127.0.0.1:${this.port} in ${limit} ms; the target must dial {address} (also in WIREPROOF_ADDRESS)`;
  }

  /** Whether another scenario may play here: the target runs, has a stream, and nothing is unfinished. */
  fit(): boolean {
    const { idle, connected } = this.#options.dialling;
    const { view } = this.lane.judge;
    return this.#exit === undefined && idle(view) && connected(view);
  }

  /** Waits until the target has come back by itself. @returns whether it has */
  async back(): Promise<boolean> {
    const { timeouts, timeoutScale } = this.#options;
    const until = Date.now() + (timeouts['reconnect'] ?? 10_000) * timeoutScale;
    while (!this.fit() && Date.now() < until) await new Promise((resolve) => void setTimeout(resolve, 50));
    return this.fit();
  }

  /** Plays a scenario; if the target's process ends meanwhile, the scenario gets a moment more and is over. */
  play(scenario: Scenario): Promise<Played> {
    return new Promise((resolve) => {
      this.#onGone = () => void setTimeout(() => this.lane.abort('the process of the target ended'), 200);
      this.lane.play(scenario, (played) => {
        this.#onGone = undefined;
        this.#front?.fault({ kind: 'restore' });
        resolve(played);
      });
    });
  }

  /** Watches for late events, stops the target, closes the port and ends the trace. */
  async close(): Promise<ReadonlyMap<string, Found>> {
    const late = (this.#options.timeouts['late'] ?? 300) * this.#options.timeoutScale;
    await new Promise((resolve) => void setTimeout(resolve, late));
    return this.stop();
  }

  /** The same at once. */
  async stop(): Promise<ReadonlyMap<string, Found>> {
    this.#stopping = true;
    this.cancelWait();
    const found = this.lane.end();
    await this.process?.stop();
    this.#front?.close();
    this.#server?.close();
    return found;
  }

  /** The end of what the target printed. */
  output(): readonly string[] {
    return this.process?.output() ?? [];
  }
}

/** The reason a target could not be had, with the end of its output: an `environment` error. */
export function absent(why: string, output: readonly string[]): WireproofError {
  const [first, ...rest] = output;
  const last =
    rest.length > 11 ? [...(first?.startsWith('…') === true ? [first] : []), ...rest.slice(-11)] : output;
  const shown = last.map((line) => `    ${line.length > 200 ? `${line.slice(0, 200)}…` : line}`);
  const said = shown.length === 0 ? '; it printed nothing' : `; it printed:\n${shown.join('\n')}`;
  return new WireproofError('environment', `${why}${said}`);
}
