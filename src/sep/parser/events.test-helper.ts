/** Events in a form that tests can compare: text in one piece, and no remarks. */
import type { SepEvent } from './events.ts';

/** Puts adjacent text of a block together. */
export function coalesced(events: readonly SepEvent[]): readonly SepEvent[] {
  const whole: SepEvent[] = [];
  for (const event of events) {
    const last = whole.at(-1);
    if (last === undefined || !('text' in event) || !('text' in last) || !isSameBlock(last, event))
      whole.push(event);
    else whole[whole.length - 1] = { ...last, text: last.text + event.text };
  }
  return whole;
}

const isSameBlock = (a: SepEvent, b: SepEvent): boolean =>
  a.type === b.type && JSON.stringify({ ...a, text: '' }) === JSON.stringify({ ...b, text: '' });

/** The events without remarks and without the white space between tags. */
export const plain = (events: readonly SepEvent[]): readonly SepEvent[] =>
  coalesced(events.filter(({ type }) => type !== 'diagnostic')).filter(
    (event) => event.type !== 'text' || event.text.trim() !== '',
  );

/** The codes of the remarks. */
export const codesOf = (events: readonly SepEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'diagnostic' ? [event.code] : []));
