/** One turn of a conversation as a pure and total state machine: from the user's message to the model's last response. */
import type { Machine, Violation } from '../../kit/base/index.ts';
import { budgetConfig } from '../manager/budget.ts';
import { cancelPending, receiveResponse, receiveResults } from './response.ts';
import { compactAndSend, send, sendMeasured } from './send.ts';
import { stop } from './state.ts';
import type { TurnAction, TurnInput, TurnOptions, TurnPhase, TurnState, TurnStep } from './state.ts';
import { repair } from '../manager/repair.ts';
import { MAX_ATTEMPTS, isRetryable, retryDelay } from '../manager/retry.ts';
import type { Jitter, ProviderFailure } from '../manager/retry.ts';
import { StopReasonHandler } from '../manager/stop-reason-handler.ts';

/** A {@link Machine} that also returns the actions to carry out. */
export interface TurnMachine extends Machine<TurnState, TurnInput> {
  step(
    state: TurnState,
    input: TurnInput,
  ): ReturnType<Machine<TurnState, TurnInput>['step']> & { readonly actions: readonly TurnAction[] };
}

/** The phases in which each input is allowed. */
const phases: { readonly [T in TurnInput['type']]: readonly TurnPhase[] } = {
  begin: ['idle'],
  measured: ['measuring'],
  response: ['sending'],
  failed: ['sending'],
  waited: ['waiting'],
  ran: ['running'],
  cancel: ['idle', 'measuring', 'sending', 'waiting', 'running'],
};

/**
 * Makes the machine of a turn. Begin it, carry out its actions, and report their outcome, until the action `stop`. An
 * input in the wrong phase is a violation and changes nothing. The conversation in the state is always valid for every
 * provider, every retry is bounded, and only a failed request is sent again unchanged.
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
  const handler = new StopReasonHandler(options);
  const randoms = new WeakMap<TurnState, Jitter>();
  return {
    start: () => {
      const state: TurnState = {
        phase: 'idle',
        messages: [],
        pending: undefined,
        used: options.used ?? 0,
        attempts: 0,
        cuts: 0,
        overflows: 0,
        compactedAt: options.compactedAt,
        scale: 1,
        measured: undefined,
        budget: undefined,
      };
      if (options.random !== undefined) randoms.set(state, options.random());
      return state;
    },
    step: (state, input) => {
      if (!phases[input.type].includes(state.phase))
        return { state, violations: [untimely(state, input)], actions: [] };
      const random = randoms.get(state);
      const budget = state.budget ?? config;
      const step = { state, now: input.now, config: budget, options, handler, random, actions: [] };
      react(step, input);
      return { state, violations: [], actions: step.actions };
    },
  };
}

const untimely = ({ phase }: TurnState, { type }: TurnInput): Violation => ({
  code: 'untimely-input',
  path: 'type',
  message: `expected ${type} while ${phases[type].join(' or ')}; it came while ${phase}`,
});

function react(step: TurnStep, input: TurnInput): void {
  switch (input.type) {
    case 'begin':
      step.state.messages = repair(input.history);
      return send(step);
    case 'measured':
      return sendMeasured(step, input);
    case 'response':
      return receiveResponse(step, input.response, input.word);
    case 'failed':
      return fail(step, input.failure);
    case 'waited':
      return send(step);
    case 'ran':
      return receiveResults(step, input.results);
    case 'cancel':
      cancelPending(step);
      return stop(step, 'cancelled');
  }
}

function fail(step: TurnStep, failure: ProviderFailure): void {
  const { state, actions } = step;
  if (failure.kind === 'overflow') return compactAndSend(step) ? undefined : stop(step, 'overflow');
  if (failure.kind === 'aborted') return stop(step, 'cancelled');
  if (!isRetryable(failure) || state.attempts >= MAX_ATTEMPTS) return stop(step, 'failed');
  state.phase = 'waiting';
  actions.push({ do: 'retry', delay: retryDelay(state.attempts, failure, step.random), code: failure.kind });
}
