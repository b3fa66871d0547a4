/** Takes the events of an output that count: in a round of a loop, in a group, or outside of both. */
import { declare } from '../actions.ts';
import type { DeclareOptions } from '../actions.ts';
import { hold } from '../responses.ts';
import { remark, show } from '../state.ts';
import type { Entry } from '../entry.ts';
import type { ExecutorStep } from '../state.ts';
import type { SepAction, SepEvent } from '../../parser/events.ts';
import { actionIn, textIn } from './round.ts';
import type { Round } from './round.ts';

/** Takes an event that counts. After a final response, nothing does. */
export function takeEvent(step: ExecutorStep, event: SepEvent, round?: Round): void {
  const { state } = step;
  if (state.blocks.isFinal) return tellAfter(step, event);
  if (event.type === 'action') return declareIn(step, event.action, round);
  if (event.type !== 'response' && event.type !== 'response_end') return show(step, event);
  if (event.type === 'response') return hold(step, { ...event, text: textIn(round, event.text) }, round);
  if (event.final) {
    state.isFinal = true;
    state.blocks.isFinal = true;
  }
  hold(step, event, round);
}

/** The codes of remarks that an output has after its final response. */
const codesAfter: readonly string[] = ['after-final', 'unclosed-block'];

/** Tells once that something came after the final response. */
export function tellAfter(step: ExecutorStep, event: SepEvent): void {
  const { blocks } = step.state;
  if (event.type === 'diagnostic') {
    if (!codesAfter.includes(event.code)) return;
    if (event.code === 'after-final' && blocks.isAfterTold) return;
    blocks.isAfterTold ||= event.code === 'after-final';
    return show(step, event);
  }
  const isNothing =
    event.type === 'response_end' ||
    event.type === 'block_end' ||
    (event.type === 'text' && event.text.trim() === '');
  if (isNothing || blocks.isAfterTold) return;
  blocks.isAfterTold = true;
  remark(step, 'after-final', 'expected nothing after the final response; it is ignored');
}

/** Declares an action as it is written in a round. Each loop and group around it knows it. */
function declareIn(step: ExecutorStep, written: SepAction, round: Round | undefined): void {
  const { blocks } = step.state;
  if (blocks.frames.length === 0) return void declare(step, written);
  const named = actionIn(round, written);
  const isInGroup = named.mode === 'sync' && blocks.frames.some(({ kind }) => kind === 'group');
  const entry = declare(step, isInGroup ? { ...named, mode: 'async' } : named, { round });
  if (entry === undefined) return;
  if (round !== undefined) blocks.rounds = { ...blocks.rounds, actions: blocks.rounds.actions + 1 };
  register(step, entry, written.id);
}

/** Lets the loop and the groups around an action know it by its id as it is written. */
function register({ state }: ExecutorStep, entry: Entry, written: string): void {
  const { frames } = state.blocks;
  const loopAt = frames.findLastIndex(({ kind }) => kind === 'loop');
  for (const [at, frame] of frames.entries()) {
    if (frame.kind === 'loop' && at === loopAt) frame.actions.get(written)?.entries.push(entry);
    if (frame.kind !== 'group') continue;
    frame.all.push(entry);
    if (at > loopAt && entry.action.generated !== true) frame.byId.set(written, entry);
  }
}

/** What an action gathers: outputs, once these actions have succeeded. */
type Gathering = Required<Pick<DeclareOptions, 'gather'>> & {
  readonly of: readonly Entry[];
  /** Further actions that must have succeeded. */
  readonly after?: readonly Entry[];
};

/** Declares the internal action `gather`, with the id and the output key as they are written. */
export function declareGather(
  step: ExecutorStep,
  { id, output_key, generated = false }: { id: string; output_key?: string | undefined; generated?: boolean },
  round: Round | undefined,
  { gather, of, after = [] }: Gathering,
): Entry | undefined {
  if (step.state.blocks.isFinal) return undefined;
  const action = actionIn(round, {
    id,
    ...(generated ? { generated } : {}),
    type: 'internal',
    mode: 'async',
    name: 'gather',
    parameters: {},
    ...(output_key === undefined ? {} : { output_key }),
    depends_on: [],
    on_error: 'skip',
  });
  const depends_on = of.flatMap((one) => (one.action.generated === true ? [] : [one.action.id]));
  const entry = declare(step, { ...action, depends_on }, { gather, named: [...of, ...after] });
  if (entry !== undefined) register(step, entry, id);
  return entry;
}
