/** Engines that end a turn wrongly: after stop, after an interrupt, with their footer. */
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { editCommands, editEvent } from './mutant.ts';
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
const aroundPauses = (edit: {
  readonly interrupt?: (paused: boolean) => readonly EngineCommand[];
  readonly end?: (event: EventOf<'turn_end'>, state: PausedTurn) => readonly EngineEvent[];
}): (() => EngineFault) => {
  return () => {
    const state: PausedTurn = { paused: false, interrupted: false, call: '', name: '' };
    return {
      input(input) {
        if (input.type !== 'message') return [input];
        const { message } = input;
        if (message.type !== 'interrupt') {
          if (message.type.endsWith('_response') || message.type === 'loop_decision') state.paused = false;
          return [input];
        }
        state.interrupted = state.paused;
        const instead = edit.interrupt?.(state.paused) ?? [message];
        return instead.map((one) => ({ ...input, message: one }));
      },
      output(output) {
        if (output.type !== 'send') return [output];
        const { message } = output;
        if (asks.has(message.type)) state.paused = true;
        if (message.type === 'tool_call_start') [state.call, state.name] = [message.id, message.name];
        if (message.type !== 'turn_end') return [output];
        const instead = edit.end?.(message, state) ?? [message];
        Object.assign(state, { paused: false, interrupted: false });
        return instead.map((one) => ({ ...output, message: one }));
      },
    };
  };
};

interface PausedTurn {
  paused: boolean;
  /** Whether an interrupt came in a pause. */
  interrupted: boolean;
  /** The newest call. */
  call: string;
  name: string;
}

/** Adds something to the end of a turn that the client stopped. */
const atStop = (edit: (end: EventOf<'turn_end'>) => readonly EngineEvent[]): (() => EngineFault) => {
  return () => {
    let atCap = false;
    let stopped = false;
    return {
      input(input) {
        if (atCap && input.type === 'message' && input.message.type === 'loop_decision')
          stopped = input.message.action === 'stop';
        return [input];
      },
      output(output) {
        if (output.type === 'send') atCap = output.message.type === 'loop_cap_reached';
        if (!stopped || output.type !== 'send' || output.message.type !== 'turn_end') return [output];
        stopped = false;
        return edit(output.message).map((message) => ({ ...output, message }));
      },
    };
  };
};

/** Adds the tokens of each footer to those of the turns before it. */
const sumsTurns = (): EngineFault => {
  let before = 0;
  return editEvent('footer', (event) => {
    before += Number(event.completion_tokens);
    return [{ ...event, completion_tokens: before }];
  });
};

/** The mutants of this theme. */
export const endFaults: EngineFaults = {
  'footer-after-stop': atStop((end) => [footer, end]),
  'stop-fails': atStop((end) => [{ ...end, reason: { kind: 'error', message: 'stopped' } }]),
  'deaf-to-stop': () =>
    editCommands((command) => [
      command.type === 'loop_decision' && command.action === 'stop'
        ? { ...command, action: 'continue50' }
        : command,
    ]),
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
  'footer-twice': () => editEvent('footer', (event) => [event, event]),
  'text-after-footer': () =>
    editEvent('footer', (event) => [
      event,
      { type: 'context_usage', used: 100, max: 32000 },
      { type: 'response_start' },
      { type: 'text_delta', text: 'Bye.' },
      { type: 'text_done' },
    ]),
  'footer-after-failure': () =>
    editEvent('turn_end', (event) =>
      event.reason.kind === 'error'
        ? [{ type: 'context_usage', used: 100, max: 32000 }, { type: 'text_done' }, footer, event]
        : [event],
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
    editCommands((command) => [
      command.type === 'user_prompt'
        ? { ...command, text: command.text.replace(/\{"usage":\{[^{}]*\}\},(?=.*"usage")/, '') }
        : command,
    ]),
};
