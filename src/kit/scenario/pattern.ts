/** Patterns of events: whether an event matches a pattern, and the reason of a failed wait. */
import type { AwaitStep, EventPattern, TraceEvent } from '../base/index.ts';
import { matches } from './template.ts';

/** Whether an event matches a pattern. */
export function matchesPattern(
  event: TraceEvent,
  { from, to, kind = 'message', match }: EventPattern,
): boolean {
  if (event.from !== from || (to !== undefined && event.to !== to)) return false;
  if (typeof kind === 'string' ? event.kind !== kind : !kind.includes(event.kind)) return false;
  if (Array.isArray(match)) return match.some((m) => matches(event.data, m));
  return match === undefined || matches(event.data, match);
}

/** A pattern in a few words: its paths and values, without ids. */
export function patternText({ kind, match }: EventPattern): string {
  if (kind !== undefined) return typeof kind === 'string' ? kind : kind.join(' or ');
  if (match === undefined) return 'message';
  return Array.isArray(match) ? match.map(inWords).join(' or ') : inWords(match);
}

const inWords = (match: unknown): string => paths(match, '').join(' with ') || 'message';

function paths(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) {
    if (/(^|[._])id$/.test(at)) return [];
    return [value === '$any' ? at : `${at} ${JSON.stringify(value).slice(0, 60)}`];
  }
  const below = Object.entries(value).flatMap(([key, v]) => paths(v, at === '' ? key : `${at}.${key}`));
  return below.length === 0 && at !== '' ? [at] : below;
}

/** The reason of a failed wait: the missing event, and a refusal or the last bytes that could not be read. */
export function awaitFailure(
  {
    await: { from },
    pattern,
    within,
    at,
    busy,
  }: AwaitStep & { pattern: EventPattern; within: number; at: number; busy: number },
  events: readonly TraceEvent[],
): string {
  const held = busy < mentioned ? '' : `; the machine was busy for ${Math.round(busy)} ms of this time`;
  const missing = `no ${patternText(pattern)} came from ${from} within ${Math.round(within)} ms (step ${at})${held}`;
  const strange = events.findLast((event) => event.from === from && event.kind === 'undecodable');
  const refused = refusalText(from, events);
  if (refused !== undefined) return `${missing}; came ${refused}`;
  return strange === undefined ? missing : `${missing}; what came could not be read: ${strange.note ?? ''}`;
}

/** A delay of a busy machine is mentioned when it lasts longer (ms). */
const mentioned = 500;

/** The most characters of a body that are shown. */
const bodyShown = 160;

/** The last answer over HTTP, as its status and the beginning of its body. Undefined unless it is a refusal. */
export function refusalText(from: string, events: readonly TraceEvent[]): string | undefined {
  const head = events.findLastIndex((event) => event.from === from && event.kind === 'headers');
  const { data: headers = {}, stream } = events[head] ?? {};
  const status = headers[':status'];
  if (typeof status !== 'string' || Number(status) < 400) return undefined;
  const body = events
    .slice(head + 1)
    .find((event) => event.from === from && event.stream === stream && event.kind !== 'end');
  if (body === undefined) return status;
  return `${status} ${(body.note ?? JSON.stringify(body.data['data'] ?? body.data)).slice(0, bodyShown)}`;
}
