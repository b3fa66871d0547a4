/**
 * Joins the judgings of several protocols over one trace. Each part reads the events of its own wires, and the kit's marks.
 * Further rules read all parts.
 */
import type { TraceEvent } from '../base/index.ts';
import type { Judging } from './judge.ts';
import { anyTopic } from './rule.ts';
import type { Rule } from './rule.ts';

/** A judging, and the wires that it reads. */
export interface JudgedPart<V> {
  /** The wires, as traces name them. */
  readonly wires: readonly string[];
  readonly judging: Judging<V>;
}

/** The views of all parts, by the names of the parts. */
export type JoinedViews = { readonly [part: string]: unknown };

export type PartsOf<V extends JoinedViews> = { readonly [P in keyof V]: JudgedPart<V[P]> };

/** The topic of a part's events, in a joined judging. `part` has no colon. */
export const partTopic = (part: string, topic: string): string => `${part}:${topic}`;

/**
 * Joins judgings. A topic of a part begins with the part's name: `fold:response.text`. The one topic of an event is that
 * of the first part that reads it.
 *
 * @param parts - by name: the judging of one protocol, and its wires
 * @param rules - rules that read several parts; their topics have the names of parts
 *
 * @example
 * const asks: JudgedPart<{ n: number }> = {
 *   wires: ['llm'],
 *   judging: {
 *     rules: [],
 *     topicOf: ({ kind }) => kind,
 *     view: { start: () => ({ n: 0 }), step: (view) => void view.n++ },
 *   },
 * };
 * const joined = joinedJudging<{ llm: { n: number } }>({ llm: asks }, []);
 * joined.topicOf({ wire: 'llm', kind: 'message' } as TraceEvent); // 'llm:message'
 * joined.topicOf({ wire: 'fold', kind: 'message' } as TraceEvent); // ''
 */
export function joinedJudging<V extends JoinedViews>(
  parts: PartsOf<V>,
  rules: readonly Rule<V>[],
): Judging<V> {
  const all = Object.entries<JudgedPart<unknown>>(parts).map(([name, part]) => joinedPart(name, part));
  const readers = (event: TraceEvent): readonly JoinedPart[] => all.filter(({ reads }) => reads(event));
  return {
    rules: [...all.flatMap(({ rules: own }) => own), ...rules] as readonly Rule<V>[],
    topicOf: (event) => readers(event)[0]?.topicOf(event) ?? '',
    extraTopicsOf(event, view) {
      const [first, ...others] = readers(event);
      return joinWords([
        ...others.map(({ topicOf }) => topicOf(event)),
        ...(first === undefined ? [] : [first, ...others]).map(({ name, extraTopicsOf }) =>
          extraTopicsOf(event, view[name]),
        ),
      ]);
    },
    view: {
      start: () => Object.fromEntries(all.map(({ name, view }) => [name, view.start()])) as V,
      look(view, event) {
        for (const { name, view: part } of readers(event)) part.look?.(view[name], event);
      },
      step(view, event) {
        for (const { name, view: part } of readers(event)) part.step(view[name], event);
      },
    },
    forgot: (view) => firstOf(all, ({ name, forgot }) => forgot?.(view[name])),
    unshown: (view) => firstOf(all, ({ name, unshown }) => unshown?.(view[name])),
  };
}

/** The first reason that a part gives. */
function firstOf(
  parts: readonly JoinedPart[],
  reasonOf: (part: JoinedPart) => string | undefined,
): string | undefined {
  for (const part of parts) {
    const reason = reasonOf(part);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** One part, whose topics have its name, and whose rules read the joined view. */
interface JoinedPart {
  readonly name: string;
  readonly reads: (event: TraceEvent) => boolean;
  readonly topicOf: (event: TraceEvent) => string;
  readonly extraTopicsOf: (event: TraceEvent, view: unknown) => string;
  readonly rules: readonly Rule<JoinedViews>[];
  readonly view: Judging<unknown>['view'];
  readonly forgot: Judging<unknown>['forgot'];
  readonly unshown: Judging<unknown>['unshown'];
}

function joinedPart(name: string, { wires, judging }: JudgedPart<unknown>): JoinedPart {
  const named = (topic: string): string => partTopic(name, topic);
  const any = named(anyTopic);
  return {
    name,
    reads: ({ kind, wire }) => kind === 'mark' || wires.includes(wire),
    topicOf: (event) => named(judging.topicOf(event)),
    extraTopicsOf(event, view) {
      const extra = judging.extraTopicsOf?.(event, view) ?? '';
      return extra === '' ? any : joinWords([any, ...extra.split(' ').map(named)]);
    },
    rules: judging.rules.map((rule) => joinedRule(name, rule)),
    view: judging.view,
    forgot: judging.forgot,
    unshown: judging.unshown,
  };
}

/** The rule of a part, over the joined view. */
function joinedRule(name: string, rule: Rule<unknown>): Rule<JoinedViews> {
  const { recurs, end, pending, due, overdue } = rule;
  return {
    requirement: rule.requirement,
    listens: rule.listens.map((topic) => partTopic(name, topic)),
    ...(recurs === undefined ? {} : { recurs }),
    start: () => rule.start(),
    step: (state, event, view) => rule.step(state, event, view[name]),
    ...(end === undefined ? {} : { end: (state, view, last) => end(state, view[name], last) }),
    ...(pending === undefined ? {} : { pending: (state, view, now) => pending(state, view[name], now) }),
    ...(due === undefined ? {} : { due: (state, view) => due(state, view[name]) }),
    ...(overdue === undefined ? {} : { overdue: (state, event, view) => overdue(state, event, view[name]) }),
  };
}

const joinWords = (words: readonly string[]): string => words.filter((word) => word !== '').join(' ');
