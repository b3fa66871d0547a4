/** What a host hears on its links, as values. */
import type { Metadata, Status } from '../base/index.ts';
import type { LinkEvents } from './link.ts';

/** What a link may hear. */
export type LinkEvent =
  | { readonly type: 'headers'; readonly metadata: Metadata }
  | { readonly type: 'message'; readonly bytes: Uint8Array }
  | { readonly type: 'half_close' | 'drained' | 'ping' }
  | { readonly type: 'ended'; readonly status: Status | undefined };

/** Takes what a link heard. */
export type Hear = (
  peer: string,
  link: { readonly conn: string; readonly stream: string },
  heard: LinkEvent,
) => void;

/** A link's ears. A class, so that those of ten thousand links share their functions. */
export class LinkListener implements LinkEvents {
  readonly #hear: Hear;
  readonly #peer: string;
  readonly #link: { readonly conn: string; readonly stream: string };

  constructor(hear: Hear, peer: string, link: { readonly conn: string; readonly stream: string }) {
    this.#hear = hear;
    this.#peer = peer;
    this.#link = link;
  }

  headers(metadata: Metadata): void {
    this.#hear(this.#peer, this.#link, { type: 'headers', metadata });
  }

  message(bytes: Uint8Array): void {
    this.#hear(this.#peer, this.#link, { type: 'message', bytes });
  }

  halfClose(): void {
    this.#hear(this.#peer, this.#link, { type: 'half_close' });
  }

  ended(status: Status | undefined): void {
    this.#hear(this.#peer, this.#link, { type: 'ended', status });
  }

  drained(): void {
    this.#hear(this.#peer, this.#link, { type: 'drained' });
  }

  ping(): void {
    this.#hear(this.#peer, this.#link, { type: 'ping' });
  }
}
