/** The reference roles on the simulated network, and what crosses it: each message as it arrives. */
import { framed, Host, join, Network, seededRandom, VirtualClock } from '../../kit/world/index.ts';
import type { Accept, Link, WireEvent } from '../../kit/world/index.ts';
import type { Role, Violation } from '../../kit/base/index.ts';
import { toonCodec } from '../codec.ts';
import { toonMachine } from '../machine/machine.ts';
import { otherSide } from '../machine/state.ts';
import { wordsOf } from './stage.test-helper.ts';
import type { Side, ToonMessage, ScriptedCommand } from '../messages.ts';
import { toonFraming } from '../frame/stream.ts';

/** How two roles meet. */
export interface Parties {
  readonly orchestrator: Role<unknown, ToonMessage, ToonMessage, ScriptedCommand>;
  readonly subagent: Role<unknown, ToonMessage, ToonMessage, ScriptedCommand>;
  /** What is done to the bytes that a side sends: its n-th message, from 0. Default nothing. */
  readonly tamper?: (from: Side, n: number, bytes: Uint8Array) => readonly Uint8Array[];
  readonly seed?: string;
}

/** Two roles on a network. */
export class Meeting {
  readonly clock: VirtualClock = new VirtualClock();
  /** What crossed: `>` from the orchestrator, `<` from the subagent. */
  readonly crossed: string[] = [];
  readonly told: { readonly [S in Side]: string[] } = { orchestrator: [], subagent: [] };
  /** What the machine has against either. */
  readonly violations: Violation[] = [];
  readonly orchestrator: Host<unknown, ToonMessage, ToonMessage, ScriptedCommand>;
  readonly subagent: Host<unknown, ToonMessage, ToonMessage, ScriptedCommand>;
  over = false;
  #session = toonMachine.start();
  #seq = 0;

  constructor({ orchestrator, subagent, tamper = (_, __, bytes) => [bytes], seed = 'meeting' }: Parties) {
    const network = new Network(this.clock, seededRandom(seed));
    this.orchestrator = this.#host('orchestrator', orchestrator);
    this.subagent = this.#host('subagent', subagent);
    const end = (side: Side, host: Host<unknown, ToonMessage, ToonMessage, ScriptedCommand>): Accept =>
      tampered(framed(host.accept, toonFraming), (n, bytes) => tamper(side, n, bytes));
    network.listen(end('orchestrator', this.orchestrator));
    join(network.dial, {}, end('subagent', this.subagent));
  }

  #host(
    side: Side,
    role: Role<unknown, ToonMessage, ToonMessage, ScriptedCommand>,
  ): Host<unknown, ToonMessage, ToonMessage, ScriptedCommand> {
    return new Host({
      role,
      clock: this.clock,
      receives: toonCodec,
      sends: toonCodec,
      report: (what) => this.told[side].push(what),
      tap: (event) => event.incoming && this.#see(otherSide(side), event),
    });
  }

  #see(from: Side, event: WireEvent): void {
    const now = { seq: this.#seq++, at: this.clock.now() };
    const arrow = from === 'subagent' ? '<' : '>';
    if (event.kind === 'message') {
      const message = event.message as ToonMessage;
      this.crossed.push(`${arrow} ${wordsOf(message)}`);
      this.violations.push(...toonMachine.step(this.#session, { from, message, ...now }).violations);
    } else if (event.kind === 'undecodable') {
      this.crossed.push(`${arrow} bad ${event.code}`);
      toonMachine.step(this.#session, { from, undecodable: event.code, ...now });
    } else if (event.kind === 'end' || event.kind === 'reset') {
      this.crossed.push(`${arrow} end`);
      this.over = true;
    }
  }

  /** Lets the time pass until the connection is over, or this is so. @returns what crossed since it was last asked */
  run(until: () => boolean = () => this.over): string[] {
    this.clock.run(until, 100_000);
    return this.crossed.splice(0);
  }
}

/** A link on which what is sent goes through other hands. */
function tampered(accept: Accept, tamper: (n: number, bytes: Uint8Array) => readonly Uint8Array[]): Accept {
  return (link, metadata) => {
    let n = 0;
    const other: Link = {
      ...link,
      send: (bytes) => tamper(n++, bytes).reduce((_, part) => link.send(part), true),
    };
    return accept(other, metadata);
  };
}
