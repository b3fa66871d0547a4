/** Engines whose texts, lines and outputs are others than their model and their tools have. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { asLatin1 } from '../../shared/mutants/spellings.ts';
import { editCommands, editEvent, editEvents, mutant } from './mutant.ts';

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
  mutant('KODA-87', 'no-result', 'It sends no result of the calls of Grep.', () =>
    editEvent('tool_call_result', (event) => (event.name === 'Grep' ? [] : [event])),
  ),
];
