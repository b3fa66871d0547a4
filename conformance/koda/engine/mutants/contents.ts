/** Engines whose texts, lines and outputs are others than their model and their tools have. */
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { asLatin1 } from '../../shared/mutants/spellings.ts';
import { dropEvents, editCommands, editEvent, editEvents } from './mutant.ts';
import type { EngineFaults } from './mutant.ts';

/** Sends the text so far in each piece. */
const accumulates = (): EngineFault => {
  let text = '';
  return editEvents((event) => {
    if (event.type === 'context_usage') text = '';
    if (event.type !== 'text_delta') return [event];
    text += event.text;
    return [{ ...event, text }];
  });
};

/** Ends a turn without a text once a call was rejected or blocked. */
const endsAfterStop = (): EngineFault => {
  let stopped = false;
  return {
    input(input) {
      if (input.type === 'message' && input.message.type === 'approval_response')
        stopped ||= input.message.decision.decision !== 'approve';
      return [input];
    },
    output(output) {
      if (output.type !== 'send') return [output];
      const { type } = output.message;
      if (type === 'action_blocked') stopped = true;
      const isText = type === 'text_delta' || type === 'response_start';
      const hides = stopped && isText;
      if (type === 'turn_end') stopped = false;
      return hides ? [] : [output];
    },
  };
};

/** The mutants of this theme. */
export const contentFaults: EngineFaults = {
  'reads-latin-1': () =>
    editCommands((command) => [
      command.type === 'user_prompt' ? { ...command, text: asLatin1(command.text) } : command,
    ]),
  'cumulative-text': accumulates,
  'stderr-as-stdout': () => editEvent('tool_output_line', (event) => [{ ...event, is_stderr: false }]),
  'one-output': () =>
    editEvent('tool_call_result', (event) => [
      event.name === 'AskUser' ? event : { ...event, output: 'done' },
    ]),
  'ends-after-rejection': endsAfterStop,
  'no-previews': () =>
    editEvents((event) => [
      event.type === 'approval_request' || event.type === 'action_blocked'
        ? { ...event, preview: null }
        : event,
    ]),
  'args-as-text': () =>
    editEvent('tool_call_start', (event) => [{ ...event, args: JSON.stringify(event.args) }]),
  'more-options': () =>
    editEvent('ask_user_request', (event) => [
      event.options.length === 0 ? event : { ...event, options: [...event.options, 'Other'] },
    ]),
  'no-error-events': () => dropEvents('error'),
  'no-result': () => editEvent('tool_call_result', (event) => (event.name === 'Grep' ? [] : [event])),
};
