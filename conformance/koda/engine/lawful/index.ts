/** Engines with oddities that the protocol allows. */
import { lawfulOf, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { directive } from '../../../../src/koda/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { escaped, tagLast, unknownFields } from '../../shared/mutants/spellings.ts';
import { afterBlock } from '../mutants/approvals.ts';
import { drops, engineWith } from '../mutants/mutant.ts';
import type { EngineFaults } from '../mutants/mutant.ts';

/** Sends each event some milliseconds after the one before. */
const paced = (ms: number) => (): EngineFault => {
  let free = 0;
  return onSend((event, context, peer) => {
    free = Math.max(free, context.now) + ms;
    context.later(free - context.now, (then) => then.send(event, peer));
    return [];
  });
};

/** Events that may come at any time. */
const asides: readonly EngineEvent[] = [
  { type: 'info', message: 'by the way' },
  { type: 'context_usage', used: 99, max: 32000 },
  { type: 'spinner_start', message: 'Working' },
  { type: 'spinner_stop' },
];

const isPlain = (text: string): boolean => !text.startsWith('{"wireproof"');

/** Has an approval and a question in the turn of each prompt that is no directive. */
const asksAlways = (): EngineFault =>
  onReceive('user_prompt', (command) =>
    isPlain(command.text) ? [{ ...command, text: directive([bash, askUser, { say: 'Hello.' }]) }] : undefined,
  );

const bash = { tool: { name: 'Bash', args: { command: 'ls' }, approval: {} } };
const askUser = { tool: { name: 'AskUser', ask: { question: 'Which database?' } } };

/** Drops the start of a third identical edit: the turn ends before it. */
const stopsBeforeThird = (): EngineFault => {
  const times = new Map<string, number>();
  return onSend('tool_call_start', ({ name, args }) => {
    if (name !== 'Edit') return;
    const key = JSON.stringify(args);
    const came = (times.get(key) ?? 0) + 1;
    times.set(key, came);
    return came === 3 ? [] : undefined;
  });
};

const oddities: EngineFaults = {
  slow: paced(15),
  // Before each event, in a turn and outside.
  chatty: () => onSend((event) => [...asides, event]),
  'blank-deltas': () =>
    onSend('response_start', (event) => [
      { type: 'text_delta', text: '' },
      { type: 'text_delta', text: ' \n' },
      event,
    ]),
  'repeats-spinner-stop': () => onSend('spinner_stop', (event) => [event, event, event]),
  'no-spinner': () => drops('spinner_start', 'spinner_stop'),
  'asks-always': asksAlways,
  'no-slash-commands': () => onReceive('slash_command', () => []),
  'no-footer': () => drops('footer'),
  'no-status': () => drops('status_update'),
  'thinks-without-start': () => drops('thinking_start'),
  'stops-before-third': stopsBeforeThird,
  'context-after-interrupt': () =>
    onSend('turn_end', (event) => (event.reason.kind === 'cancelled' ? [...asides, event] : undefined)),
  'result-of-blocked': afterBlock((id, name) => [{ type: 'tool_call_result', id, name, output: 'blocked' }]),
  'tag-last': () => ({ writes: tagLast }),
  'unknown-fields': () => ({ writes: unknownFields }),
  escapes: () => ({ writes: escaped }),
};

export const lawfulEngines: () => readonly LawfulPeer[] = lawfulOf('koda/engine', [oddities], engineWith);
