/** The steps that a directive orders in a turn. */
import { saysUnsupported } from '../../../../src/kit/base/index.ts';
import type { Step, Tool } from '../../../../src/koda/index.ts';
import type { Call, Turn } from '../../shared/turn.ts';
import { mayBeStopped } from './pauses.ts';

type StepName = Step extends infer S ? (S extends S ? keyof S : never) : never;

/** The steps of a name that the directive of a turn orders; empty for another prompt. */
export const orders = <N extends StepName>(
  { prompt }: Turn,
  name: N,
): readonly Extract<Step, { readonly [K in N]: unknown }>[] =>
  (prompt?.steps ?? []).filter((step): step is Extract<Step, { readonly [K in N]: unknown }> => name in step);

/** Whether the directive of a turn orders a failure of the inference. */
export const reachesFailure = (turn: Turn): boolean =>
  orders(turn, 'error').some(({ error }) => error.fatal === true);

/** Whether a turn ended because the engine does not know a step. */
export const isUnsupported = (reason: { readonly kind: string; readonly message?: string }): boolean =>
  saysUnsupported(reason.message ?? '');

/**
 * Whether a turn can only end as complete after its interrupt: its directive orders a wait that nothing else ends. A call
 * that is rejected or blocked does not wait, the guard against repeated calls may end a turn with a warn, and a stop at the
 * cap ends it before it waits.
 */
export const waitsForInterrupt = (turn: Turn): boolean =>
  turn.warned === undefined &&
  !mayBeStopped(turn) &&
  (orders(turn, 'cancel_point').length > 0 ||
    orders(turn, 'tool').some(
      ({ tool }) => tool.hold === true && tool.approval === undefined && tool.blocked === undefined,
    ));

/** Whether the last response that a directive orders has calls: one more follows it (spec/koda/README.md, The directive grammar). */
export function endsWithCalls({ prompt }: Turn): boolean {
  const last = prompt?.steps?.findLast(
    (step) => 'think' in step || 'say' in step || 'tool' in step || 'parallel' in step,
  );
  return last !== undefined && ('tool' in last || 'parallel' in last);
}

/** The tools that a directive orders, in order; empty for another prompt. */
export const orderedTools = ({ prompt }: Turn): readonly Tool[] =>
  (prompt?.steps ?? []).flatMap((step) => {
    if ('tool' in step) return [step.tool];
    return 'parallel' in step ? step.parallel : [];
  });

/** Whether a directive orders tools of a name, and something of each of them. Nothing else of a tool tells which one a call is. */
export function ordersOfAll(turn: Turn, name: string, member: 'approval' | 'blocked'): boolean {
  const tools = orderedTools(turn).filter((tool) => tool.name === name);
  return tools.length > 0 && tools.every((tool) => tool[member] !== undefined);
}

/**
 * The tool of a directive that a call is, by its place among the calls of the turn; undefined where the calls so far have
 * other names than the tools.
 */
export function toolOf(turn: Turn, call: Call): Tool | undefined {
  const tools = orderedTools(turn);
  const calls = [...turn.calls.values()].filter(({ name }) => name !== '');
  const place = calls.indexOf(call);
  return place >= 0 && calls.every(({ name }, i) => name === tools[i]?.name) ? tools[place] : undefined;
}
