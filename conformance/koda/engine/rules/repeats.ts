/** KODA-51: the third identical call that changes something. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import { isClear } from '../../shared/rules/session-rule.ts';
import type { Turn } from '../../shared/turn.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { canonical } from './canonical.ts';
import { isUnsupported, orderedTools, reachesFailure } from './orders.ts';
import { mayBeStopped } from './pauses.ts';

/** The tools of the published engine that change files. */
const mutating: ReadonlySet<string> = new Set(['Edit', 'Write', 'Delete']);
/** The tool of the published engine that changes files, or not: its repeated calls may be run. */
const perhapsMutating = 'Bash';
/** The calls within which identical ones are counted. */
const window = 20;

/** A call, by its name and arguments: `key` is '' for a call that changes nothing. */
interface KnownCall {
  readonly id: string;
  readonly key: string;
}

interface Repeats {
  /** The turn of the calls (seq); undefined before the first one. */
  turn: number | undefined;
  /** The latest calls of the turn. */
  calls: KnownCall[];
  /** The keys of the latest calls of earlier turns. An engine may count them, too. */
  earlier: readonly string[];
  /** The third identical call, and whether it certainly changes something. */
  third: { readonly seq: number; readonly id: string; readonly certain: boolean } | undefined;
}

const endsRepeats = rule({
  requirement: 'KODA-51',
  listens: ['event.tool_call_start', 'event.text_delta', 'event.turn_end'],
  start: (): Repeats => ({ turn: undefined, calls: [], earlier: [], third: undefined }),
  step(state, event, { session }: KodaView): Findings {
    const turn = session?.turn;
    if (session === undefined || turn === undefined || !isClear(session)) return undefined;
    if (state.turn !== turn.seq) beginTurn(state, turn);
    if (state.third !== undefined && isUndone(turn, state.third)) state.third = undefined;
    const { third } = state;
    const message = engineEvent(event);
    if (turn.interrupted !== undefined) return undefined;
    if (message.type === 'turn_end') return judgeEnd(state, turn, message.reason, event.seq);
    if (third?.certain === true)
      return violated(event, `expected the turn to end after three identical calls; ${message.type} came`, [
        third.seq,
      ]);
    if (message.type === 'tool_call_start') takeCall(state, turn, message, event.seq);
    return undefined;
  },
});

function beginTurn(state: Repeats, { seq }: Turn): void {
  state.earlier = [...state.earlier, ...state.calls.map(({ key }) => key)].slice(-window);
  Object.assign(state, { turn: seq, calls: [], third: undefined });
}

function takeCall(state: Repeats, turn: Turn, { id, name, args }: EventOf, seq: number): void {
  const key = keyOf({ name, args });
  state.calls.push({ id, key });
  if (state.calls.length > window) state.calls.shift();
  if (key !== '' && timesCame(state.calls, turn, key) === 3)
    state.third = { seq, id, certain: mutating.has(name) };
}

/** A call that was rejected or blocked has changed nothing; where that is unknown, it is not counted. */
const isUndone = ({ calls }: Turn, { id }: { readonly id: string }): boolean => {
  const call = calls.get(id);
  return call?.stopped !== undefined || call?.unclear === true;
};

/** How often a call came, among the latest ones. */
const timesCame = (calls: readonly KnownCall[], turn: Turn, key: string): number =>
  calls.filter((one) => one.key === key && !isUndone(turn, one)).length;

type EventOf = Extract<EngineEvent, { readonly type: 'tool_call_start' }>;

type Reason = Extract<EngineEvent, { readonly type: 'turn_end' }>['reason'];

/** Whether a turn may have ended for another reason than its repeated calls: a warn may be about anything. */
const hasOtherReason = (turn: Turn, reason: Reason): boolean =>
  mayBeStopped(turn) || (reason.kind === 'error' && (reachesFailure(turn) || isUnsupported(reason)));

/** An engine may end the turn before it starts the third call. */
function judgeEnd(state: Repeats, turn: Turn, reason: Reason, seq: number): Findings {
  const { third, calls } = state;
  const beforeThird = turn.warned !== undefined && ordersThird(turn, calls);
  if (third === undefined && !beforeThird)
    return reason.kind === 'complete' ? judgeEarlyEnd(state, turn, seq) : undefined;
  if (third === undefined && hasOtherReason(turn, reason)) return undefined;
  // A call that perhaps changes nothing was run: the guard did not count it.
  if (third?.certain === false && turn.calls.get(third.id)?.state === 'done') return undefined;
  const also = [third?.seq ?? turn.seq];
  if (reason.kind !== 'complete')
    return violated(
      { seq },
      `expected the turn to end as complete after three identical calls; came ${reason.kind}`,
      also,
    );
  return turn.warned === undefined
    ? violated({ seq }, 'expected a warn about three identical calls; none came', also)
    : exercised({ seq });
}

/** The guard has warned, and ended the turn before the tools of its directive, though no call came three times. */
function judgeEarlyEnd({ calls, earlier }: Repeats, turn: Turn, seq: number): Findings {
  const { warned, names } = turn;
  const next = orderedTools(turn)[names.length];
  if (warned === undefined || next === undefined || mayBeStopped(turn)) return undefined;
  // A warn after calls of different tools, or of one that changes nothing, is not that of the guard.
  const isRepeated = calls.at(-1)?.key !== '' && names.filter((name) => name === names.at(-1)).length > 1;
  // An engine may count calls that were rejected or blocked.
  const counted = [...earlier, ...calls.map(({ key }) => key)];
  const nextKey = keyOf({ name: next.name, args: next.args ?? {} });
  const came = (key: string): number => counted.slice(-window).filter((one) => one === key).length;
  const isGuarded =
    calls.some(({ key }) => key !== '' && came(key) > 2) || (nextKey !== '' && came(nextKey) > 1);
  if (!isRepeated || isGuarded) return undefined;
  return violated(
    { seq },
    'expected the turn to go on, because no call came three times with the same arguments; it ended after a warn',
    [warned.seq],
  );
}

/** Whether the directive orders a call that came twice a third time. */
function ordersThird(turn: Turn, calls: readonly KnownCall[]): boolean {
  const ordered = orderedTools(turn).map(({ name, args }) => keyOf({ name, args: args ?? {} }));
  return ordered.some(
    (key) =>
      key !== '' && timesCame(calls, turn, key) === 2 && ordered.filter((one) => one === key).length > 2,
  );
}

const keyOf = ({ name, args }: { readonly name: string; readonly args: unknown }): string =>
  mutating.has(name) || name === perhapsMutating ? `${name} ${canonical(args)}` : '';

export const repeatRules: readonly Rule<KodaView>[] = [endsRepeats];
