/** One turn of a conversation as a pure and total state machine: from the user's message to the model's last word. */
import type { Machine, Violation } from '../../kit/base/index.ts';
import { budgetConfig } from '../manager/budget.ts';
import { ran, respond, settleAll } from './response.ts';
import { overflowed, send } from './send.ts';
import { stop } from './state.ts';
import type { TurnAction, TurnInput, TurnOptions, TurnPhase, TurnState, TurnStep } from './state.ts';
import { repair } from '../manager/repair.ts';
import { MAX_ATTEMPTS, isRetryable, retryDelay } from '../manager/retry.ts';
import type { Jitter } from '../manager/retry.ts';
import { StopReasonHandler } from '../manager/stop-reason-handler.ts';

/** A {@link Machine} that also says what is to be done. */
export interface TurnMachine extends Machine<TurnState, TurnInput> {
  step(
    state: TurnState,
    input: TurnInput,
  ): {
    readonly state: TurnState;
    readonly violations: readonly Violation[];
    readonly actions: readonly TurnAction[];
  };
}

/** When an input may come. */
const phases: { readonly [T in TurnInput['type']]: readonly TurnPhase[] } = {
  begin: ['idle'],
  response: ['sending'],
  failed: ['sending'],
  waited: ['waiting'],
  ran: ['running'],
  cancel: ['idle', 'sending', 'waiting', 'running'],
};

/**
 * The machine of a turn. Begin it, do what it says, and tell it what came of it, until it says `stop`; an input at the
 * wrong time is a violation and changes nothing. Whatever happens, the conversation in its state stays valid for every
 * provider, every retry is bounded, and no request but one that failed is sent twice alike.
 *
 * @example
 * const machine = turnMachine({ config: { maxTokens: 8000 } });
 * const history = [{ role: 'user', content: 'Hi' }] as const;
 * const begun = machine.step(machine.start(), { type: 'begin', now: 0, history });
 * begun.actions; // [{ do: 'send', messages: [{ role: 'user', content: 'Hi' }] }]
 * const response = { content: 'Hello!', toolCalls: [], metadata: { stopReason: 'end_turn' } } as const;
 * machine.step(begun.state, { type: 'response', now: 9, response }).actions; // [{ do: 'stop', code: 'end_turn' }]
 */
export function turnMachine(options: TurnOptions = {}): TurnMachine {
  const config = budgetConfig(options.config);
  const { tools = [], requireAllParameters = true } = options;
  const handler = new StopReasonHandler({ tools, requireAllParameters });
  const randoms = new WeakMap<TurnState, Jitter>();
  return {
    start: () => {
      const state = fresh(options);
      if (options.random !== undefined) randoms.set(state, options.random());
      return state;
    },
    step: (state, input) => {
      if (!phases[input.type].includes(state.phase))
        return { state, violations: [untimely(state, input)], actions: [] };
      const step = {
        state,
        now: input.now,
        config,
        options,
        handler,
        random: randoms.get(state),
        actions: [],
      };
      take(step, input);
      return { state, violations: [], actions: step.actions };
    },
  };
}

const fresh = ({ used = 0, compactedAt }: TurnOptions): TurnState => ({
  phase: 'idle',
  messages: [],
  pending: undefined,
  used,
  attempts: 0,
  cuts: 0,
  overflows: 0,
  compactedAt,
});

const untimely = ({ phase }: TurnState, { type }: TurnInput): Violation => ({
  code: 'untimely-input',
  path: 'type',
  message: `expected ${type} while ${phases[type].join(' or ')}; it came while ${phase}`,
});

function take(step: TurnStep, input: TurnInput): void {
  switch (input.type) {
    case 'begin':
      step.state.messages = repair(input.history);
      return send(step);
    case 'response':
      return respond(step, input.response, input.word);
    case 'failed':
      return fail(step, input);
    case 'waited':
      return send(step);
    case 'ran':
      return ran(step, input.results);
    case 'cancel':
      settleAll(step, []);
      return stop(step, 'cancelled');
  }
}

function fail(step: TurnStep, { failure }: Extract<TurnInput, { type: 'failed' }>): void {
  const { state, actions } = step;
  if (failure.kind === 'overflow') return overflowed(step, 'overflow');
  if (failure.kind === 'aborted') return stop(step, 'cancelled');
  if (!isRetryable(failure) || state.attempts >= MAX_ATTEMPTS) return stop(step, 'failed');
  state.phase = 'waiting';
  actions.push({ do: 'retry', delay: retryDelay(state.attempts, failure, step.random), code: failure.kind });
}
