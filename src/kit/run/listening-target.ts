/**
 * One scenario against a target that listens: the kit dials it as several peers and as its operator. Each peer has a
 * proxy of its own, so that it can be disturbed by itself. The program is one of a pool.
 */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import type { Found } from '../judge/index.ts';
import { needsOwnTarget } from '../scenario/index.ts';
import type { Played } from '../scenario/index.ts';
import type { ListeningTargetKind, TargetAddress, TargetSession } from '../suite/index.ts';
import { dialGrpc, openFaultProxy } from '../transport/index.ts';
import type { FaultProxy } from '../transport/index.ts';
import type { Dial } from '../world/index.ts';
import type { CheckRun } from './check-run.ts';
import type { ServedPool } from './served-pool.ts';
import { ServedTarget } from './served-target.ts';
import type { EndedTrace, Readiness, Target } from './target.ts';

const loopback = '127.0.0.1';

/** How long a scenario goes on after the target's process has ended (ms). */
const afterExit = 200;

/** See the file's head. */
export class ListeningTarget implements Target {
  readonly #run: CheckRun;
  readonly #kind: ListeningTargetKind;
  readonly #pool: ServedPool;
  /** Numbers for the names of streams. */
  readonly #next: () => number;
  readonly #started = Date.now();
  readonly #proxies = new Map<string, FaultProxy>();
  #session: TargetSession<unknown> | undefined;
  #served: ServedTarget | undefined;
  #scenario: Scenario | undefined;
  #output: readonly string[] = [];

  constructor(run: CheckRun, kind: ListeningTargetKind, pool: ServedPool, next: () => number) {
    this.#run = run;
    this.#kind = kind;
    this.#pool = pool;
    this.#next = next;
  }

  async start(scenario: Scenario): Promise<Readiness> {
    const { target, statement } = this.#run.options;
    if (scenario.last && target.kind === 'connect')
      return {
        is: 'absent',
        why: 'unsupported: the kit did not start this target, so it does not stop it',
      };
    const served = await this.#pool.take();
    if (!(served instanceof ServedTarget)) {
      this.#output = served.output;
      return { is: 'absent', why: served.why };
    }
    this.#served = served;
    this.#scenario = scenario;
    const { place } = served;
    const name = this.#run.claims.drive;
    const driver = await this.#kind.driver({ name, place, statement, next: this.#next });
    // Of its own: credentials that are shown twice must both be shown to this target.
    const { scheme, of } = await this.#kind.credentials(statement);
    this.#session = this.#run.session({
      credentials: { scheme, of: (kind) => of(kind, Date.now()) },
      dial: (peer, role) => (this.#kind.operates(role) ? driver : this.#dial(peer, place, scheme)),
      fault: (fault, peer) => this.#proxies.get(peer)?.fault(fault),
      stop: () => served.terminate(),
    });
    await this.#openProxies(scenario, this.#session, place);
    return { is: 'ready' };
  }

  async #openProxies(
    { peers }: Scenario,
    session: TargetSession<unknown>,
    { host, port, tls, ca }: TargetAddress,
  ): Promise<void> {
    for (const [peer, { role }] of Object.entries(peers)) {
      if (this.#kind.operates(role)) continue;
      const proxy = await openFaultProxy({
        host: loopback,
        port: 0,
        behind: port,
        behindHost: host,
        ...(tls === true ? { tls: ca === undefined ? {} : { ca } } : {}),
        onPing: () => session.ping(session.connOf(peer)),
      });
      this.#proxies.set(peer, proxy);
    }
  }

  /** A bearer token is for targets that demand no credentials of peers; where they do, the statement has these. */
  #dial(peer: string, place: TargetAddress, scheme: string): Dial {
    const { maxReceive } = this.#run.options;
    const dial = dialGrpc({
      address: `${loopback}:${this.#proxies.get(peer)?.port ?? 0}`,
      method: '',
      maxReceive,
      next: this.#next,
      ...(place.tls === true ? { authority: `${place.host}:${place.port}` } : {}),
    });
    if (place.token === undefined || scheme !== 'none') return dial;
    const authorization = `Bearer ${place.token}`;
    return (options, events) =>
      dial({ ...options, metadata: { authorization, ...options.metadata } }, events);
  }

  /** Plays the scenario. If the target's process ends meanwhile, the scenario ends a moment later. */
  play(scenario: Scenario): Promise<Played> {
    const [served, session] = [this.#served, this.#session];
    return new Promise((resolve, reject) => {
      if (served === undefined || session === undefined)
        return reject(new WireproofError('internal', 'a target is played with before it was started'));
      served.onExit = (exit, signal) => {
        session.processEnded(exit, signal);
        setTimeout(() => session.abort('the process of the target ended'), afterExit);
      };
      session.setPeers(scenario.peers);
      session.play(scenario, resolve);
    });
  }

  fit(): boolean {
    return false;
  }

  unheard(): undefined {}

  async finish(ms: number): Promise<EndedTrace> {
    await new Promise((resolve) => void setTimeout(resolve, ms));
    const found = this.#session?.end() ?? new Map<string, Found>();
    const { events = [] } = this.#session ?? {};
    return { events, found, started: this.#started, scenarios: [this.#scenario?.name ?? ''] };
  }

  interrupt(): void {
    this.#session?.abort('interrupted');
  }

  async stop(): Promise<void> {
    this.#session?.end();
    for (const proxy of this.#proxies.values()) proxy.close();
    const [served, scenario] = [this.#served, this.#scenario];
    if (served === undefined || scenario === undefined) return;
    this.#served = undefined;
    this.#output = served.output();
    const spent = needsOwnTarget(scenario) && this.#run.options.target.kind === 'command';
    await this.#pool.giveBack(served, !spent && served.ending() === undefined);
  }

  output(): readonly string[] {
    return this.#served?.output() ?? this.#output;
  }
}
