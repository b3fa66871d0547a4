/** A turn to be driven by hand: every step is checked for what holds of all of them. */
import { expect } from 'vitest';
import type { ProviderMessage, ProviderResponse, StopReason, ToolCall } from '../../kit/base/index.ts';
import { faultsOf } from '../manager/faults.ts';
import { turnMachine } from './machine.ts';
import type { TurnMachine } from './machine.ts';
import type { Measured, TurnAction, TurnInput, TurnOptions, TurnState } from './state.ts';
import type { ProviderFailure } from '../manager/retry.ts';
import type { ToolSchema } from '../manager/tool-schema.ts';

/** A tool that needs a path and a text. */
export const write: ToolSchema = {
  name: 'write',
  inputSchema: { required: ['path', 'text'], properties: { path: { type: 'string' } } },
};
/** A call of it that is complete. */
export const whole: ToolCall = { id: 'a', name: 'write', input: { path: '/a', text: 'b' } };
/** A call of it that lacks its text. */
export const broken: ToolCall = { id: 'b', name: 'write', input: { path: '/a' } };
/** A question, estimated at 13 tokens. */
export const history: readonly ProviderMessage[] = [{ role: 'user', content: 'Write it.' }];
/** So many turns of some 500 tokens each. */
export const big = (n: number): readonly ProviderMessage[] =>
  Array.from({ length: n }, (_, i): readonly ProviderMessage[] => [
    { role: 'user', content: `question ${i}` },
    { role: 'assistant', content: 'word '.repeat(400) },
  ]).flat();

/** A turn with its time, which each input moves on by a millisecond. */
export class Turn {
  readonly #machine: TurnMachine;
  state: TurnState;
  now: number = 0;

  constructor(options: TurnOptions = {}) {
    this.#machine = turnMachine({ tools: [write], config: { maxTokens: 100_000 }, ...options });
    this.state = this.#machine.start();
  }

  #step(input: TurnInput): readonly TurnAction[] {
    this.now++;
    const { state, actions, violations } = this.#machine.step(this.state, input);
    expect(violations).toEqual([]);
    this.state = state;
    expect(faultsOf(state.messages)).toEqual([]);
    return actions;
  }

  begin(messages: readonly ProviderMessage[] = history): readonly TurnAction[] {
    return this.#step({ type: 'begin', now: this.now, history: messages });
  }

  respond(stopReason: StopReason, more: Partial<ProviderResponse> = {}): readonly TurnAction[] {
    const response = {
      content: 'Text.',
      toolCalls: [],
      ...more,
      metadata: { stopReason, ...more.metadata },
    };
    return this.#step({ type: 'response', now: this.now, response });
  }

  fail(failure: ProviderFailure): readonly TurnAction[] {
    return this.#step({ type: 'failed', now: this.now, failure });
  }

  /** The delay of a retry passes. */
  wait(): readonly TurnAction[] {
    return this.#step({ type: 'waited', now: this.now });
  }

  /** These calls have run, and no others. */
  ran(...ids: readonly string[]): readonly TurnAction[] {
    const results = ids.map((id) => ({ id, content: `result of ${id}`, isError: false }));
    return this.#step({ type: 'ran', now: this.now, results });
  }

  measured(measured: Measured = {}): readonly TurnAction[] {
    return this.#step({ type: 'measured', now: this.now, ...measured });
  }

  cancel(): readonly TurnAction[] {
    return this.#step({ type: 'cancel', now: this.now });
  }
}

/** A turn that has sent its conversation. */
export const begun = (options?: TurnOptions, messages: readonly ProviderMessage[] = history): Turn => {
  const turn = new Turn(options);
  turn.begin(messages);
  return turn;
};
/** What is done, in words. */
export const names = (actions: readonly TurnAction[]): readonly string[] =>
  actions.map((action) => ('code' in action ? `${action.do} ${action.code}` : action.do));
/** The conversation that is sent. */
export const sent = (actions: readonly TurnAction[]): readonly ProviderMessage[] =>
  actions.flatMap((action) => (action.do === 'send' ? action.messages : []));
