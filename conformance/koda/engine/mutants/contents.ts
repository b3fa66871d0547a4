/** Engines whose texts, lines and outputs are others than their model and their tools have. */
import { allFaults, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { asLatin1 } from '../../shared/mutants/spellings.ts';
import { drops } from './mutant.ts';
import type { EngineFaults } from './mutant.ts';

/** Sends the text so far in each piece. */
const accumulates = (): EngineFault => {
  let text = '';
  return onSend(['context_usage', 'text_delta'], (event) => {
    if (event.type === 'text_delta') return [{ ...event, text: (text += event.text) }];
    text = '';
    return;
  });
};

/** Ends a turn without a text once a call was rejected or blocked. */
const endsAfterStop = (): EngineFault => {
  let stopped = false;
  return allFaults(
    onReceive('approval_response', ({ decision }) => void (stopped ||= decision.decision !== 'approve')),
    onSend(({ type }) => {
      if (type === 'action_blocked') stopped = true;
      if (type === 'turn_end') stopped = false;
      return stopped && (type === 'text_delta' || type === 'response_start') ? [] : undefined;
    }),
  );
};

export const contentFaults: EngineFaults = {
  'reads-latin-1': () =>
    onReceive('user_prompt', (command) => [{ ...command, text: asLatin1(command.text) }]),
  'cumulative-text': accumulates,
  'stderr-as-stdout': () => onSend('tool_output_line', (event) => [{ ...event, is_stderr: false }]),
  'one-output': () =>
    onSend('tool_call_result', (event) => [event.name === 'AskUser' ? event : { ...event, output: 'done' }]),
  'ends-after-rejection': endsAfterStop,
  'no-previews': () =>
    onSend(['approval_request', 'action_blocked'], (event) => [{ ...event, preview: null }]),
  'args-as-text': () =>
    onSend('tool_call_start', (event) => [{ ...event, args: JSON.stringify(event.args) }]),
  'more-options': () =>
    onSend('ask_user_request', (event) =>
      event.options.length === 0 ? undefined : [{ ...event, options: [...event.options, 'Other'] }],
    ),
  'no-error-events': () => drops('error'),
  'no-result': () => onSend('tool_call_result', ({ name }) => (name === 'Grep' ? [] : undefined)),
};
