/**
 * One scenario against a target that listens: a front for each simulated peer, so that each can be disturbed by
 * itself, one trace and one judge.
 */
import type { Metadata, Scenario } from '../base/index.ts';
import { dialGrpc, openFront } from '../transport/index.ts';
import type { Front } from '../transport/index.ts';
import { realClock } from '../world/index.ts';
import type { Dial, Random } from '../world/index.ts';
import type { CheckOptions } from './check-options.ts';
import type { Found } from '../judge/index.ts';
import { Lane } from '../suite/index.ts';
import type { Played } from '../scenario/index.ts';
import type { ServedTarget } from './served-target.ts';
import type { Listening } from '../suite/index.ts';

/** What it needs beyond the check's options. */
export interface ListeningTargetOptions {
  readonly check: CheckOptions;
  readonly listening: Listening;
  readonly served: ServedTarget;
  readonly random: Random;
  readonly drive: string;
  /** The operator's way to the target. */
  readonly driver: Dial;
  readonly credentials: { readonly scheme: string; readonly of: (kind: string) => Metadata };
  /** Numbers for the names of streams. */
  readonly next: () => number;
  readonly only: ReadonlySet<string>;
}

/** See the file's head. */
export class ListeningTarget {
  readonly lane: Lane<unknown>;
  readonly started: number = Date.now();
  readonly #options: ListeningTargetOptions;
  readonly #fronts = new Map<string, Front>();

  constructor(options: ListeningTargetOptions) {
    this.#options = options;
    const { check, served, random, drive, credentials, only, listening, driver } = options;
    this.lane = new Lane({
      ...check,
      clock: realClock(),
      random,
      drive,
      credentials,
      only,
      dial: (peer, role) => (listening.operates(role) ? driver : this.#dial(peer)),
      fault: (fault, peer) => this.#fronts.get(peer)?.fault(fault),
      stop: () => served.terminate(),
    });
  }

  #dial(peer: string): Dial {
    const { check, next } = this.#options;
    const port = this.#fronts.get(peer)?.port ?? 0;
    return dialGrpc({ address: `127.0.0.1:${port}`, method: '', maxReceive: check.maxReceive, next });
  }

  /** Plays the scenario; if the target's process ends meanwhile, the scenario gets a moment more and is over. */
  async play(scenario: Scenario): Promise<Played> {
    const { served, listening } = this.#options;
    const { host, port } = served.place;
    for (const [peer, { role }] of Object.entries(scenario.peers)) {
      if (listening.operates(role)) continue;
      const front = await openFront({
        host: '127.0.0.1',
        port: 0,
        behind: port,
        behindHost: host,
        onPing: () => this.lane.ping(this.lane.connOf(peer)),
      });
      this.#fronts.set(peer, front);
    }
    return new Promise((resolve) => {
      served.onExit = (exit, signal) => {
        this.lane.processEnded(exit, signal);
        setTimeout(() => this.lane.abort('the process of the target ended'), 200);
      };
      this.lane.setPeers(scenario.peers);
      this.lane.play(scenario, resolve);
    });
  }

  /** Watches for late events (`ms`), ends the trace, then the peers. */
  async close(ms: number): Promise<ReadonlyMap<string, Found>> {
    await new Promise((resolve) => void setTimeout(resolve, ms));
    const found = this.lane.end();
    this.#options.served.onExit = undefined;
    for (const front of this.#fronts.values()) front.close();
    return found;
  }
}
