/** Connects two parties that both accept links: dials one, and gives the other end to the other. */
import type { Metadata } from '../base/index.ts';
import type { Accept, Dial, LinkEvents } from './link.ts';

/** Dials, and gives the near end of the stream to `near`, as if the stream had been opened by the other side. */
export function join(dial: Dial, metadata: Metadata, near: Accept): void {
  /** Events that came before `near` returned its own. */
  const early: ((events: LinkEvents) => void)[] = [];
  let events: LinkEvents | undefined;
  const deliver = (event: (events: LinkEvents) => void): void => {
    if (events === undefined) early.push(event);
    else event(events);
  };
  const link = dial(
    { metadata },
    {
      headers: (headers) => deliver((e) => e.headers(headers)),
      message: (bytes) => deliver((e) => e.message(bytes)),
      halfClose: () => deliver((e) => e.halfClose()),
      ended: (status) => deliver((e) => e.ended(status)),
      drained: () => deliver((e) => e.drained()),
      ping: () => deliver((e) => e.ping()),
    },
  );
  events = near(link, metadata);
  for (const event of early) event(events);
}
