/**
 * The HTTP servers of the kit for a target, next to the connection on which the two meet. Their URLs reach the target by
 * placeholders and environment variables. A target that the kit does not start was told them by its user.
 */
import { addressText, WireproofError } from '../base/index.ts';
import type { SideServer, Suite, TargetPlan, TargetSession } from '../suite/index.ts';
import { listenHttp, rethrowKitFault } from '../transport/index.ts';
import type { HttpServer } from '../transport/index.ts';
import { ignoredEvents } from '../world/index.ts';
import type { Accept } from '../world/index.ts';
import { loopback } from './program.ts';
import type { Placeholders } from './program.ts';

/** The servers of a suite, for one target. */
export interface SideServersOptions {
  readonly suite: Pick<Suite, 'sideServers'>;
  /** Where they listen. */
  readonly target: TargetPlan;
  /** The largest body of a request (bytes). */
  readonly maxReceive: number;
  /** The features that the statement claims; undefined: all. */
  readonly stated?: readonly string[] | undefined;
}

export class SideServers {
  readonly #options: SideServersOptions;
  readonly #accepts = new Map<string, Accept>();
  readonly #servers: HttpServer[] = [];
  readonly #urls = new Map<SideServer, string>();
  #opening: Promise<void> | undefined;

  constructor(options: SideServersOptions) {
    this.#options = options;
  }

  /** Their URLs by variable, for the target's command. */
  get places(): Placeholders {
    return Object.fromEntries([...this.#urls].map(([{ variable }, url]) => [variable, url]));
  }

  /** The environment variables of the target that give it the URLs. */
  get environment(): Placeholders {
    const entries = [...this.#urls].flatMap(([kind, url]) => Object.entries(kind.environment(url)));
    return Object.fromEntries(entries);
  }

  /**
   * Listens, unless it does.
   *
   * @throws WireproofError 'environment' when a port is in use, 'usage' when a target that runs already cannot know a URL
   */
  open(): Promise<void> {
    return (this.#opening ??= this.#open());
  }

  async #open(): Promise<void> {
    const { suite, target, maxReceive, stated } = this.#options;
    const isAsked = ({ feature }: SideServer): boolean =>
      feature === undefined || stated === undefined || stated.includes(feature);
    for (const [i, kind] of (suite.sideServers ?? []).filter(isAsked).entries()) {
      const { peer, variable } = kind;
      const stated = target.sideServers?.[variable];
      if (stated === undefined && target.kind === 'connect')
        throw new WireproofError('usage', unstated(variable));
      const { host, port } = stated ?? { host: loopback, port: 0 };
      const accept: Accept = (link, metadata) => this.#accepts.get(peer)?.(link, metadata) ?? ignoredEvents;
      const prefix = i === 0 ? 'h' : `h${i + 1}`;
      const server = await listenHttp({ host, port, accept, maxReceive, prefix, fault: rethrowKitFault });
      this.#servers.push(server);
      this.#urls.set(kind, `http://${addressText({ host, port: server.port })}`);
    }
  }

  /**
   * Gives all later exchanges to a session, whose scenarios get the URLs.
   *
   * @param wrap - wraps the acceptor of each server
   */
  use(session: TargetSession<unknown>, wrap: (accept: Accept) => Accept = (accept) => accept): void {
    for (const [{ peer, variable }, url] of this.#urls) {
      this.#accepts.set(peer, wrap(session.acceptBeside(peer)));
      session.setVariable(variable, url);
    }
  }

  async close(): Promise<void> {
    this.#opening = undefined;
    this.#urls.clear();
    await Promise.all(this.#servers.splice(0).map((server) => server.close()));
  }
}

const unstated = (variable: string): string =>
  `the kit did not start the target, which asks a server of the kit: give --serve ${variable}=host:port, or serve beside connect in the statement`;
