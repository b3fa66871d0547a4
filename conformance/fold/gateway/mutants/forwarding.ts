/** Gateways that violate FOLD-G19 and G20 when they forward events to operators. */
import { allFaults, holdUntil, member, onOutput } from '../../../../src/kit/suite/index.ts';
import type { MessageResponse, OperatorReply } from '../../../../src/fold/index.ts';
import { asLatin1, cutInPairs } from '../../texts.ts';
import { onClose, onResponse, toOperators } from './faults.ts';
import type { MessageEdit, GatewayFault, Output } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

const shows = (edit: MessageEdit<OperatorReply>) => (): GatewayFault => toOperators(edit);

/** Changes the outputs of tools that operators see. */
const showsOutputs = (change: (text: string) => string): (() => GatewayFault) =>
  shows(member('tool_result', (result) => [{ ...result, output: change(result.output) }]));

/** Hides events of one kind from operators. */
const hides = (name: keyof OperatorReply): (() => GatewayFault) => shows(member(name, () => []));

/** Shows an agent's texts to other requesters, too: of the same agent, or of all agents. */
const toOthers = (ofOneAgent: boolean) => (): GatewayFault =>
  onResponse((r, context, peer) => {
    const { requests } = context.state;
    const own = requests.get(r.request_id ?? '');
    if (r.text === undefined || own === undefined) return;
    for (const { agent, operator } of requests.values())
      if (operator !== own.operator && (agent === peer) === ofOneAgent)
        context.send({ text: { text: r.text } }, operator);
  });

/** Shows an event of a kind only after the next event. */
const behind = (name: keyof OperatorReply) => (): GatewayFault =>
  toOperators(
    holdUntil(
      (m, held) => held.length === 0 && m[name] !== undefined,
      (m, held) => [m, ...held],
    ),
  );

/** The size of a request's buffer (responses). */
const buffer = 256;
/** The time without a response after which the buffer is empty (ms). */
const emptied = 50;

/** Edits a response that comes while the buffer of its request is full. */
const whenFull = (edit: (response: MessageResponse) => readonly MessageResponse[]) => (): GatewayFault => {
  const buffers = new Map<string, { n: number; at: number }>();
  return onResponse((r, { now }) => {
    const { request_id = '' } = r;
    const before = buffers.get(request_id);
    const n = before === undefined || now - before.at > emptied ? 1 : before.n + 1;
    buffers.set(request_id, { n, at: now });
    return n > buffer ? edit(r) : [r];
  });
};

/** Drops outputs of a kind. */
const never = (type: Output['type']): GatewayFault => onOutput(type, () => []);

/** Drops texts for a slow operator instead of slowing its agent. */
const dropsForTheSlow = (): GatewayFault =>
  allFaults(
    never('pause'),
    toOperators(
      member('text', (_, { state }, peer) => (state.links.get(peer)?.full === true ? [] : undefined)),
    ),
  );

/** Ignores an empty done. The operator's stream stays open. */
const passesOverEmptyDone = (): GatewayFault => {
  const passed = new Set<string>();
  return allFaults(
    toOperators(
      member('done', ({ full_response }, _, peer) => {
        if (full_response !== '') return;
        passed.add(peer);
        return [];
      }),
    ),
    onClose('operator', (close) => (passed.has(close.peer) ? [] : [close])),
  );
};

export const forwardingFaults: GatewayFaults = {
  'text-to-all-of-the-agent': toOthers(true),
  'text-to-all': toOthers(false),
  'result-twice': shows(member('tool_result', (result) => [result, result])),
  'text-twice': () => {
    let last = -1;
    return toOperators(
      member('text', (text, { now }) => {
        const again = now === last;
        last = now;
        return again ? [text, text] : undefined;
      }),
    );
  },
  'thinking-late': behind('thinking'),
  'tool-use-late': behind('tool_use'),
  'drops-tail-of-a-burst': whenFull((r) => (r.text === undefined ? [r] : [])),
  'drops-the-end-under-load': whenFull((r) => (r.text === undefined ? [] : [r])),
  'drops-for-the-slow': dropsForTheSlow,
  'never-reads-on': () => never('resume'),
  'approval-request-swallowed': hides('tool_approval'),
  'full-response-lost': shows(member('done', () => [{ full_response: '' }])),
  'file-changed': shows(member('file', (file) => [{ ...file, data: '68656c6c6f' }])),
  'thinking-lost': hides('thinking'),
  'end-without-event': hides('done'),
  'shows-latin1': showsOutputs(asLatin1),
  'shows-cut-pairs': showsOutputs(cutInPairs),
  'trims-texts': shows(member('text', ({ text }) => [{ text: text.trimEnd() }])),
  'failed-result-lost': shows(member('tool_result', ({ is_error }) => (is_error ? [] : undefined))),
  'failure-as-success': shows(member('tool_result', (result) => [{ ...result, is_error: false }])),
  'empty-done-lost': passesOverEmptyDone,
  'error-lost': () => onResponse((r) => (r.error === undefined ? [r] : [])),
};
