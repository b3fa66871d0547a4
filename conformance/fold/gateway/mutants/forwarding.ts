/** Gateways that violate FOLD-G19 and G20 when they forward events to operators. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { MessageResponse, OperatorReply } from '../../../../src/fold/index.ts';
import { asLatin1, cutInPairs } from '../../texts.ts';
import { both, editCloses, editResponses, toOperators } from './faults.ts';
import type { MessageEdit, GatewayFault, Output } from './faults.ts';
import { mutant } from './mutant.ts';

/** Edits the replies to operators. */
const shows = (edit: MessageEdit<OperatorReply>) => (): GatewayFault => toOperators(edit);

/** Changes the outputs of tools that operators see. */
const showsOutputs = (change: (text: string) => string): (() => GatewayFault) =>
  shows(({ tool_result: result, ...m }) => [
    result === undefined ? m : { tool_result: { ...result, output: change(result.output) } },
  ]);

/** Hides events of one kind from operators. */
const hides = (name: keyof OperatorReply): (() => GatewayFault) =>
  shows((m) => (m[name] === undefined ? [m] : []));

/** Shows an agent's texts to other requesters, too: of the same agent, or of all agents. */
const toOthers = (ofOneAgent: boolean) => (): GatewayFault =>
  editResponses((r, context, peer) => {
    const { requests } = context.state;
    const own = requests.get(r.request_id ?? '');
    if (r.text === undefined || own === undefined) return [r];
    for (const { agent, operator } of requests.values())
      if (operator !== own.operator && (agent === peer) === ofOneAgent)
        context.send({ text: { text: r.text } }, operator);
    return [r];
  });

/** Shows an event of a kind only after the next event. */
const behind = (name: keyof OperatorReply) => (): GatewayFault => {
  const held = new Map<string, OperatorReply>();
  return toOperators((m, _, peer) => {
    const before = held.get(peer);
    held.delete(peer);
    if (before !== undefined) return [m, before];
    if (m[name] === undefined) return [m];
    held.set(peer, m);
    return [];
  });
};

/** The size of a request's buffer (responses). */
const buffer = 256;
/** The time without a response after which the buffer is empty (ms). */
const emptied = 50;

/** Edits a response that comes while the buffer of its request is full. */
const whenFull = (edit: (response: MessageResponse) => readonly MessageResponse[]) => (): GatewayFault => {
  const buffers = new Map<string, { n: number; at: number }>();
  return editResponses((r, { now }) => {
    const { request_id = '' } = r;
    const before = buffers.get(request_id);
    const n = before === undefined || now - before.at > emptied ? 1 : before.n + 1;
    buffers.set(request_id, { n, at: now });
    return n > buffer ? edit(r) : [r];
  });
};

/** Drops outputs of a kind. */
const never = (type: Output['type']): GatewayFault => ({
  output: (output) => (output.type === type ? [] : [output]),
});

/** Drops texts for a slow operator instead of slowing its agent. */
const dropsForTheSlow = (): GatewayFault =>
  both(
    never('pause'),
    toOperators((m, { state }, peer) =>
      m.text !== undefined && state.links.get(peer)?.full === true ? [] : [m],
    ),
  );

/** Ignores an empty done. The operator's stream stays open. */
const passesOverEmptyDone = (): GatewayFault => {
  const passed = new Set<string>();
  return both(
    toOperators((m, _, peer) => {
      if (m.done === undefined || m.done.full_response !== '') return [m];
      passed.add(peer);
      return [];
    }),
    editCloses('operator', (close) => (passed.has(close.peer) ? [] : [close])),
  );
};

