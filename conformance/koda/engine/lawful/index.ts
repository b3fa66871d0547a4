/** Engines with oddities that the protocol allows. */
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { directive } from '../../../../src/koda/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { escaped, tagLast, unknownFields } from '../../shared/mutants/spellings.ts';
import { afterBlock } from '../mutants/approvals.ts';
import { dropEvents, editCommands, editEvent, editEvents } from '../mutants/mutant.ts';
import type { EngineFaults } from '../mutants/mutant.ts';
import { engineWith } from '../mutants/mutant.ts';

/** Sends each event some milliseconds after the one before. */
const paced = (ms: number) => (): EngineFault => {
  let free = 0;
  return {
    output(output, context) {
      if (output.type !== 'send') return [output];
      free = Math.max(free, context.now) + ms;
      const { message, peer } = output;
      context.later(free - context.now, (then) => then.send(message, peer));
      return [];
    },
  };
};

/** Events that may come at any time. */
const asides: readonly EngineEvent[] = [
  { type: 'info', message: 'by the way' },
  { type: 'context_usage', used: 99, max: 32000 },
  { type: 'spinner_start', message: 'Working' },
  { type: 'spinner_stop' },
];

/** Sends asides before each event, in a turn and outside. */
const chatty = (): EngineFault => editEvents((event) => [...asides, event]);

const isPlain = (text: string): boolean => !text.startsWith('{"wireproof"');

/** Has an approval and a question in the turn of each prompt that is no directive. */
const asksAlways = (): EngineFault =>
  editCommands((command) => [
    command.type === 'user_prompt' && isPlain(command.text)
      ? { ...command, text: directive([bash, askUser, { say: 'Hello.' }]) }
      : command,
  ]);

const bash = { tool: { name: 'Bash', args: { command: 'ls' }, approval: {} } };
const askUser = { tool: { name: 'AskUser', ask: { question: 'Which database?' } } };

/** Ignores slash commands. */
const takesNoSlash = (): EngineFault =>
  editCommands((command) => (command.type === 'slash_command' ? [] : [command]));

/** Drops the start of a third identical edit: the turn ends before it. */
const stopsBeforeThird = (): EngineFault => {
  const times = new Map<string, number>();
  return editEvent('tool_call_start', (event) => {
    if (event.name !== 'Edit') return [event];
    const key = JSON.stringify(event.args);
    const came = (times.get(key) ?? 0) + 1;
    times.set(key, came);
    return came === 3 ? [] : [event];
  });
};

const oddities: EngineFaults = {
  slow: paced(15),
  chatty: chatty,
  'blank-deltas': () =>
    editEvent('response_start', (event) => [
      { type: 'text_delta', text: '' },
      { type: 'text_delta', text: ' \n' },
      event,
    ]),
  'repeats-spinner-stop': () => editEvent('spinner_stop', (event) => [event, event, event]),
  'no-spinner': () => dropEvents('spinner_start', 'spinner_stop'),
  'asks-always': asksAlways,
  'no-slash-commands': takesNoSlash,
  'no-footer': () => dropEvents('footer'),
  'no-status': () => dropEvents('status_update'),
  'thinks-without-start': () => dropEvents('thinking_start'),
  'stops-before-third': stopsBeforeThird,
  'context-after-interrupt': () =>
    editEvent('turn_end', (event) => (event.reason.kind === 'cancelled' ? [...asides, event] : [event])),
  'result-of-blocked': afterBlock((id, name) => [{ type: 'tool_call_result', id, name, output: 'blocked' }]),
  'tag-last': () => ({
    writes: tagLast,
  }),
  'unknown-fields': () => ({
    writes: unknownFields,
  }),
  escapes: () => ({
    writes: escaped,
  }),
};

/** The lawful engines. */
export const lawfulEngines: () => readonly LawfulPeer[] = lawfulOf('koda/engine', [oddities], engineWith);
