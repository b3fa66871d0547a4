/** Agents that violate FOLD-A13 to A17, A21 and A22 in their responses. */
import { allFaults, member, onInput, onOutput, onReceive } from '../../../../src/kit/suite/index.ts';
import { agentCodec, directive, parseDirective } from '../../../../src/fold/index.ts';
import type { MessageResponse } from '../../../../src/fold/index.ts';
import { cutInPairs } from '../../texts.ts';
import { hangUp, onRequest, onResponse } from './mutant.ts';
import type { AgentFault, AgentFaults } from './mutant.ts';

/** Sends a further response before each done. */
const beforeDone = (more: (id: string) => MessageResponse) => (): AgentFault =>
  onResponse((r) => (r.done === undefined ? [r] : [more(r.request_id ?? ''), r]));

/** Answers the requests of a lost stream on the next stream. */
const answersTheLost = (): AgentFault => {
  let lost: string[] = [];
  return allFaults(
    onInput('left', (_, { state }) => void (lost = [...state.requests.keys()])),
    onReceive(
      member('welcome', (_, context) => {
        for (const request_id of lost.splice(0)) context.send({ response: { request_id, text: 'at last' } });
      }),
    ),
  );
};

/** The errors that are not caused by a failed request. */
const otherErrors = ['session orphaned', 'shutting down: '];
const failed = ({ error }: MessageResponse): boolean =>
  error !== undefined && !otherErrors.some((other) => error.startsWith(other));

/** Answers an ordinary message, and then waits until it is cancelled. */
const holdsPlain = (): AgentFault =>
  onRequest((message) => {
    const { content = '' } = message;
    return isPlain(content)
      ? [{ ...message, content: directive([{ say: content }, { hold: true }]) }]
      : undefined;
  });

function isPlain(content: string): boolean {
  const steps = parseDirective(content);
  return steps.ok && steps.value === undefined;
}

/** The number of texts in a long answer. */
const longAnswer = 16;

const losesLongEnd = (): AgentFault => {
  const texts = new Map<string, number>();
  return onResponse((r) => {
    const id = r.request_id ?? '';
    if (r.text !== undefined) texts.set(id, (texts.get(id) ?? 0) + 1);
    return r.done !== undefined && (texts.get(id) ?? 0) > longAnswer ? [] : [r];
  });
};

const losesDoneAfterLoss = (): AgentFault => {
  let lost = false;
  return allFaults(
    onInput('left', (_, { state }) => void (lost ||= state.phase === 'ready')),
    onResponse(({ done }) => (lost && done !== undefined ? [] : undefined)),
  );
};

/** Sends a further response after the done of a request that had such an event. */
const afterDone =
  (had: keyof MessageResponse, more: (done: MessageResponse) => MessageResponse) => (): AgentFault => {
    const seen = new Set<string>();
    return onResponse((r) => {
      if (r[had] !== undefined) seen.add(r.request_id ?? '');
      return r.done !== undefined && seen.has(r.request_id ?? '') ? [r, more(r)] : [r];
    });
  };

/** Sends one more text after the done of an ordinary message. */
const speaksOn = (): AgentFault => {
  const ordinary = new Set<string>();
  return allFaults(
    onRequest(({ request_id = '', content = '' }) => {
      if (isPlain(content)) ordinary.add(request_id);
    }),
    onResponse((r) => {
      const { request_id = '', done } = r;
      return done !== undefined && ordinary.has(request_id)
        ? [r, { request_id, text: 'and so on' }]
        : undefined;
    }),
  );
};

/** Sends the last text of a long answer after its done. */
const doneOvertakes = (): AgentFault => {
  const texts = new Map<string, number>();
  const held = new Map<string, MessageResponse>();
  return onResponse((r) => {
    const { request_id = '' } = r;
    const before = held.get(request_id);
    held.delete(request_id);
    if (r.done !== undefined && before !== undefined) return [{ request_id, done: {} }, before];
    const n = (texts.get(request_id) ?? 0) + (r.text === undefined ? 0 : 1);
    texts.set(request_id, n);
    const first = before === undefined ? [] : [before];
    if (r.text === undefined || n <= longAnswer) return [...first, r];
    held.set(request_id, r);
    return first;
  });
};

