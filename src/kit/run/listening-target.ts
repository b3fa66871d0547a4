/**
 * One scenario against a listening target. The kit dials it as several peers and as its operator. Each peer has its own
 * proxy, so that the kit can disturb one peer alone.
 */
import { addressText, WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { needsOwnTarget } from '../scenario/index.ts';
import type { ScenarioEnd } from '../scenario/index.ts';
import type { ListeningTargetKind, TargetSession } from '../suite/index.ts';
import { dialGrpc, openFaultProxy } from '../transport/index.ts';
import type { FaultProxy } from '../transport/index.ts';
import type { Dial } from '../world/index.ts';
import type { CheckRun } from './check-run.ts';
import type { ServedTarget } from './served-target.ts';
import type { Failure, Target } from './target.ts';

const loopback = '127.0.0.1';

/** How long a scenario continues after the end of the target's process (ms). */
const afterExit = 200;

/** A scenario, and the program that plays it. */
export interface ListeningTargetOptions {
  readonly run: CheckRun;
  readonly kind: ListeningTargetKind;
  readonly scenario: Scenario;
  readonly served: ServedTarget;
  /** The gRPC service that it serves to peers. */
  readonly service: () => string;
  /** Whether the program is only probed: it runs, and is not started again. */
  readonly probing?: boolean;
  /** Gives the program back. */
  readonly done: () => void;
  /** Numbers for the names of streams. */
  readonly next: () => number;
}

export class ListeningTarget implements Target {
  session: TargetSession<unknown> | undefined;
  readonly #options: ListeningTargetOptions;
  readonly #proxies = new Map<string, FaultProxy>();

  constructor(options: ListeningTargetOptions) {
    this.#options = options;
  }

  async start(): Promise<Failure | undefined> {
    const { run, kind, scenario, served, next } = this.#options;
    const { target, statement } = run.options;
    if (scenario.last && target.kind === 'connect')
      return {
        is: 'unsupported',
        why: 'the kit did not start this target, so it does not stop it',
      };
    const why = this.#options.probing === true ? served.ending() : await served.start();
    if (why !== undefined) return { is: 'absent', why: `the target could not be started again: ${why}` };
    const driver = await kind.driver({
      name: run.claims.drive,
      place: served.place,
      statement,
      service: this.#options.service(),
      next,
    });
    // Own credentials for each target: a repeated credential must reach the same target twice.
    const { scheme, of } = await kind.credentials(statement);
    const session = run.makeSession({
      credentials: { scheme, of: (name) => of(name, Date.now()) },
      dial: (peer, role) => (kind.operates(role) ? driver : this.#dial(peer, scheme)),
      fault: (fault, peer) => this.#proxies.get(peer)?.fault(fault),
      stop: () => served.terminate(),
    });
    this.session = session;
    // A probe says nothing about the target.
    if (this.#options.probing === true) session.judge.onViolation = () => {};
    await this.#openProxies(session);
    return undefined;
  }

  /** Opens a proxy for each peer that dials the target, so that its connection can be cut or slowed. */
  async #openProxies(session: TargetSession<unknown>): Promise<void> {
    const { kind, scenario, served } = this.#options;
    const { host, port, tls, ca } = served.place;
    for (const [peer, { role }] of Object.entries(scenario.peers)) {
      if (kind.operates(role)) continue;
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

  /** Adds the bearer token, unless the target demands credentials of peers: the statement has those. */
  #dial(peer: string, scheme: string): Dial {
    const { run, kind, served, service, next } = this.#options;
    const { tls, token, host, port } = served.place;
    const dial = dialGrpc({
      address: `${loopback}:${this.#proxies.get(peer)?.port ?? 0}`,
      method: '',
      maxReceive: run.options.maxReceive,
      next,
      ...(tls === true ? { authority: addressText({ host, port }) } : {}),
    });
    const bearer = token === undefined || scheme !== 'none' ? {} : { authorization: `Bearer ${token}` };
    return (options, events) => {
      const asked = options.metadata[':path'] ?? '';
      const path = kind.services?.path(asked, service()) ?? asked;
      return dial({ ...options, metadata: { ...bearer, ...options.metadata, ':path': path } }, events);
    };
  }

  /** Plays the scenario. If the target's process ends, the scenario ends shortly after. */
  play(scenario: Scenario): Promise<ScenarioEnd> {
    const { session } = this;
    const { served } = this.#options;
    return new Promise((resolve, reject) => {
      if (session === undefined) return reject(new WireproofError('internal', 'a target was not started'));
      served.onExit = (exit, signal) => {
        session.processEnded(exit, signal);
        setTimeout(() => session.abort('the process of the target ended'), afterExit);
      };
      session.setPeers(scenario.peers);
      session.play(scenario, resolve);
    });
  }

  interrupt(): void {
    this.session?.interrupt();
  }

  /** Ends the session. The program keeps running for other scenarios, unless this scenario needed its own. */
  async stop(): Promise<void> {
    const { run, scenario, served, done } = this.#options;
    this.session?.end();
    for (const proxy of this.#proxies.values()) proxy.close();
    served.onExit = undefined;
    if (needsOwnTarget(scenario) && run.options.target.kind === 'command') await served.stop();
    done();
  }

  output(): readonly string[] {
    return this.#options.served.output();
  }
}
