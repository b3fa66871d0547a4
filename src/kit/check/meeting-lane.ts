/**
 * One scenario against a target that meets the kit on a plain carrier: a process of its own where the kit starts it,
 * a connection of its own, one trace and one judge. The scenario begins when the connection is there.
 */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { Wires, awaitPort, byteWire, freePort, startProcess } from '../transport/index.ts';
import { connectTcp, connectWebSocket, listenTcp, listenWebSocket } from '../transport/index.ts';
import type { Carriage, TargetProcess } from '../transport/index.ts';
import { framed, realClock } from '../world/index.ts';
import type { Accept, Random } from '../world/index.ts';
import type { Found } from './judge.ts';
import { Lane } from './lane.ts';
import { filledIn, placeholderVariables } from './placeholders.ts';
import type { Played } from './player.ts';
import type { Carrier, Meeting, Suite } from './suite.ts';
import { listensItself } from './target-plan.ts';
import type { TargetPlan } from './target-plan.ts';

const loopback = '127.0.0.1';
/** After the target's process ended, what is on its way gets so long to come (ms). */
const afterExit = 300;

/** What it needs. */
export interface MeetingLaneOptions<V> {
  readonly suite: Suite<V>;
  readonly meeting: Meeting<V>;
  readonly target: TargetPlan;
  readonly carrier: Carrier;
  readonly random: Random;
  readonly drive: string;
  readonly timeouts: { readonly [name: string]: number };
  readonly timeoutScale: number;
  readonly redact: ((secret: string) => string) | undefined;
  readonly maxReceive: number;
  readonly only?: ReadonlySet<string>;
  /** How long to wait for the connection (ms). */
  readonly patience: number;
  /** Hears where the kit waits. */
  readonly listening?: (port: number) => void;
}

/** See the file's head. */
export class MeetingLane<V> {
  readonly lane: Lane<V>;
  readonly started: number = Date.now();
  readonly #options: MeetingLaneOptions<V>;
  #carriage: Carriage | undefined;
  #process: TargetProcess | undefined;
  #exit: string | undefined;
  #met = false;
  #onMet: () => void = () => {};
  #begin: () => void = () => {};
  #stopping = false;

  constructor(options: MeetingLaneOptions<V>) {
    this.#options = options;
    this.lane = new Lane({
      ...options,
      clock: realClock(),
      fault: (fault) => this.#carriage?.fault(fault),
      stop: () => this.#process?.terminate(),
    });
  }

  /** Whether the target has come. */
  get met(): boolean {
    return this.#met;
  }

  /**
   * Meets the target and plays.
   *
   * @returns how the scenario went, or why the target could not be met
   * @throws WireproofError 'environment' when it cannot be started or reached
   */
  async play(scenario: Scenario): Promise<Played | { readonly absent: string }> {
    const { lane } = this;
    lane.setPeers(scenario.peers);
    return new Promise<Played | { readonly absent: string }>((resolve, reject) => {
      this.#begin = () => lane.play(scenario, resolve);
      this.#meet().then((why) => why === undefined || resolve({ absent: why }), reject);
    });
  }

