/** Engines that ask for approval wrongly, or run what they block. */
import type { EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault, EngineFaultContext } from '../../shared/mutants/mutant.ts';
import { editEvents } from './mutant.ts';
import type { EngineFaults } from './mutant.ts';

/** Sends the tool_call_start of a call behind its approval_request. */
const startsLate = (): EngineFault => {
  let held: EngineEvent | undefined;
  return {
    output(output) {
      if (output.type !== 'send') return [output];
      if (output.message.type === 'tool_call_start' && output.message.name === 'Write') {
        held = output.message;
        return [];
      }
      if (held === undefined) return [output];
      if (output.message.type === 'status_update') return [];
      if (output.message.type !== 'approval_request') return [output];
      const start = held;
      held = undefined;
      return [output, { ...output, message: start }];
    },
  };
};

/** Uses the id of the call as the id of its approval_request. */
const borrowsIds = (): EngineFault => {
  let call = '';
  let own = '';
  return {
    output(output) {
      if (output.type !== 'send') return [output];
      const { message } = output;
      if (message.type === 'tool_call_start') call = message.id;
      if (message.type !== 'approval_request') return [output];
      own = message.id;
      return [{ ...output, message: { ...message, id: call } }];
    },
    input: (input) =>
      input.type === 'message' && input.message.type === 'approval_response' && input.message.id === call
        ? [{ ...input, message: { ...input.message, id: own } }]
        : [input],
  };
};

/** Adds events behind an action_blocked, with the id of the call that was blocked. */
export const afterBlock =
  (
    more: (id: string, name: string, context: EngineFaultContext) => readonly EngineEvent[],
  ): (() => EngineFault) =>
  () => {
    let call = '';
    return {
      output(output, context) {
        if (output.type !== 'send') return [output];
        const { message } = output;
        if (message.type === 'tool_call_start') call = message.id;
        if (message.type !== 'action_blocked') return [output];
        return [message, ...more(call, message.tool_name, context)].map((one) => ({
          ...output,
          message: one,
        }));
      },
    };
  };

/** Prints a line of a call just before an event about it. */
const printsBefore = (type: 'approval_request' | 'action_blocked') => (): EngineFault => {
  let call = '';
  return editEvents((event) => {
    if (event.type === 'tool_call_start') call = event.id;
    if (event.type !== type) return [event];
    return [{ type: 'tool_output_line', id: call, line: 'checking', is_stderr: false }, event];
  });
};

/** The mutants of this theme. */
export const approvalFaults: EngineFaults = {
  'prints-before-asking': printsBefore('approval_request'),
  'prints-before-blocking': printsBefore('action_blocked'),
  'asks-before-start': startsLate,
  'borrows-ids': borrowsIds,
  'line-of-blocked': afterBlock((id) => [
    { type: 'tool_output_line', id, line: 'deleted', is_stderr: false },
  ]),
  'asks-about-blocked': afterBlock((_, tool_name) => [
    {
      type: 'approval_request',
      id: '7f6c1c5e-2f0a-4d0e-9d5b-3f1d6a2b4c5d',
      tool_name,
      detail: 'blocked',
      preview: null,
    },
  ]),
};
