/**
 * The conversations of a ClientService: their recent events and their listeners. A slow listener pauses the requests
 * of its conversation; after a timeout its stream is closed. It can come back and resume after an event id.
 */
import type { Link } from '../../../kit/world/index.ts';
import type { ClientStreamEvent } from '../../messages.ts';
import { streamEvents } from './methods.ts';

/** The bounds of conversations. */
export interface ConversationLimits {
  /** The most conversations. */
  readonly conversations: number;
  /** The most kept events of one conversation, and their bytes, except events that a listener still needs. */
  readonly events: number;
  readonly bytes: number;
  /** The most bytes that wait for a slow listener. */
  readonly waiting: number;
  /** The longest time that a listener may take nothing (ms). */
  readonly stalled: number;
  /** The most idempotency keys of one conversation. */
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

/** The form of an event's id, which is its timestamp. */
const idForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;

/** Whether a text has the form of an event's id. */
export const isEventId = (id: string): boolean => idForm.test(id);

/**
 * Makes ids of events: RFC 3339 times with the clock's milliseconds, followed by the digits of a counter. Each id is
 * later than the one before it, as a time and as a text.
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

/** A stream that receives the events of a conversation. */
export class Listener {
  readonly link: Link;
  readonly #conversation: Conversation;
  /** The position of the next event to send. */
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

  /** Sends the events that wait, until the link is full. */
  sendPending(): void {
    for (let next = this.#conversation.eventAt(this.at); next !== undefined && !this.full;) {
      this.at++;
      if (!this.link.send(next)) this.#stalled = setTimeout(() => this.drop(), conversationLimits.stalled);
      next = this.#conversation.eventAt(this.at);
    }
  }

  drained(): void {
    this.#clearStall();
    this.sendPending();
    this.#conversation.resumeSenders();
  }

  /** Closes the stream of a slow listener. */
  drop(): void {
    this.leave();
    const message = 'too slow for this conversation: come again with since_event_id';
    this.link.close({ code: 8, message });
  }

  leave(): void {
    this.#clearStall();
    this.#conversation.left(this);
  }

  #clearStall(): void {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
  }
}

/** A message of a conversation. */
export interface PostedMessage {
  /** Its id, once the gateway has accepted it. */
  id?: string;
  /** The repetitions that wait until the gateway accepts or refuses it. */
  readonly waiting: (() => void)[];
}

export class Conversation {
  readonly key: string;
  /** The thread of its messages, once the first message has begun one. */
  thread: string | undefined;
  /** Messages by idempotency key. */
  readonly messages: Map<string, PostedMessage> = new Map();
  /** For each running request, the callback that resumes its events. */
  readonly senders: Set<() => void> = new Set();
  readonly #events: { readonly id: string; readonly bytes: Uint8Array }[] = [];
  readonly #listeners = new Set<Listener>();
  readonly #nextId: () => string;
  /** The position of the first kept event. */
  #base = 0;
  #bytes = 0;
  #paused = false;

  constructor(key: string, nextId: () => string) {
    this.key = key;
    this.#nextId = nextId;
  }

  /** Whether it has no listener and no running request. */
  get idle(): boolean {
    return this.#listeners.size === 0 && this.senders.size === 0;
  }

  eventAt(position: number): Uint8Array | undefined {
    return this.#events[position - this.#base]?.bytes;
  }

  /** Adds a listener to later events, or to all kept events after `since`. */
  listen(link: Link, since: string | undefined): Listener {
    const known = since === undefined ? -1 : this.#events.findIndex(({ id }) => id > since);
    const listener = new Listener(link, this, this.#base + (known < 0 ? this.#events.length : known));
    this.#listeners.add(listener);
    listener.sendPending();
    return listener;
  }

  left(listener: Listener): void {
    this.#listeners.delete(listener);
    this.#trim();
    this.resumeSenders();
  }

  /** Adds an event and sends it to all listeners. @returns false while one is full, until the callback in `senders` */
  publish(event: ClientStreamEvent): boolean {
    const id = this.#nextId();
    const bytes = streamEvents.answer.encode({ ...event, conversation_key: this.key, timestamp: id });
    this.#events.push({ id, bytes });
    this.#bytes += bytes.length;
    for (const listener of this.#listeners) listener.sendPending();
    this.#trim();
    this.#paused = [...this.#listeners].some(({ full }) => full);
    return !this.#paused;
  }

  /** Resumes the paused requests, unless a listener is still full. */
  resumeSenders(): void {
    if (!this.#paused || [...this.#listeners].some(({ full }) => full)) return;
    this.#paused = false;
    for (const drained of this.senders) drained();
  }

  /** Forgets events above the bounds. Events that a listener needs are kept; a listener that needs too many is dropped. */
  #trim(): void {
    const { events, bytes, waiting } = conversationLimits;
    while (this.#events.length > events || this.#bytes > bytes) {
      const slowest = [...this.#listeners].toSorted((a, b) => a.at - b.at)[0];
      if (slowest !== undefined && slowest.at <= this.#base) {
        if (this.#bytes > waiting) slowest.drop(); // trims again, without this listener
        return;
      }
      this.#bytes -= this.#events.shift()?.bytes.length ?? 0;
      this.#base++;
    }
  }
}

/** All conversations. Above the limit, the idle one that was unused for longest is forgotten. */
export class Conversations {
  readonly #all = new Map<string, Conversation>();
  readonly #nextId: () => string;

  constructor(now: () => number) {
    this.#nextId = eventIds(now);
  }

  /** The conversation of a key; undefined when too many are in use. */
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
    const idle = [...this.#all.values()].find((one) => one.idle);
    return idle !== undefined && this.#all.delete(idle.key);
  }
}
