/** Engines that ask for approval wrongly, or run what they block. */
import { allFaults, holdUntil, onReceive, onSend, rename } from '../../../../src/kit/suite/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault, EngineFaultContext } from '../../shared/mutants/mutant.ts';
import type { EngineFaults } from './mutant.ts';

/** Sends the tool_call_start of a call after its approval_request, and no status in between. */
const startsLate = (): EngineFault =>
  onSend(
    holdUntil(
      (event, held) =>
        held.length === 0
          ? event.type === 'tool_call_start' && event.name === 'Write'
          : event.type === 'status_update',
      (event, held) => (event.type === 'approval_request' ? [event, ...held.slice(0, 1)] : undefined),
    ),
  );

/** Gives its approval_requests other ids; `nameOf`: of the newest call. */
export const borrowsIds = (nameOf: (call: string) => string) => (): EngineFault => {
  let call = '';
  const ids = rename(() => nameOf(call));
  return allFaults(
    onReceive('approval_response', (command) => [{ ...command, id: ids.back(command.id) }]),
    onSend(['tool_call_start', 'approval_request'], (event) => {
      if (event.type === 'approval_request') return [{ ...event, id: ids.out(event.id) }];
      call = event.id;
      return;
    }),
  );
};

/** Adds events after an action_blocked, with the id of the call that was blocked. */
export const afterBlock =
  (
    more: (id: string, name: string, context: EngineFaultContext) => readonly EngineEvent[],
  ): (() => EngineFault) =>
  () => {
    let call = '';
    return onSend(['tool_call_start', 'action_blocked'], (event, context) => {
      if (event.type === 'action_blocked') return [event, ...more(call, event.tool_name, context)];
      call = event.id;
      return;
    });
  };

/** Prints a line of a call just before an event about it. */
const printsBefore = (type: 'approval_request' | 'action_blocked') => (): EngineFault => {
  let call = '';
  return onSend((event) => {
    if (event.type === 'tool_call_start') call = event.id;
    if (event.type !== type) return;
    return [{ type: 'tool_output_line', id: call, line: 'checking', is_stderr: false }, event];
  });
};

export const approvalFaults: EngineFaults = {
  'prints-before-asking': printsBefore('approval_request'),
  'prints-before-blocking': printsBefore('action_blocked'),
  'asks-before-start': startsLate,
  'borrows-ids': borrowsIds((call) => call),
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
