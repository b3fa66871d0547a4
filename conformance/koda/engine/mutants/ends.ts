/** Engines that end a turn wrongly: after stop, after an interrupt, with their footer. */
import { allFaults, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import type { EventOf, EngineFaults } from './mutant.ts';

const footer: EngineEvent = {
  type: 'footer',
  prompt_tokens: 0,
  completion_tokens: 0,
  cache_read_tokens: 0,
  thinking_tokens: 0,
  total_chars: 0,
  elapsed_ms: 1,
  rate: 0.5,
  context: '100/32000',
};

const asks: ReadonlySet<string> = new Set(['approval_request', 'ask_user_request', 'loop_cap_reached']);

/** Follows the pauses of a turn; `edit` replaces the interrupts and the ends of turns. */
const aroundPauses =
  (edit: {
    readonly interrupt?: (paused: boolean) => readonly EngineCommand[];
    readonly end?: (event: EventOf<'turn_end'>, state: PausedTurn) => readonly EngineEvent[];
  }) =>
  (): EngineFault => {
    const state: PausedTurn = { paused: false, interrupted: false };
    return allFaults(
      onReceive(({ type }) => {
        if (type.endsWith('_response') || type === 'loop_decision') state.paused = false;
        if (type !== 'interrupt') return;
        state.interrupted = state.paused;
        return edit.interrupt?.(state.paused);
      }),
      onSend((event) => {
        if (asks.has(event.type)) state.paused = true;
        if (event.type !== 'turn_end') return;
        const instead = edit.end?.(event, state);
        Object.assign(state, { paused: false, interrupted: false });
        return instead;
      }),
    );
  };

interface PausedTurn {
  paused: boolean;
  /** Whether an interrupt came in a pause. */
  interrupted: boolean;
}

/** Adds something to the end of a turn that the client stopped. */
const atStop = (edit: (end: EventOf<'turn_end'>) => readonly EngineEvent[]) => (): EngineFault => {
  let atCap = false;
  let stopped = false;
  return allFaults(
    onReceive('loop_decision', ({ action }) => {
      if (atCap) stopped = action === 'stop';
    }),
    onSend((event) => {
      atCap = event.type === 'loop_cap_reached';
      if (!stopped || event.type !== 'turn_end') return;
      stopped = false;
      return edit(event);
    }),
  );
};

/** Adds the tokens of each footer to those of the turns before it. */
const sumsTurns = (): EngineFault => {
  let sum = 0;
  return onSend('footer', (event) => [
    { ...event, completion_tokens: (sum += Number(event.completion_tokens)) },
  ]);
};

export const endFaults: EngineFaults = {
  'footer-after-stop': atStop((end) => [footer, end]),
  'stop-fails': atStop((end) => [{ ...end, reason: { kind: 'error', message: 'stopped' } }]),
  'deaf-to-stop': () =>
    onReceive('loop_decision', (command) =>
      command.action === 'stop' ? [{ ...command, action: 'continue50' }] : undefined,
    ),
  'deaf-in-pauses': aroundPauses({ interrupt: (paused) => (paused ? [] : [{ type: 'interrupt' }]) }),
  'complete-after-interrupt': aroundPauses({
    end: (event, { interrupted }) => [interrupted ? { ...event, reason: { kind: 'complete' } } : event],
  }),
  'text-after-interrupt': aroundPauses({
    end: (event, { interrupted }) =>
      interrupted
        ? [
            { type: 'context_usage', used: 100, max: 32000 },
            { type: 'response_start' },
            { type: 'text_delta', text: 'Interrupted.' },
            { type: 'text_done' },
            event,
          ]
        : [event],
  }),
  'calls-after-interrupt': aroundPauses({
    end: (event, { interrupted }) =>
      interrupted
        ? [{ type: 'tool_call_start', id: 'next', name: 'Read', args: {}, is_sub_agent: false }, event]
        : [event],
  }),
  'deaf-at-work': aroundPauses({ interrupt: (paused) => (paused ? [{ type: 'interrupt' }] : []) }),
  'footer-twice': () => onSend('footer', (event) => [event, event]),
  'text-after-footer': () =>
    onSend('footer', (event) => [
      event,
      { type: 'context_usage', used: 100, max: 32000 },
      { type: 'response_start' },
      { type: 'text_delta', text: 'Bye.' },
      { type: 'text_done' },
    ]),
  'footer-after-failure': () =>
    onSend('turn_end', (event) =>
      event.reason.kind === 'error'
        ? [{ type: 'context_usage', used: 100, max: 32000 }, { type: 'text_done' }, footer, event]
        : undefined,
    ),
  'rounded-tokens': () => ({
    writes: (text) =>
      text.replace(
        /"prompt_tokens":(\d+)/,
        (_, digits: string) => `"prompt_tokens":${BigInt(Number(digits))}`,
      ),
  }),
  'sums-turns': sumsTurns,
  'last-tokens-only': () =>
    onReceive('user_prompt', (command) => [
      { ...command, text: command.text.replace(/\{"usage":\{[^{}]*\}\},(?=.*"usage")/, '') },
    ]),
};
