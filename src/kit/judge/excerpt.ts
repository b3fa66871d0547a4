/** The wire events around a violation, as lines for a person. */
import type { TraceEvent } from '../base/index.ts';

/** Events shown before and after the event at fault. */
const around = { before: 4, after: 2 } as const;
const widest = 150;

function shown(event: TraceEvent): string {
  const [name] = Object.keys(event.data);
  if (event.kind !== 'message' || name === undefined) {
    const data = Object.keys(event.data).length === 0 ? '' : ` ${JSON.stringify(event.data)}`;
    return `${event.kind}${data}${event.note === undefined ? '' : ` (${event.note})`}`;
  }
  return `${JSON.stringify(event.data)}${event.note === undefined ? '' : ` (${event.note})`}`;
}

function line(event: TraceEvent, marked: boolean): string {
  const who = event.from === 'kit' ? 'kit' : `${event.from} → ${event.to}`;
  const text = shown(event);
  const cut = text.length > widest ? `${text.slice(0, widest)}…` : text;
  return `${marked ? '>' : ' '} #${event.seq} +${(event.at / 1000).toFixed(3)}s ${event.stream} ${who}: ${cut}`;
}

/**
 * Lines for the event at `seq`, the events that belong to it, and their neighbours on the same stream. A line with a
 * fault begins with `>`.
 */
export function excerpt(events: readonly TraceEvent[], seq: number, also: readonly number[]): string[] {
  const at = events[seq];
  if (at === undefined) return [];
  const stream = at.stream !== '' ? at.stream : (events[also[0] ?? -1]?.stream ?? '');
  const related = events.filter((e) => e.stream === stream || e.kind === 'process');
  const place = related.findIndex((e) => e.seq >= seq);
  const near =
    place < 0
      ? related.slice(-around.before)
      : related.slice(Math.max(0, place - around.before), place + 1 + around.after);
  const wanted = new Set([...near.map((e) => e.seq), ...also, seq]);
  const marked = new Set([seq, ...also]);
  const lines: string[] = [];
  let before = -1;
  for (const e of [...wanted].toSorted((a, b) => a - b)) {
    const event = events[e];
    if (event === undefined) continue;
    if (before >= 0 && related.some((r) => r.seq > before && r.seq < e)) lines.push('  …');
    lines.push(line(event, marked.has(e)));
    before = e;
  }
  return lines;
}
