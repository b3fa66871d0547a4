/**
 * The conversations of a ClientService: what was said in each, lately, and who listens. A listener that cannot keep
 * up holds the conversation's requests back for a while, then is let go; it may come again and resume by event id.
 */
import type { Link } from '../../kit/world/index.ts';
import type { ClientStreamEvent } from '../messages.ts';
import { streamEvents } from './client-service/protobuf.ts';

/** How much is remembered. */
export interface ConversationLimits {
  /** Conversations at a time. */
  readonly conversations: number;
  /** Events of one, and their bytes, beyond what a listener has still to be sent. */
  readonly events: number;
  readonly bytes: number;
  /** The most that waits for a slow listener (bytes). */
  readonly waiting: number;
  /** A listener that takes nothing for so long (ms) is let go. */
  readonly stalled: number;
  /** Idempotency keys of one. */
  readonly keys: number;
}

/** The limits that {@link Conversations} keeps. */
export const conversationLimits: ConversationLimits = {
  conversations: 256,
  events: 1000,
  bytes: 4 << 20,
  waiting: 64 << 20,
  stalled: 10_000,
  keys: 1000,
};

/** The name of an event: the time it has in the stream. */
const idForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;

/** Whether a text can be an event's id. */
export const isEventId = (id: string): boolean => idForm.test(id);

/**
 * Makes ids of events: RFC 3339 times, milliseconds from the clock and a counter in the digits after them, so that
 * each is unique and later than the one before, also as text.
 *
 * @example
 * const next = eventIds(() => 0);
 * [next(), next()]; // ['1970-01-01T00:00:00.000000000Z', '1970-01-01T00:00:00.000000001Z']
 */
export function eventIds(now: () => number): () => string {
  let last = -1;
  let count = 0;
  return () => {
    const ms = Math.max(Math.floor(now()), last);
    count = ms === last ? count + 1 : 0;
    last = ms;
    if (count > 999_999) [last, count] = [ms + 1, 0];
    return `${new Date(last).toISOString().slice(0, -1)}${String(count).padStart(6, '0')}Z`;
  };
}

/** Someone who listens to a conversation. */
export class Listener {
  readonly link: Link;
  readonly #conversation: Conversation;
  /** The position of the event to be sent next. */
  at: number;
  #stalled: NodeJS.Timeout | undefined;

  constructor(link: Link, conversation: Conversation, at: number) {
    this.link = link;
    this.#conversation = conversation;
    this.at = at;
  }

  get full(): boolean {
    return this.#stalled !== undefined;
  }

  /** Sends what there is, as far as the link takes it. */
  pump(): void {
    for (let next = this.#conversation.eventAt(this.at); next !== undefined && !this.full;) {
      this.at++;
      if (!this.link.send(next)) this.#stalled = setTimeout(() => this.drop(), conversationLimits.stalled);
      next = this.#conversation.eventAt(this.at);
    }
  }

  drained(): void {
    this.#free();
    this.pump();
    this.#conversation.eased();
  }

  /** Closes its stream: it takes too little. */
  drop(): void {
    this.leave();
    const message = 'too slow for this conversation: come again with since_event_id';
    this.link.close({ code: 8, message });
  }

  leave(): void {
    this.#free();
    this.#conversation.left(this);
  }

  #free(): void {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
  }
}

/** What became of a message: its id, once the gateway has taken it. */
export interface Posting {
  id?: string;
  /** Who sent the same while it was on its way. */
  readonly waiting: (() => void)[];
}

/** One conversation. */
export class Conversation {
  readonly key: string;
  /** The thread its messages belong to, once the first has begun one. */
  thread: string | undefined;
  /** Messages by idempotency key. */
  readonly postings: Map<string, Posting> = new Map();
  /** Requests that run, to be told when they may go on. */
  readonly feeds: Set<() => void> = new Set();
  readonly #events: { readonly id: string; readonly bytes: Uint8Array }[] = [];
  readonly #listeners = new Set<Listener>();
  readonly #nextId: () => string;
  /** The position of the first event that is kept. */
  #base = 0;
  #bytes = 0;
  #held = false;

  constructor(key: string, nextId: () => string) {
    this.key = key;
    this.#nextId = nextId;
  }

  /** Whether nobody listens and nothing runs. */
  get idle(): boolean {
    return this.#listeners.size === 0 && this.feeds.size === 0;
  }

  eventAt(position: number): Uint8Array | undefined {
    return this.#events[position - this.#base]?.bytes;
  }

  /** Someone listens: from now on, or to what came after this event and is still known. */
  listen(link: Link, since: string | undefined): Listener {
    const known = since === undefined ? -1 : this.#events.findIndex(({ id }) => id > since);
    const listener = new Listener(link, this, this.#base + (known < 0 ? this.#events.length : known));
    this.#listeners.add(listener);
    listener.pump();
    return listener;
  }

  left(listener: Listener): void {
    this.#listeners.delete(listener);
    this.#trim();
    this.eased();
  }

  /** Adds an event and sends it. @returns false while a listener is full: hold back until told through a feed */
  publish(event: ClientStreamEvent): boolean {
    const id = this.#nextId();
    const bytes = streamEvents.answer.encode({ ...event, conversation_key: this.key, timestamp: id });
    this.#events.push({ id, bytes });
    this.#bytes += bytes.length;
    for (const listener of this.#listeners) listener.pump();
    this.#trim();
    this.#held = [...this.#listeners].some(({ full }) => full);
    return !this.#held;
  }

  /** A listener takes more: those who were held back may go on, if no other is full. */
  eased(): void {
    if (!this.#held || [...this.#listeners].some(({ full }) => full)) return;
    this.#held = false;
    for (const drained of this.feeds) drained();
  }

  /** Forgets what is too much, but nothing that a listener has still to be sent; unless that is too much itself. */
  #trim(): void {
    const { events, bytes, waiting } = conversationLimits;
    const slowest = (): Listener | undefined =>
      [...this.#listeners].reduce<Listener | undefined>(
        (a, b) => (a === undefined || b.at < a.at ? b : a),
        undefined,
      );
    let first = slowest();
    while (this.#events.length > events || this.#bytes > bytes) {
      if (first !== undefined && first.at <= this.#base) {
        if (this.#bytes <= waiting) return;
        first.drop(); // trims again, without it
        return;
      }
      this.#bytes -= this.#events.shift()?.bytes.length ?? 0;
      this.#base++;
      first = slowest();
    }
  }
}

/** The conversations there are; the one that was quiet longest makes room. */
export class Conversations {
  readonly #all = new Map<string, Conversation>();
  readonly #nextId: () => string;

  constructor(now: () => number) {
    this.#nextId = eventIds(now);
  }

  /** The conversation of this key; undefined when there are too many that are in use. */
  of(key: string): Conversation | undefined {
    const found = this.#all.get(key);
    if (found === undefined && !this.#makeRoom()) return undefined;
    const conversation = found ?? new Conversation(key, this.#nextId);
    this.#all.delete(key);
    this.#all.set(key, conversation);
    return conversation;
  }

  #makeRoom(): boolean {
    if (this.#all.size < conversationLimits.conversations) return true;
    const quiet = [...this.#all.values()].find(({ idle }) => idle);
    return quiet !== undefined && this.#all.delete(quiet.key);
  }
}
