/** FOLD-A01 to A05: how an agent registers. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { FoldView } from '../view.ts';
import { agentMessage } from '../view.ts';

const named = (event: TraceEvent): string =>
  Object.keys(event.data)[0] ??
  (event.kind === 'undecodable' ? 'bytes that are no AgentMessage' : 'an empty AgentMessage');

const firstMessage = rule({
  requirement: 'FOLD-A01',
  listens: ['unready', 'end', 'reset'],
  start: () => ({ spoken: new Set<string>() }),
  step(state, event, view: FoldView) {
    if (event.kind === 'end' || event.kind === 'reset') return void state.spoken.delete(event.stream);
    if (view.stream?.session.register !== undefined) return undefined;
    if (state.spoken.has(event.stream)) return undefined;
    state.spoken.add(event.stream);
    if (event.data['register'] !== undefined) return exercised(event);
    return violated(event, `expected register as the first message of the stream; came ${named(event)}`);
  },
});

const agentId = rule({
  requirement: 'FOLD-A02',
  listens: ['register'],
  start: () => null,
  step(_, event, _view: FoldView) {
    const id = agentMessage(event).register?.agent_id ?? '';
    return id === ''
      ? violated(event, 'expected a non-empty agent_id in register; it is empty')
      : exercised(event);
  },
});

const identityFields = [
  'name',
  'metadata.working_directory',
  'metadata.hostname',
  'metadata.os',
  'metadata.backend',
];

const identity = rule({
  requirement: 'FOLD-A03',
  listens: ['register'],
  start: () => null,
  step(_, event, _view: FoldView) {
    const { name, metadata = {} } = agentMessage(event).register ?? {};
    const { working_directory, hostname, os, backend } = metadata;
    const filled = [name, working_directory, hostname, os, backend];
    const empty = identityFields.filter((_field, i) => (filled[i] ?? '') === '');
    if (empty.length === 0) return exercised(event);
    return violated(
      event,
      `expected name, working_directory, hostname, os and backend in register; empty: ${empty.join(', ')}`,
    );
  },
});

const once = rule({
  requirement: 'FOLD-A04',
  listens: ['register', 'welcome'],
  start: () => null,
  step(_, event, view: FoldView) {
    if (event.data['welcome'] !== undefined) return exercised(event);
    const first = view.stream?.session.register;
    if (first === undefined) return undefined;
    return violated(event, 'expected one register a stream; a second came', [first.seq]);
  },
});

/** A delay of Welcome that is long enough to show that the agent waits for it (ms). */
const heldBack = 200;

const waitsForWelcome = rule({
  requirement: 'FOLD-A05',
  listens: ['unready', 'welcome'],
  start: () => null,
  step(_, event, view: FoldView) {
    const session = view.stream?.session;
    if (session?.register === undefined || session.phase !== 'registered') return undefined;
    if (event.data['welcome'] !== undefined)
      return event.at - session.register.at >= heldBack ? exercised(event) : undefined;
    if (event.data['register'] !== undefined) return undefined;
    return violated(event, `expected nothing between register and Welcome; came ${named(event)}`, [
      session.register.seq,
    ]);
  },
});

export const registrationRules: readonly Rule<FoldView>[] = [
  firstMessage,
  agentId,
  identity,
  once,
  waitsForWelcome,
];
