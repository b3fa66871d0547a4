/** Advice at the end of an output, if the caller asks for it. It changes nothing of the run. */
import { adviceOf } from '../advice/advice.ts';
import { show } from './state.ts';
import type { ExecutorStep } from './state.ts';
import { namesIn } from '../values/variables.ts';

/** Shows the advice about the actions of the iteration. */
export function advise(step: ExecutorStep): void {
  const { state, options } = step;
  if (options.advice !== true) return;
  // The model writes nothing that gathers outputs.
  const actions = state.queue.flatMap(({ action, gather }, i) =>
    gather === undefined
      ? [{ action, names: namesIn(action.parameters), isAfterResponse: state.responsesAt.has(i) }]
      : [],
  );
  for (const { code, message } of adviceOf(actions))
    show(step, { type: 'diagnostic', level: 'info', code, message, offset: 0 });
}
