/**
 * The law of patience: no scenario ends before a requirement that awaits an event has lost its patience. A target that
 * hangs in the middle of a scenario shows it: while a requirement awaits an event, the run must end with a violation.
 */
import type { Scenario, TraceEvent } from '../src/kit/base/index.ts';
import { openWait } from '../src/kit/judge/index.ts';
import type { Judge } from '../src/kit/judge/index.ts';
import { longestWait, simulate } from '../src/kit/suite/index.ts';
import type { MakePeer, Suite } from '../src/kit/suite/index.ts';
import type { Accept, Dial, Link } from '../src/kit/world/index.ts';

/** Counts the messages of a target. */
interface Sent {
  count: number;
}

/** A link whose target falls silent for ever after a number of messages on all its links. */
const hungLink = (link: Link, after: number, sent: Sent): Link => {
  const speaks = (): boolean => sent.count < after;
  return {
    conn: link.conn,
    stream: link.stream,
    headers: (metadata) => void (speaks() && link.headers(metadata)),
    send: (bytes) => (sent.count++ < after ? link.send(bytes) : true),
    halfClose: () => void (speaks() && link.halfClose()),
    close: (status, metadata) => void (speaks() && link.close(status, metadata)),
    pause: () => link.pause(),
    resume: () => link.resume(),
  };
};

/** A link that leads nowhere. */
const noLink: Link = {
  ...{ conn: '', stream: '' },
  ...{ headers() {}, halfClose() {}, close() {}, pause() {}, resume() {} },
  send: () => true,
};

/** A target that hangs after a number of messages: it neither sends, nor closes, nor dials again. */
export const hungTarget =
  (make: MakePeer, after: number, sent: Sent = { count: 0 }): MakePeer =>
  (world) => {
    const dial: Dial | undefined =
      world.dial &&
      ((request, events) =>
        sent.count > 0 && sent.count >= after
          ? noLink
          : hungLink(world.dial?.(request, events) ?? noLink, after, sent));
    const peer = make(dial === undefined ? world : { ...world, dial });
    const accept: Accept = (link, metadata) => peer.accept(hungLink(link, after, sent), metadata);
    return {
      ...(peer.framing === undefined ? {} : { framing: peer.framing }),
      accept,
      begin: () => peer.begin(),
      command: (command) => peer.command(command),
      encode: (message) => peer.encode(message),
      stop: () => peer.stop(),
    };
  };

/** The number of messages that a target sends in a scenario. */
function messagesIn<V>(suite: Suite<V>, scenario: Scenario): number {
  const sent = { count: 0 };
  const target = hungTarget(suite.reference(scenario.reference), Infinity, sent);
  simulate({ suite, scenario, target, seed: '1' });
  return sent.count;
}

/** Where a target hangs: at the start, in the middle or at the end of a scenario, as the number of messages before. */
export type HangPoint = 'start' | 'middle' | 'end';

export const hangPoints: readonly HangPoint[] = ['start', 'middle', 'end'];

const messagesBefore = (point: HangPoint, all: number): number =>
  point === 'start' ? Math.min(1, all - 1) : point === 'middle' ? all >> 1 : all - 1;

/** The requirements that await an event of the target, and that wait only once. */
function awaiting<V>({ judging }: Suite<V>, judge: Judge<V>, now: number): readonly string[] {
  const recurring = judging.rules.filter(({ recurs }) => recurs === true);
  const spares = (row: string): boolean => recurring.some(({ requirement }) => requirement === row);
  return openWait(judge, now, { longest: longestWait, spares })?.requirements ?? [];
}

/** The requirements that awaited an event of a hung target in vain, and that no violation shows; empty when one does. */
function unnoticed<V>(suite: Suite<V>, scenario: Scenario, after: number): ReadonlySet<string> {
  const rows = new Set<string>();
  const sent = { count: 0 };
  const { found } = simulate({
    suite,
    scenario,
    target: hungTarget(suite.reference(scenario.reference), after, sent),
    seed: '1',
    watch: (event, judge) => {
      if (sent.count >= after && (event.from === 'kit' || event.to === 'target'))
        for (const row of awaiting(suite, judge, event.at)) rows.add(row);
    },
  });
  const noticed = [...found.values()].some(({ violations }) => violations.length > 0);
  return noticed ? new Set() : rows;
}

/** Why a scenario gives up before the patience of a requirement is over, in a sentence; undefined when it does not. */
export function impatience<V>(suite: Suite<V>, scenario: Scenario, point: HangPoint): string | undefined {
  const messages = messagesIn(suite, scenario);
  if (messages === 0) return undefined;
  const after = messagesBefore(point, messages);
  const rows = [...unnoticed(suite, scenario, after)].join(', ');
  if (rows === '') return undefined;
  return `${scenario.name} gives up: a target that hangs after ${after} messages violates nothing, though ${rows} awaited an event`;
}

/** A hang of a target at a moment of a scenario. */
export interface Hang {
  /** Whether the moment came: the target sends nothing more after it. */
  readonly came: boolean;
  /** The requirements that name the hang. */
  readonly rows: readonly string[];
}

/** Plays a scenario with a target that hangs from the first event on that is `the` moment. */
export function hangAt<V>(suite: Suite<V>, scenario: Scenario, the: (event: TraceEvent) => boolean): Hang {
  const sent = { count: 0 };
  const { found } = simulate({
    suite,
    scenario,
    target: hungTarget(suite.reference(scenario.reference), Infinity, sent),
    seed: '1',
    watch: (event) => void (the(event) && (sent.count = Infinity)),
  });
  const rows = [...found].flatMap(([row, { violations }]) => (violations.length > 0 ? [row] : []));
  return { came: sent.count === Infinity, rows };
}
