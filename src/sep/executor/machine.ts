/** The executor: a run of a model's outputs as a pure and total state machine. */
import type { Machine, Violation } from '../../kit/base/index.ts';
import { extensionsOf } from '../parser/extensions.ts';
import { arrive, drain } from './blocks/expand.ts';
import { endRun, fail, failCycles, succeed, timeOut } from './actions.ts';
import { cyclesOf } from './cycles.ts';
import { askToWake, fetchDue, fetchPeriodic, fetched, hasFeeds } from './feeds.ts';
import { actInternals } from './internals.ts';
import { limitsOf } from './limits.ts';
import { takePart } from './parts.ts';
import { release } from './responses.ts';
import { idle, isEnding, show } from './state.ts';
import type { Entry } from './entry.ts';
import type { ExecutorCommand, ExecutorInput } from './io.ts';
import type { ExecutorOptions, ExecutorState, ExecutorStep } from './state.ts';
import { transcriptOf } from './transcript.ts';

/** A {@link Machine} that also returns the commands to carry out, in order. */
export interface ExecutorMachine extends Machine<ExecutorState, ExecutorInput> {
  /** `now`: seconds on the clock of the run, for its feeds. Default: 0. */
  step(
    state: ExecutorState,
    input: ExecutorInput,
    now?: number,
  ): ReturnType<Machine<ExecutorState, ExecutorInput>['step']> & {
    readonly commands: readonly ExecutorCommand[];
  };
}

/** The phases in which the model's output may come. Outcomes of actions may come at any time. */
const phases: { readonly [T in ExecutorInput['type']]?: ExecutorState['phase'] } = {
  begin: 'idle',
  event: 'output',
  output: 'output',
  ended: 'output',
};

/**
 * Makes the machine of a run. Begin it, feed it the events of the parser, carry out its commands, and report the outcomes,
 * until the command `stop`. Outcomes of attempts that are over count no more. An input in the wrong phase is a violation
 * and changes nothing.
 *
 * @example
 * const machine = executorMachine();
 * let { state } = machine.step(machine.start(), { type: 'begin' });
 * const action = { id: 'a', type: 'tool', mode: 'sync', name: 'clock', parameters: {}, depends_on: [], on_error: 'skip' } as const;
 * const { commands } = machine.step(state, { type: 'event', event: { type: 'action', action } });
 * commands.map((command) => command.do); // ['show', 'show', 'run']
 */
export function executorMachine(options: ExecutorOptions = {}): ExecutorMachine {
  const limits = limitsOf(options);
  const extensions = extensionsOf(options.extensions);
  return {
    start: () => idle(options),
    step: (state, input, now = 0) => {
      const phase = phases[input.type];
      if (phase !== undefined && state.phase !== phase)
        return { state, violations: [untimely(state, input, phase)], commands: [] };
      const step: ExecutorStep = { state, limits, options, extensions, now, commands: [] };
      react(step, input);
      actAll(step);
      release(step);
      openIteration(step);
      advance(step);
      askToWake(step);
      return { state, violations: [], commands: step.commands };
    },
  };
}

const untimely = ({ phase }: ExecutorState, { type }: ExecutorInput, right: string): Violation => ({
  code: 'untimely-input',
  path: 'type',
  message: `expected ${type} in the phase ${right}; it came in the phase ${phase}`,
});

function react(step: ExecutorStep, input: ExecutorInput): void {
  const { state } = step;
  switch (input.type) {
    case 'begin':
      return beginIteration(step);
    case 'event':
      return arrive(step, input.event);
    case 'output':
      return void state.text.push(input.text);
    case 'ended':
      state.phase = 'draining';
      return;
    case 'succeeded':
      return succeed(step, input.id, input.attempt, input.output);
    case 'failed':
      return fail(step, input.id, input.attempt, input.error);
    case 'fetched':
      return fetched(step, input.fetch, input.outcome);
    case 'feeds_due':
      return fetchPeriodic(step);
    case 'timeout':
      return timeOut(step, input.id, input.attempt);
    case 'part':
      return takePart(step, input.id, input.attempt, input.output);
    case 'cancel':
      return state.phase === 'idle' ? undefined : endRun(step, 'cancelled', 'the cancel');
  }
}

/** Carries out internal actions, and takes what waits for a block, until neither lets the other go on. */
function actAll(step: ExecutorStep): void {
  const { state } = step;
  do {
    actInternals(step);
    drain(step);
  } while (state.internals.length > 0 || state.ended.length > 0);
}

function beginIteration(step: ExecutorStep): void {
  const { state } = step;
  state.responsesAt.clear();
  Object.assign(state, { phase: 'feeding', queue: [], next: 0, hasNoCycles: false, text: [], settled: [] });
  fetchDue(step);
  openIteration(step);
}

/** Lets the model speak, once its feeds are there. Without any, the first output comes unasked. */
function openIteration(step: ExecutorStep): void {
  const { state, commands } = step;
  if (state.phase !== 'feeding' || !hasFeeds(state)) return;
  state.phase = 'output';
  state.iteration++;
  const { iteration: n } = state;
  const injected = state.feeds.injection();
  const transcript =
    injected === '' || n === 1 ? injected + state.transcript : `${injected}\n${state.transcript}`;
  if (n > 1 || state.feeds.specs.length > 0) commands.push({ do: 'iterate', n, transcript });
  show(step, { type: 'iteration', n });
}

/** Ends the iteration once everything in it has its outcome. */
function advance(step: ExecutorStep): void {
  const { state, limits } = step;
  if (state.phase !== 'settling' || state.next < state.queue.length) return;
  if (!state.hasNoCycles) {
    state.hasNoCycles = true;
    failCycles(
      step,
      cyclesOf(state.queue.filter(isWaiting), (one) => one.dependents.filter(isWaiting)),
    );
    release(step);
  }
  if (isEnding(state) || state.pending > 0 || state.nextHeld < state.held.length) return;
  if (state.isFinal) return endRun(step, 'final', '');
  if (state.iteration >= limits.maxIterations) return endRun(step, 'max_iterations', '');
  state.transcript = transcriptOf(state.text.join(''), state.settled, limits.mostValue);
  beginIteration(step);
}

const isWaiting = ({ stage }: Entry): boolean => stage === 'waiting';
