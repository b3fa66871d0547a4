/** Engines whose texts, lines and outputs are others than their model and their tools have. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { asLatin1 } from '../../shared/mutants/spellings.ts';
import { dropEvents, editCommands, editEvent, editEvents, mutant } from './mutant.ts';

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
export const contentFaults: readonly Mutant[] = [
  mutant('KODA-87', 'reads-latin-1', 'It reads the UTF-8 of its commands as Latin-1.', () =>
    editCommands((command) => [
      command.type === 'user_prompt' ? { ...command, text: asLatin1(command.text) } : command,
    ]),
  ),
  mutant('KODA-87', 'cumulative-text', 'Each piece of its text has the pieces before it.', accumulates),
  mutant('KODA-87', 'stderr-as-stdout', 'It takes the lines of stderr for lines of stdout.', () =>
    editEvent('tool_output_line', (event) => [{ ...event, is_stderr: false }]),
  ),
  mutant('KODA-87', 'one-output', 'All its results have one output.', () =>
    editEvent('tool_call_result', (event) => [
      event.name === 'AskUser' ? event : { ...event, output: 'done' },
    ]),
  ),
  mutant(
    'KODA-87',
    'ends-after-rejection',
    'It says nothing after a rejected or blocked call.',
    endsAfterStop,
  ),
  mutant('KODA-87', 'no-previews', 'It sends no previews.', () =>
    editEvents((event) => [
      event.type === 'approval_request' || event.type === 'action_blocked'
        ? { ...event, preview: null }
        : event,
    ]),
  ),
  mutant('KODA-87', 'args-as-text', 'It sends the arguments of a call as a text.', () =>
    editEvent('tool_call_start', (event) => [{ ...event, args: JSON.stringify(event.args) }]),
  ),
  mutant('KODA-87', 'more-options', 'It adds an option to each question with options.', () =>
    editEvent('ask_user_request', (event) => [
      event.options.length === 0 ? event : { ...event, options: [...event.options, 'Other'] },
    ]),
  ),
  mutant('KODA-87', 'no-error-events', 'It sends no error events.', () => dropEvents('error')),
  mutant('KODA-87', 'no-result', 'It sends no result of the calls of Grep.', () =>
    editEvent('tool_call_result', (event) => (event.name === 'Grep' ? [] : [event])),
  ),
];
