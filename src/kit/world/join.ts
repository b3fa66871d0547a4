/** Joins two parties that both wait for links: a connection is dialled, and each is given its end. */
import type { Metadata } from '../base/index.ts';
import type { Accept, Dial, LinkEvents } from './link.ts';

/** Dials, and gives `near` the near end as if it had been dialled itself. */
export function join(dial: Dial, metadata: Metadata, near: Accept): void {
  const waiting: ((events: LinkEvents) => void)[] = [];
  let events: LinkEvents | undefined;
  const tell = (what: (events: LinkEvents) => void): void => {
    if (events === undefined) waiting.push(what);
    else what(events);
  };
  const link = dial(
    { metadata },
    {
      headers: (headers) => tell((e) => e.headers(headers)),
      message: (bytes) => tell((e) => e.message(bytes)),
      halfClose: () => tell((e) => e.halfClose()),
      ended: (status) => tell((e) => e.ended(status)),
      drained: () => tell((e) => e.drained()),
      ping: () => tell((e) => e.ping()),
    },
  );
  events = near(link, metadata);
  for (const what of waiting) what(events);
}