/** Mutants of this theme. */
export const forwardingMutants: readonly Mutant[] = [
  mutant(
    'FOLD-G19',
    'text-to-all-of-the-agent',
    'It shows the text of a request to the requesters of all that its agent works on.',
    toOthers(true),
  ),
  mutant(
    'FOLD-G19',
    'text-to-all',
    "It shows the text of a request to requesters of other agents' work.",
    toOthers(false),
  ),
  mutant(
    'FOLD-G19',
    'result-twice',
    'It shows a tool_result twice.',
    shows((m) => (m.tool_result === undefined ? [m] : [m, m])),
  ),
  mutant(
    'FOLD-G19',
    'text-twice',
    'It shows a text twice, where two come in one millisecond.',
    (): GatewayFault => {
      let last = -1;
      return toOperators((m, { now }) => {
        const again = m.text !== undefined && now === last;
        if (m.text !== undefined) last = now;
        return again ? [m, m] : [m];
      });
    },
  ),
  mutant(
    'FOLD-G19',
    'thinking-late',
    'It shows thinking only after the event that follows it.',
    behind('thinking'),
  ),
  mutant(
    'FOLD-G19',
    'tool-use-late',
    'It shows a tool_use only after the event that follows it.',
    behind('tool_use'),
  ),
  mutant(
    'FOLD-G20',
    'drops-tail-of-a-burst',
    'It drops texts when 256 are waiting.',
    whenFull((r) => (r.text === undefined ? [r] : [])),
  ),
  mutant(
    'FOLD-G20',
    'drops-the-end-under-load',
    'It drops the end of a request when 256 texts are waiting.',
    whenFull((r) => (r.text === undefined ? [] : [r])),
  ),
  mutant(
    'FOLD-G20',
    'drops-for-the-slow',
    'It drops texts for an operator that does not read in time.',
    dropsForTheSlow,
  ),
  mutant(
    'FOLD-G20',
    'never-reads-on',
    'It reads nothing more from an agent whose operator was slow once.',
    () => never('resume'),
  ),
  mutant('FOLD-G20', 'approval-request-swallowed', 'It shows no tool_approval.', hides('tool_approval')),
  mutant(
    'FOLD-G20',
    'full-response-lost',
    'It shows done without full_response, also where the agent sent no text.',
    shows((m) => [m.done === undefined ? m : { done: { full_response: '' } }]),
  ),
  mutant(
    'FOLD-G20',
    'file-changed',
    'It shows the data of a file as hexadecimal digits.',
    shows((m) => [m.file === undefined ? m : { file: { ...m.file, data: '68656c6c6f' } }]),
  ),
  mutant('FOLD-G20', 'thinking-lost', 'It shows no thinking.', hides('thinking')),
  mutant(
    'FOLD-G20',
    'end-without-event',
    'It ends the stream of a requester without showing done.',
    hides('done'),
  ),
  mutant(
    'FOLD-G20',
    'shows-latin1',
    'It shows the UTF-8 of the output of a tool as latin1.',
    showsOutputs(asLatin1),
  ),
  mutant(
    'FOLD-G20',
    'shows-cut-pairs',
    'It cuts the output of a tool between the halves of a surrogate pair.',
    showsOutputs(cutInPairs),
  ),
  mutant(
    'FOLD-G20',
    'trims-texts',
    'It trims the end of each text.',
    shows((m) => [m.text === undefined ? m : { text: { text: m.text.text.trimEnd() } }]),
  ),
  mutant(
    'FOLD-G20',
    'failed-result-lost',
    'It shows no tool_result that is an error.',
    shows((m) => (m.tool_result?.is_error === true ? [] : [m])),
  ),
  mutant(
    'FOLD-G20',
    'failure-as-success',
    'It shows a tool_result with an error as one without.',
    shows((m) => [m.tool_result === undefined ? m : { tool_result: { ...m.tool_result, is_error: false } }]),
  ),
  mutant('FOLD-G20', 'empty-done-lost', 'It ignores a done without full_response.', passesOverEmptyDone),
  mutant('FOLD-G20', 'error-lost', "It ignores an agent's error.", () =>
    editResponses((r) => (r.error === undefined ? [r] : [])),
  ),
];
