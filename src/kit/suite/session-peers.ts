/** The simulated peers of a session: made for each scenario, found by name, and accepting the target's streams. */
import { WireproofError } from '../base/index.ts';
import type { Metadata, Scenario } from '../base/index.ts';
import { ignoredEvents } from '../world/index.ts';
import type { Accept, Link, LinkEvents } from '../world/index.ts';
import type { Peer } from './peer.ts';

/** A stream that a peer opened. */
export interface OpenedStream {
  readonly conn: string;
  readonly stream: string;
}

type PeerParts = Scenario['peers'];

export class SessionPeers {
  readonly #make: (name: string, part: PeerParts[string]) => Peer;
  /** The names of the peers behind the kit's HTTP servers. */
  readonly #sides: ReadonlySet<string>;
  readonly #opened = new Map<string, OpenedStream[]>();
  #peers = new Map<string, Peer>();
  #accepting: Peer | undefined;

  constructor(make: (name: string, part: PeerParts[string]) => Peer, sides: ReadonlySet<string>) {
    this.#make = make;
    this.#sides = sides;
  }

  /** The names of the peers. */
  get names(): readonly string[] {
    return [...this.#peers.keys()];
  }

  /** The name of the first peer; `kit` without peers. */
  get first(): string {
    return this.names[0] ?? 'kit';
  }

  /** Makes the peers of a scenario. The streams of earlier peers end. */
  set(parts: PeerParts): void {
    this.stop();
    this.#peers = new Map();
    for (const [name, part] of Object.entries(parts)) this.#begin(name, part);
  }

  /** Replaces the peers behind the kit's HTTP servers by those of a scenario. Their exchanges end. */
  setSides(parts: PeerParts): void {
    for (const side of this.#sides) {
      this.#peers.get(side)?.stop();
      this.#peers.delete(side);
      const part = parts[side];
      if (part !== undefined) this.#begin(side, part);
    }
  }

  #begin(name: string, part: PeerParts[string]): void {
    const peer = this.#make(name, part);
    this.#peers.set(name, peer);
    if (!this.#sides.has(name)) this.#accepting = peer;
    peer.begin();
  }

  /** Accepts a stream that the target opened. */
  readonly accept: Accept = (link, metadata) => {
    if (this.#accepting === undefined)
      throw new WireproofError('internal', 'a stream was opened before the peers were set up');
    return this.#accepting.accept(link, metadata);
  };

  /** Accepts an exchange with the kit's HTTP server of a peer. Scenarios without this peer ignore it. */
  acceptBeside(name: string, link: Link, metadata: Metadata): LinkEvents {
    return this.#peers.get(name)?.accept(link, metadata) ?? ignoredEvents;
  }

  /** The peer with a name. @throws WireproofError 'usage' when the scenario has none */
  get(name: string): Peer {
    const peer = this.#peers.get(name);
    if (peer === undefined)
      throw new WireproofError('usage', `no peer ${name}; the scenario has ${this.names.join(', ')}`);
    return peer;
  }

  noteOpened(peer: string, { conn, stream }: OpenedStream): void {
    const opened = this.#opened.get(peer);
    if (opened === undefined) this.#opened.set(peer, [{ conn, stream }]);
    else opened.push({ conn, stream });
  }

  openedBy(peer: string): readonly OpenedStream[] {
    return this.#opened.get(peer) ?? [];
  }

  /** The peer that opened a connection; undefined for a connection of the target. */
  peerOn(conn: string): string | undefined {
    for (const [peer, opened] of this.#opened) if (opened.some((one) => one.conn === conn)) return peer;
    return undefined;
  }

  /** Stops all peers. */
  stop(): void {
    for (const peer of this.#peers.values()) peer.stop();
  }
}
