/** The feeds as a model sees them at the begin of its prompt (SEP-68). */
import { escaped } from '../executor/escaped.ts';
import type { FeedEntry, FeedValue } from './entry.ts';

/**
 * A `context_feed` of each enabled feed with a value, in their order. A value whose last fetch failed is marked stale, and a
 * cut one truncated. Values have at most `most` characters together: one that has no room is left out, and its block says so.
 */
export function injectionOf(entries: Iterable<FeedEntry>, most: number): string {
  let room = most;
  const blocks: string[] = [];
  for (const { spec, shown, error } of entries) {
    if (!spec.enabled || shown === undefined) continue;
    // An escaped text is no shorter: a long one is not even escaped.
    const text = shown.text.length > room ? undefined : escaped(shown.text);
    const fits = text !== undefined && text.length <= room;
    if (fits) room -= text.length;
    blocks.push(blockOf(spec.id, shown, error, fits ? text : `${shown.text.length} characters, left out`));
  }
  return blocks.join('\n');
}

function blockOf(id: string, { isCut }: FeedValue, error: string | undefined, text: string): string {
  const marks = `${error === undefined ? '' : ' stale="true"'}${isCut ? ' truncated="true"' : ''}`;
  return `<context_feed id="${escaped(id)}"${marks}>\n${text}\n</context_feed>`;
}
