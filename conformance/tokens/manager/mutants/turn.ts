/** Testees that go wrong in a turn, by what a response leads to. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { does, isSend, remembers, responds, silentOn } from './turn-mutant.ts';
import { listAt, mutant, objectAt, textAt } from './mutant.ts';

const stops: readonly string[] = ['end_turn', 'stop_sequence', 'refusal', 'content_filter'];

const runsAnyway: AnswerFault = responds((response) =>
  stops.includes(textAt(response, 'stopReason')) && listAt(response, 'toolCalls').length > 0
    ? { ...response, stopReason: 'tool_use' }
    : response,
);

const hasResults = (message: JsonObject): boolean => listAt(message, 'toolResults').length > 0;
const hasCalls = (message: JsonObject): boolean => listAt(message, 'toolCalls').length > 0;

/** Whether the turn ended with calls that did not run. */
const endsPending = (request: JsonObject): boolean => {
  const last = objectAt(listAt(request, 'provider').at(-1) ?? {}, 'response');
  return listAt(last, 'toolCalls').length > 0 && stops.includes(textAt(last, 'stopReason'));
};

const leavesPending: AnswerFault = remembers((history, request) =>
  endsPending(request) ? history.filter((message) => !hasResults(message)) : undefined,
);

const forgetsPending: AnswerFault = remembers((history, request) => {
  if (!endsPending(request)) return undefined;
  return history
    .filter((message) => !hasResults(message))
    .map((message) => {
      const { toolCalls: _, ...rest } = message;
      return hasCalls(message) ? { ...rest, content: textAt(message, 'content') || 'I stop.' } : message;
    });
});

/** Runs what was open: it looks whole once repaired. */
const runsOpen: AnswerFault = responds((response) => {
  const { open, ...rest } = response;
  return open === undefined ? response : { ...rest, stopReason: 'tool_use' };
});

const failed = (request: JsonObject): boolean => 'error' in (listAt(request, 'provider').at(-1) ?? {});

/** After a failure the calls stay, and what came of them goes. */
const losesResults: AnswerFault = remembers((history, request) =>
  failed(request) && history.at(-1) !== undefined && hasResults(history.at(-1) ?? {})
    ? history.slice(0, -1)
    : undefined,
);

/** What it remembers beside the rest, where the model's first text was blank. */
const remembersBeside = (content: string): AnswerFault =>
  remembers((history, request) => {
    const [first] = listAt(request, 'provider');
    if (textAt(objectAt(first ?? {}, 'response'), 'content').trim() !== '') return undefined;
    return [...history, { role: history.at(-1)?.['role'] === 'user' ? 'assistant' : 'user', content }];
  });

const remembersNothing: AnswerFault = remembersBeside('');
const remembersSpace: AnswerFault = remembersBeside(' \n');

const wasCut = (request: JsonObject): boolean =>
  textAt(objectAt(listAt(request, 'provider')[0] ?? {}, 'response'), 'stopReason') === 'max_tokens';

/** Sends the same once more after a dropped call. */
const sendsTheSame: AnswerFault = does((actions, request) => {
  const first = actions.find(isSend);
  return wasCut(request) && listAt(request, 'provider').length < 4
    ? actions.map((action) => (isSend(action) && first !== undefined ? first : action))
    : undefined;
});

/** As often as the provider answers. */
const neverGivesUp: AnswerFault = does((actions, request) => {
  const provider = listAt(request, 'provider');
  if (!wasCut(request) || provider.length < 20) return undefined;
  const send = actions.findLast(isSend);
  const more = provider.flatMap(() => [{ do: 'retry', delay: 0, code: 'dropped' }, send ?? {}]);
  return [...actions.slice(0, -1), ...more, ...actions.slice(-1)];
});

/** The provider's words that everybody knows. */
const known = [
  ...stops,
  'tool_use',
  'max_tokens',
  'max_output_tokens',
  'context_window',
  'pause_turn',
  'cancelled',
  'error',
];

const takesUnknown = (stopReason: string): AnswerFault =>
  responds((response) =>
    known.includes(textAt(response, 'stopReason')) ? response : { ...response, stopReason },
  );

/** Mutants of what responses lead to. */
export const turnMutants: readonly Mutant[] = [
  mutant(14, 'runs-anyway', 'It runs calls whatever the stop reason is.', runsAnyway),
  mutant(14, 'leaves-pending', 'It leaves calls without results when a turn ends.', leavesPending),
  mutant(14, 'forgets-pending', 'It forgets calls that did not run.', forgetsPending),
  mutant(
    40,
    'unknown-in-silence',
    'It does not say that it met an unknown stop reason.',
    silentOn('unknown'),
  ),
  mutant(
    40,
    'unknown-is-end-turn',
    'It takes an unknown stop reason for the end of the turn.',
    takesUnknown('end_turn'),
  ),
  mutant(
    40,
    'unknown-is-tool-use',
    'It takes an unknown stop reason for tool_use.',
    takesUnknown('tool_use'),
  ),
  mutant(
    40,
    'one-spelling-of-window',
    'It does not know context_window_exceeded.',
    responds((response) =>
      response['stopReason'] === 'context_window_exceeded'
        ? { ...response, stopReason: 'window_exceeded' }
        : response,
    ),
  ),
  mutant(47, 'runs-open', 'It runs a call that was cut, once it is repaired.', runsOpen),
  mutant(
    48,
    'remembers-nothing',
    'It keeps an empty message where the model said nothing.',
    remembersNothing,
  ),
  mutant(48, 'remembers-space', 'It takes white space for something that was said.', remembersSpace),
  mutant(48, 'fails-pending', 'When a turn fails it forgets what came of its calls.', losesResults),
  mutant(49, 'sends-the-same', 'After a dropped call it sends the same again.', sendsTheSame),
  mutant(49, 'never-gives-up', 'It tries again as often as calls are dropped.', neverGivesUp),
];
