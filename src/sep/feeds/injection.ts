/** The feeds as a model sees them at the beginning of its prompt (SEP-68). */
import { escaped } from '../values/escaped.ts';
import { isStale } from './entry.ts';
import type { FeedEntry } from './entry.ts';

/**
 * A `context_feed` of each enabled feed with a value, in their order. A value that is stale, and one that is cut, is marked as
 * such. Values have at most `most` characters together: one that has no room is left out, and its block says so.
 */
export function injectionOf(entries: Iterable<FeedEntry>, most: number): string {
  let room = most;
  const blocks: string[] = [];
  for (const entry of entries) {
    const { spec, shown } = entry;
    if (!spec.enabled || shown === undefined) continue;
    // An escaped text is no shorter: a long one is not even escaped.
    const text = shown.text.length > room ? undefined : escaped(shown.text);
    const fits = text !== undefined && text.length <= room;
    if (fits) room -= text.length;
    blocks.push(blockOf(entry, fits ? text : `${shown.text.length} characters, left out`));
  }
  return blocks.join('\n');
}

function blockOf(entry: FeedEntry, text: string): string {
  const isCut = entry.shown?.isCut === true;
  const marks = `${isStale(entry) ? ' stale="true"' : ''}${isCut ? ' truncated="true"' : ''}`;
  return `<context_feed id="${escaped(entry.spec.id)}"${marks}>\n${text}\n</context_feed>`;
}