  /** Each connection; the first begins the scenario. */
  #accept(): Accept {
    const { carrier, meeting } = this.#options;
    const accept: Accept = (link, metadata) => {
      const events = this.lane.accept(link, metadata);
      if (!this.#met) {
        this.#met = true;
        this.#begin();
        this.#onMet();
      }
      return events;
    };
    return carrier === 'ws' ? accept : framed(accept, meeting.framing);
  }

  /** @returns why the target did not come; undefined when it did */
  async #meet(): Promise<string | undefined> {
    const { target, carrier } = this.#options;
    if (target.kind === 'connect') await this.#dial(target.host, target.port);
    else if (target.kind === 'listen') await this.#listen(target.host, target.port);
    else if (carrier === 'stdio') await this.#spawn(target, {});
    else if (listensItself(target.command)) return this.#toListener(target);
    else {
      const port = await this.#listen(loopback, 0);
      await this.#spawn(target, this.#places(port));
    }
    return this.#awaited();
  }

  #places(port: number): { readonly [name: string]: string } {
    const address = `${loopback}:${port}`;
    const url = this.#options.carrier === 'ws' ? `ws://${address}` : `tcp://${address}`;
    return { address, listen: address, host: loopback, port: String(port), url };
  }

  async #listen(host: string, port: number): Promise<number> {
    const { carrier, maxReceive } = this.#options;
    const accept = this.#accept();
    this.#carriage =
      carrier === 'ws'
        ? await listenWebSocket({ host, port, accept, maxReceive })
        : await listenTcp({ host, port, accept });
    this.#options.listening?.(this.#carriage.port);
    return this.#carriage.port;
  }

  async #dial(host: string, port: number): Promise<void> {
    const { carrier, maxReceive } = this.#options;
    const accept = this.#accept();
    this.#carriage =
      carrier === 'ws'
        ? await connectWebSocket({ url: `ws://${host}:${port}`, accept, maxReceive })
        : await connectTcp({ host, port, accept });
  }

  /** A target that listens where it is told to. */
  async #toListener(target: Extract<TargetPlan, { kind: 'command' }>): Promise<string | undefined> {
    const port = await freePort();
    await this.#spawn(target, this.#places(port));
    const { patience } = this.#options;
    const there = await awaitPort({ host: loopback, port }, patience, () => this.#exit !== undefined);
    if (!there) return this.#exit ?? `nothing listened on {listen} (${loopback}:${port}) in ${patience} ms`;
    await this.#dial(loopback, port);
    return undefined;
  }

  async #spawn(
    target: Extract<TargetPlan, { kind: 'command' }>,
    places: { readonly [name: string]: string },
  ): Promise<void> {
    const wires = new Wires('stdio', this.#accept());
    const stdio = this.#options.carrier === 'stdio';
    if (stdio) this.#carriage = { port: 0, fault: (f) => wires.fault(f), close: () => wires.close() };
    this.#process = await startProcess({
      command: filledIn(target.command, places),
      env: { ...placeholderVariables(places), ...target.env },
      onExit: (exit, signal) => this.#ended(exit, signal),
      ...(stdio ? { carry: (pipes) => wires.add(byteWire(pipes)) } : {}),
    });
  }

  #ended(exit: number | null, signal: string | null): void {
    this.#exit =
      signal === null ? `the target exited with code ${exit ?? 0}` : `the target was ended by ${signal}`;
    if (this.#stopping) return;
    this.lane.processEnded(exit, signal);
    this.#onMet();
    setTimeout(() => this.lane.abort('the process of the target ended'), afterExit);
  }

  async #awaited(): Promise<string | undefined> {
    const { patience, target } = this.#options;
    if (!this.#met && this.#exit === undefined) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        this.#onMet = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (this.#met) return undefined;
    if (this.#exit !== undefined) return `${this.#exit} before it connected`;
    const port = this.#carriage?.port ?? 0;
    const hint = target.kind === 'command' ? '; it must dial {address} (also in WIREPROOF_ADDRESS)' : '';
    return `nothing connected to ${loopback}:${port} in ${patience} ms${hint}`;
  }

  /** Ends a wait for the target, or the scenario in play. */
  interrupt(): void {
    this.#exit ??= 'interrupted';
    this.#onMet();
    this.lane.abort('interrupted');
  }

  /** Watches for late events (`ms`), ends the trace, then the connection and the process. */
  async close(ms: number): Promise<ReadonlyMap<string, Found>> {
    if (ms > 0) await new Promise((resolve) => void setTimeout(resolve, ms));
    this.#stopping = true;
    const found = this.lane.end();
    if (this.#process !== undefined) await this.#process.stop();
    this.#carriage?.close();
    return found;
  }

  /** The end of what the target printed. */
  output(): readonly string[] {
    return this.#process?.output() ?? [];
  }

  /** Why the connection could not be had, as an error. */
  static unmet(error: unknown): string {
    if (error instanceof WireproofError && error.code === 'environment') return error.message;
    throw error;
  }
}
