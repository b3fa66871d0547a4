/** One scenario against a listening target. The kit dials it as several peers and as its operator. */
import { addressText, WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { needsOwnTarget } from '../scenario/index.ts';
import type { ScenarioEnd } from '../scenario/index.ts';
import { sidePeersOf } from '../suite/index.ts';
import type { ListeningTargetKind, TargetAddress, TargetSession } from '../suite/index.ts';
import { dialGrpc, openFaultProxy } from '../transport/index.ts';
import type { FaultProxy } from '../transport/index.ts';
import type { Dial } from '../world/index.ts';
import { listen } from './access.ts';
import type { Endpoint } from './access.ts';
import type { CheckRun } from './check-run.ts';
import type { ListeningProgram } from './listening-program.ts';
import { loopback } from './program.ts';
import { Target } from './target.ts';
import type { Failure } from './target.ts';

/** A scenario, and the program that plays it. */
export interface ListeningTargetOptions {
  readonly run: CheckRun;
  readonly kind: ListeningTargetKind;
  readonly scenario: Scenario;
  readonly program: ListeningProgram;
  /** The gRPC service that it serves to peers. */
  readonly service: () => string;
  /** Whether the program is only probed: it runs, and is not started again. */
  readonly probing?: boolean;
  /** Gives the program back. */
  readonly done: () => void;
  /** Numbers for the names of streams. */
  readonly next: () => number;
}

export class ListeningTarget extends Target {
  session: TargetSession<unknown> | undefined;
  readonly #options: ListeningTargetOptions;
  /** By peer, so that the kit disturbs one peer alone. */
  readonly #proxies = new Map<string, FaultProxy>();
  readonly #endpoint: Endpoint = {
    port: 0,
    fault: (fault, peer = '') => this.#proxies.get(peer)?.fault(fault),
    close: () => {
      for (const proxy of this.#proxies.values()) proxy.close();
    },
  };

  constructor(options: ListeningTargetOptions) {
    super();
    this.#options = options;
  }

  async start(): Promise<Failure | undefined> {
    const { run, scenario, program, probing = false } = this.#options;
    const started = run.options.target.kind === 'command';
    if (scenario.last && !started)
      return { is: 'unsupported', why: 'the kit did not start this target, so it does not stop it' };
    const connector = listen({
      program,
      starts: !probing,
      stops: started && needsOwnTarget(scenario),
      dial: (place) => this.#dial(place),
    });
    const why = await connector(this.access);
    return why === undefined
      ? undefined
      : { is: 'absent', why: `the target could not be started again: ${why}` };
  }

  /** Makes the session, whose peers dial the target. */
  async #dial(place: TargetAddress): Promise<Endpoint> {
    const { run, kind, scenario, program, service, next, probing = false } = this.#options;
    const { statement, suite } = run.options;
    const { drive } = run.claims;
    const driver = await kind.driver({ name: drive, place, statement, service: service(), next });
    // Own credentials for each target: a repeated credential must reach the same target twice.
    const { scheme, of } = await kind.credentials(statement);
    const session = run.makeSession({
      credentials: { scheme, of: (name) => of(name, Date.now()) },
      dial: (peer, role) => (kind.operates(role) ? driver : this.#dialOf(peer, scheme)),
      fault: (fault, peer) => this.#endpoint.fault(fault, peer),
      stop: () => program.terminate(),
    });
    this.session = session;
    // A probe says nothing about the target.
    if (probing) session.judge.onViolation = () => {};
    program.sides?.use(session);
    program.onExit = (exit, signal) => this.exited(exit, signal);
    const sides = sidePeersOf(suite);
    for (const [peer, { role }] of Object.entries(scenario.peers))
      if (!kind.operates(role) && !sides.has(peer)) await this.#openProxy(peer, place, session);
    return this.#endpoint;
  }

  async #openProxy(
    peer: string,
    { host, port, tls, ca }: TargetAddress,
    session: TargetSession<unknown>,
  ): Promise<void> {
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

  /** Adds the bearer token, unless the target demands credentials of peers: the statement has those. */
  #dialOf(peer: string, scheme: string): Dial {
    const { run, kind, program, service, next } = this.#options;
    const { tls, token, host, port } = program.place;
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

  play(scenario: Scenario): Promise<ScenarioEnd> {
    const { session } = this;
    return new Promise((resolve, reject) => {
      if (session === undefined) return reject(new WireproofError('internal', 'a target was not started'));
      session.setPeers(scenario.peers);
      session.play(scenario, resolve);
    });
  }

  /** Ends the session. The program keeps running for other scenarios, unless this scenario needed its own. */
  override async stop(): Promise<void> {
    const { program, done } = this.#options;
    this.session?.end();
    // Its connections end before its process, so that it can stop at once.
    this.#endpoint.close();
    program.onExit = undefined;
    await super.stop();
    done();
  }
}
