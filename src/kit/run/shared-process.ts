/**
 * One process of a testee that answers several requests at a time, for the scenarios of a check that run side by side.
 * Each scenario has a connection of its own. On the pipes its requests have ids that no other scenario uses.
 */
import { exactJsonOf, exactText, isObject } from '../base/index.ts';
import type { Json } from '../base/index.ts';
import type { TargetPlan } from '../suite/index.ts';
import { framed } from '../world/index.ts';
import type { Accept, Framing, Link, LinkEvents } from '../world/index.ts';
import { Access } from './access.ts';
import type { Connector } from './access.ts';
import { meet } from './meet.ts';
import type { MeetOptions } from './meet.ts';

/** How the process is started. */
export interface SharedProcessOptions {
  readonly target: TargetPlan;
  readonly framing: Framing;
  readonly maxReceive: number;
  readonly patience: number;
}

/** A scenario at the process. */
interface Member {
  readonly events: LinkEvents;
  readonly onExit: MeetOptions['onExit'];
  /** The scenario's own ids, by the ids on the pipes. */
  readonly ids: Map<string, Json>;
}

/** Ids on the pipes, as JSON: the number of a scenario and the number of its request. */
const pipeId = /"wp-(\d+)-\d+"/;

export class SharedProcess {
  readonly #options: SharedProcessOptions;
  readonly #members = new Map<number, Member>();
  #count = 0;
  #access = new Access();
  #link: Link | undefined;
  #opening: Promise<string | undefined> | undefined;

  constructor(options: SharedProcessOptions) {
    this.#options = options;
  }

  /**
   * The connector of one scenario.
   *
   * @param accept - receives the scenario's connection, with whole messages
   */
  connector(accept: Accept, { onExit, sides }: Pick<MeetOptions, 'onExit' | 'sides'>): Connector {
    const number = ++this.#count;
    return async (access) => {
      const why = await this.#open(sides);
      const used = this.#access;
      // Faults and ends concern the scenario's connection only. The process serves other scenarios.
      access.endpoint = { port: 0, fault() {}, close: () => void this.#members.delete(number) };
      access.process = {
        ending: () => used.ending(),
        output: () => used.output(),
        terminate() {},
        stop: async () => {},
      };
      if (why === undefined) this.#join(number, accept, onExit);
      return why;
    };
  }

  /** Stops the process. */
  async close(): Promise<void> {
    await this.#access.close();
  }

  #open(sides: MeetOptions['sides']): Promise<string | undefined> {
    if (this.#access.ending() !== undefined) this.#opening = undefined;
    this.#opening ??= this.#start(sides);
    return this.#opening;
  }

  #start(sides: MeetOptions['sides']): Promise<string | undefined> {
    const { framing, ...options } = this.#options;
    this.#access = new Access();
    const connector = meet({
      ...options,
      carrier: 'stdio',
      sides,
      accept: framed((link) => this.#accepted(link), framing),
      onExit: (exit, signal) => {
        for (const { onExit } of this.#members.values()) onExit(exit, signal);
        this.#members.clear();
      },
    });
    return connector(this.#access);
  }

  /** The pipes of the process. */
  #accepted(link: Link): LinkEvents {
    this.#link = link;
    const all = (tell: (events: LinkEvents) => void): void => {
      for (const { events } of this.#members.values()) tell(events);
    };
    return {
      headers: (metadata) => all((events) => events.headers(metadata)),
      message: (bytes) => this.#received(bytes),
      halfClose: () => all((events) => events.halfClose()),
      ended: (status) => all((events) => events.ended(status)),
      drained: () => all((events) => events.drained()),
      ping: () => {},
    };
  }

  #join(number: number, accept: Accept, onExit: Member['onExit']): void {
    const ids = new Map<string, Json>();
    const link: Link = {
      conn: 'c1',
      stream: 's1',
      headers: () => {},
      send: (bytes) => this.#link?.send(withPipeId(bytes, number, ids)) ?? true,
      halfClose: () => {},
      close: () => void this.#members.delete(number),
      pause: () => {},
      resume: () => {},
    };
    this.#members.set(number, { events: accept(link, { ':carrier': 'stdio' }), onExit, ids });
  }

  /** Gives an answer to its scenario. A line without a known id goes to every scenario. */
  #received(bytes: Uint8Array): void {
    // Latin-1 keeps every byte, and the ids are ASCII.
    const text = Buffer.from(bytes).toString('latin1');
    const [id = '', number = ''] = pipeId.exec(text) ?? [];
    if (id === '') for (const { events } of this.#members.values()) events.message(bytes);
    const member = this.#members.get(Number(number));
    const own = member?.ids.get(id);
    if (member === undefined || own === undefined) return;
    const ownId = Buffer.from(JSON.stringify(own)).toString('latin1');
    member.events.message(
      Buffer.from(
        text.replace(id, () => ownId),
        'latin1',
      ),
    );
  }
}

/** A request with another id. A line that is no request with an id stays as it is. */
function withPipeId(bytes: Uint8Array, number: number, ids: Map<string, Json>): Uint8Array {
  const text = Buffer.from(bytes).toString();
  const request = parsed(text);
  if (!isObject(request) || !('id' in request)) return bytes;
  const id = `wp-${number}-${ids.size}`;
  ids.set(JSON.stringify(id), request['id'] as Json);
  return Buffer.from(`${exactText({ ...request, id })}\n`);
}

function parsed(text: string): unknown {
  try {
    return exactJsonOf(text);
  } catch {
    return undefined;
  }
}
