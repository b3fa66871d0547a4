/** Loops: their content is kept until the closing tag, and counts once for each item of the list. */
import { isArray } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { fillParameters } from '../fill.ts';
import { remark, show } from '../state.ts';
import type { Entry } from '../entry.ts';
import type { ExecutorStep } from '../state.ts';
import { namesIn, withTexts } from '../../values/variables.ts';
import type { SepEvent } from '../../parser/events.ts';
import { listOf, valueOf } from './condition.ts';
import type { Operand } from './condition-form.ts';
import type { LoopActions, LoopFrame, RecordFrame, RoundCost } from './frames.ts';
import { textIn } from './round.ts';
import type { Round } from './round.ts';
import { forget } from './rounds.ts';
import { append, sizeOf } from './waiting.ts';
import { producersOf, worldOf } from './waits.ts';

/** Begins to keep the content of a loop. */
export function beginLoop(
  { state }: ExecutorStep,
  { attributes }: Extract<SepEvent, { type: 'block' }>,
  { round, hasWaited }: { readonly round: Round | undefined; readonly hasWaited: boolean },
): void {
  state.blocks.frames.push({ kind: 'record', attributes, body: [], depth: 0, round, isWaiting: hasWaited });
}

/** Keeps a part of a loop; its closing tag ends it. */
export function keep(step: ExecutorStep, record: RecordFrame, event: SepEvent): void {
  const { frames, waiting } = step.state.blocks;
  if (event.type === 'block') record.depth++;
  if (event.type === 'block_end' && --record.depth < 0) {
    frames.pop();
    if (record.isWaiting) waiting.release(1, 0);
    const loop = loopOf(step, record);
    if (event.complete) frames.push(loop);
    else forget(step, loop);
    return;
  }
  if (!append(record.body, event) && record.isWaiting) waiting.release(1, 0);
}

/** A loop that was read. */
function loopOf(step: ExecutorStep, { attributes, body, round, isWaiting }: RecordFrame): LoopFrame<Entry> {
  const { in: list = '' } = attributes;
  const found = listOf(list);
  if ('fault' in found) remark(step, 'no-list', `${found.fault}, in the loop over ${list}; it has no round`);
  const { actions, names } = namesOf(body);
  return {
    kind: 'loop',
    attributes,
    body,
    cost: costOf(body),
    pending: 'fault' in found ? undefined : found.read,
    waits: 'fault' in found ? [] : producersOf(step, namesInList(found.read, found.names), round),
    items: [],
    at: undefined,
    round: undefined,
    outer: round,
    actions,
    names,
    isWaiting,
  };
}

/** The names in a list: a text in it may be a reference, too. */
const namesInList = (list: Operand, names: ReadonlySet<string>): Iterable<string> =>
  'value' in list ? namesIn(list.value) : names;

/** The ids and output keys in the content of a loop. */
function namesOf(body: readonly SepEvent[]): {
  readonly actions: ReadonlyMap<string, LoopActions<Entry>>;
  readonly names: ReadonlySet<string>;
} {
  const actions = new Map<string, LoopActions<Entry>>();
  const names = new Set<string>();
  for (const event of body) {
    if (event.type === 'block' && event.name === 'parallel') add(event.attributes['id'] ?? '', {});
    if (event.type === 'action') add(event.action.id, event.action);
  }
  return { actions, names };

  function add(
    id: string,
    { output_key, generated = false }: { readonly output_key?: string; readonly generated?: boolean },
  ): void {
    if (id === '') return;
    names.add(id);
    if (output_key !== undefined) names.add(output_key);
    const known = actions.get(id);
    if (known?.output_key === undefined)
      actions.set(id, { output_key, generated, entries: known?.entries ?? [] });
  }
}

/** What a round costs. The actions of a loop inside count in its own rounds. */
function costOf(body: readonly SepEvent[]): RoundCost {
  let [characters, actions, inside] = [0, 0, 0];
  for (const event of body) {
    characters += sizeOf(event);
    if (event.type === 'action' && inside === 0) actions++;
    if (event.type === 'block' && (inside > 0 || event.name === 'foreach')) inside++;
    else if (event.type === 'block_end' && inside > 0) inside--;
  }
  return { parts: body.length + 1, characters, actions };
}

/** Looks at the list of a loop. */
export function lookAtList(step: ExecutorStep, loop: LoopFrame<Entry>): void {
  const { mostRounds } = step.state.blocks.limits;
  const { in: list = '' } = loop.attributes;
  const found = itemsOf(step, loop, list);
  loop.pending = undefined;
  if (typeof found === 'string')
    remark(step, 'no-list', `${found}, in the loop over ${list}; it has no round`);
  else if (found.length > mostRounds)
    remark(step, 'too-many-rounds', `expected at most ${mostRounds} items of ${list}; came ${found.length}`);
  loop.items = typeof found === 'string' ? [] : found.slice(0, mostRounds);
  show(step, { type: 'loop', list, rounds: loop.items.length });
}

/** The items of a list, or the reason why it is none. */
function itemsOf(
  step: ExecutorStep,
  { pending, outer }: LoopFrame<Entry>,
  list: string,
): readonly Json[] | string {
  if (pending === undefined) return [];
  if ('reference' in pending) {
    const value = valueOf(pending, worldOf(step, outer, `the list ${list}`));
    return isArray(value) ? value : 'expected a list';
  }
  const written = withTexts(pending.value, (text) => textIn(outer, text));
  const filled = fillParameters(step, { list: written }, outer);
  if ('refused' in filled) return filled.refused;
  const { list: items } = filled.parameters;
  return isArray(items) ? items : 'expected a list';
}