/** Edits the bytes of texts. */
export const textAsBytes = (make: (bytes: Uint8Array) => Uint8Array) => (): AgentFault =>
  onOutput('send', ({ peer, message }) =>
    message.response?.text === undefined
      ? undefined
      : [{ type: 'send_raw', peer, bytes: make(agentCodec.encode(message)) }],
  );

/** Puts a field before the fields of an encoded response, so that a oneof keeps the other field. Only for short messages, whose length is one byte. */
export const withField =
  (field: readonly number[]) =>
  (bytes: Uint8Array): Uint8Array => {
    const [tag = 0, length = 0, ...rest] = bytes;
    return length + field.length > 127
      ? bytes
      : Uint8Array.from([tag, length + field.length, ...field, ...rest]);
  };

/** An empty `usage` (12). */
const usageField = [0x62, 0x00];

/** Sends bytes before each done. */
export const bytesBeforeDone = (bytes: readonly number[]) => (): AgentFault =>
  onOutput('send', (output) =>
    output.message.response?.done === undefined
      ? undefined
      : [{ type: 'send_raw', peer: output.peer, bytes: Uint8Array.from(bytes) }, output],
  );

const fullResponse = (edit: (full: string, last: string) => string) => (): AgentFault => {
  const last = new Map<string, string>();
  return onResponse((r) => {
    const { request_id = '', text, done } = r;
    if (text !== undefined) last.set(request_id, text);
    const full = done?.full_response ?? '';
    return full === ''
      ? [r]
      : [{ request_id, done: { full_response: edit(full, last.get(request_id) ?? '') } }];
  });
};

const large = 1 << 20;

export const requestFaults: AgentFaults = {
  'unknown-request-id': beforeDone((id) => ({ request_id: `${id}-other`, thinking: 'who asked?' })),
  'no-request-id': beforeDone(() => ({ thinking: 'who asked?' })),
  'answers-the-lost': answersTheLost,
  'fails-in-silence': () => onResponse((r) => (failed(r) ? [] : [r])),
  'loses-the-end-of-a-burst': losesLongEnd,
  'never-ends-the-ordinary': holdsPlain,
  'loses-a-done-among-many': () =>
    onResponse((r, { state }) => (r.done !== undefined && state.requests.size >= 3 ? [] : [r])),
  'ends-nothing-after-a-loss': losesDoneAfterLoss,
  'hangs-up-on-failure': () =>
    onResponse((r, context) => {
      if (!failed(r)) return;
      hangUp(context);
      return [];
    }),
  'thinks-after-done': afterDone('thinking', ({ request_id = '' }) => ({
    request_id,
    thinking: 'and another thing',
  })),
  'speaks-on': speaksOn,
  'done-overtakes-text': doneOvertakes,
  'done-after-error': () =>
    onResponse((r) => (failed(r) ? [r, { request_id: r.request_id ?? '', done: {} }] : [r])),
  'done-twice': afterDone('tool_use', (done) => done),
  'no-event': beforeDone((request_id) => ({ request_id })),
  'two-events': textAsBytes(withField(usageField)),
  'garbage-before-done': bytesBeforeDone([0xff]),
  'full-response-longer': fullResponse((full) => `${full}\n`),
  'full-response-cut-in-pairs': fullResponse((full) => cutInPairs(full)),
  'full-response-last-only': fullResponse((_, last) => last),
  'refuses-attachments': () =>
    onRequest((m) =>
      (m.attachments ?? []).length === 0
        ? undefined
        : [{ ...m, content: directive([{ fail: 'no attachments' }]) }],
    ),
  'doubles-large-texts': () =>
    onResponse((r) => [r.text === undefined || r.text.length < large ? r : { ...r, text: r.text + r.text }]),
};
