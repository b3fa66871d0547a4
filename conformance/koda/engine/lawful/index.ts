/** Engines with oddities that the protocol allows. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { directive, engine } from '../../../../src/koda/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import { faultyEngine } from '../../shared/mutants/mutant.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { escaped, tagLast, unknownFields } from '../../shared/mutants/spellings.ts';
import { engineOptions } from '../../shared/peers.ts';
import { afterBlock } from '../mutants/approvals.ts';
import { dropEvents, editCommands, editEvent, editEvents } from '../mutants/mutant.ts';

const lawful = (
  id: string,
  title: string,
  allowed: string,
  oddity: () => EngineFault,
  unseen: LawfulPeer['unseen'] = {},
): LawfulPeer => ({
  id,
  title,
  allowed,
  make: (given) => faultyEngine(engine(engineOptions(given)), oddity()),
  unseen,
});

const turnSection = 'spec/koda/README.md, A turn';
const readingSection = 'spec/koda/README.md, Reading';

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

/** Engines that no rule may blame. */
export const lawfulEngines: readonly LawfulPeer[] = [
  lawful('slow', 'It takes its time between two events.', turnSection, paced(15)),
  lawful('chatty', 'It sends context, spinner and info events before each event.', turnSection, chatty),
  lawful('blank-deltas', 'It sends blank text before response_start.', 'KODA-33', () =>
    editEvent('response_start', (event) => [
      { type: 'text_delta', text: '' },
      { type: 'text_delta', text: ' \n' },
      event,
    ]),
  ),
  lawful('repeats-spinner-stop', 'It sends spinner_stop three times.', 'KODA-29', () =>
    editEvent('spinner_stop', (event) => [event, event, event]),
  ),
  lawful('no-spinner', 'It sends no spinner events.', 'KODA-29', () =>
    dropEvents('spinner_start', 'spinner_stop'),
  ),
  lawful('asks-always', 'It asks for an approval and an answer at each prompt.', turnSection, asksAlways),
  lawful('no-slash-commands', 'It ignores slash commands.', 'KODA-54', takesNoSlash),
  lawful('no-footer', 'It sends no footer.', turnSection, () => dropEvents('footer'), {
    'KODA-50': 'there is no footer',
    'KODA-81': 'there is no footer',
  }),
  lawful('no-status', 'It sends no status_update.', turnSection, () => dropEvents('status_update'), {
    'KODA-52': 'there is no status_update',
  }),
  lawful('thinks-without-start', 'It sends no thinking_start.', 'KODA-31', () =>
    dropEvents('thinking_start'),
  ),
  lawful(
    'stops-before-third',
    'It ends a turn before it starts the third identical call.',
    'KODA-51',
    stopsBeforeThird,
  ),
  lawful(
    'context-after-interrupt',
    'It sends context and spinner events before the end of a cancelled turn.',
    'KODA-48',
    () =>
      editEvent('turn_end', (event) => (event.reason.kind === 'cancelled' ? [...asides, event] : [event])),
  ),
  lawful(
    'result-of-blocked',
    'It sends a result of a call that was blocked.',
    'KODA-36',
    afterBlock((id, name) => [{ type: 'tool_call_result', id, name, output: 'blocked' }]),
  ),
  lawful('tag-last', 'It writes the tag of a message behind its fields.', readingSection, () => ({
    writes: tagLast,
  })),
  lawful('unknown-fields', 'Its events have fields that nobody knows.', readingSection, () => ({
    writes: unknownFields,
  })),
  lawful('escapes', 'It escapes all characters outside of ASCII.', readingSection, () => ({
    writes: escaped,
  })),
];
