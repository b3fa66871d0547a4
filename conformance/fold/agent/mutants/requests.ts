/** Agents that violate FOLD-A13 to A17, A21 and A22 in their responses. */
import { agentCodec, directive, parseDirective } from '../../../../src/fold/index.ts';
import type { MessageResponse, SendMessage } from '../../../../src/fold/index.ts';
import { cutInPairs } from '../../texts.ts';
import { editIncoming, editRequests, editResponses, hangUp } from './mutant.ts';
import type { AgentFault, FaultContext, Output, AgentFaults } from './mutant.ts';

type ResponseEdit = (response: MessageResponse, context: FaultContext) => readonly MessageResponse[];

/** Sends a further response before each done. */
const beforeDone = (more: (id: string) => MessageResponse) => (): AgentFault =>
  editResponses((r) => (r.done === undefined ? [r] : [more(r.request_id ?? ''), r]));

/** Answers the requests of a lost stream on the next stream. */
const answersTheLost = (): AgentFault => {
  let lost: string[] = [];
  return {
    input(input, context) {
      if (input.type === 'left') lost = [...context.state.requests.keys()];
      const back = input.type === 'message' && input.message.welcome !== undefined;
      for (const request_id of back ? lost.splice(0) : [])
        context.send({ response: { request_id, text: 'at last' } });
      return [input];
    },
  };
};

/** The errors that are not caused by a failed request. */
const otherErrors = ['session orphaned', 'shutting down: '];
const failed = ({ error }: MessageResponse): boolean =>
  error !== undefined && !otherErrors.some((other) => error.startsWith(other));

/** Answers an ordinary message, and then waits until it is cancelled. */
function holdsPlain(message: SendMessage): SendMessage {
  const content = message.content ?? '';
  const steps = parseDirective(content);
  return steps.ok && steps.value === undefined
    ? { ...message, content: directive([{ say: content }, { hold: true }]) }
    : message;
}

/** The number of texts in a long answer. */
const longAnswer = 16;

const losesLongEnd = (): AgentFault => {
  const texts = new Map<string, number>();
  return editResponses((r) => {
    const id = r.request_id ?? '';
    if (r.text !== undefined) texts.set(id, (texts.get(id) ?? 0) + 1);
    return r.done !== undefined && (texts.get(id) ?? 0) > longAnswer ? [] : [r];
  });
};

const losesDoneAfterLoss = (): AgentFault => {
  let lost = false;
  return {
    input(input, { state }) {
      lost ||= input.type === 'left' && state.phase === 'ready';
      return [input];
    },
    ...editResponses((r) => (lost && r.done !== undefined ? [] : [r])),
  };
};

const hangsUpOnFailure: ResponseEdit = (r, context) => {
  if (!failed(r)) return [r];
  hangUp(context);
  return [];
};

/** Sends a further response after the done of a request that had such an event. */
const afterDone =
  (had: keyof MessageResponse, more: (done: MessageResponse) => MessageResponse) => (): AgentFault => {
    const seen = new Set<string>();
    return editResponses((r) => {
      if (r[had] !== undefined) seen.add(r.request_id ?? '');
      return r.done !== undefined && seen.has(r.request_id ?? '') ? [r, more(r)] : [r];
    });
  };

/** Sends one more text after the done of an ordinary message. */
const speaksOn = (): AgentFault => {
  const ordinary = new Set<string>();
  return {
    ...editIncoming((m) => {
      const steps = parseDirective(m.send_message?.content ?? '');
      if (steps.ok && steps.value === undefined) ordinary.add(m.send_message?.request_id ?? '');
      return [m];
    }),
    ...editResponses((r) => {
      const { request_id = '', done } = r;
      return done !== undefined && ordinary.has(request_id) ? [r, { request_id, text: 'and so on' }] : [r];
    }),
  };
};

/** Sends the last text of a long answer after its done. */
const doneOvertakes = (): AgentFault => {
  const texts = new Map<string, number>();
  const held = new Map<string, MessageResponse>();
  return editResponses((r) => {
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
const textAsBytes = (make: (bytes: Uint8Array) => Uint8Array) => (): AgentFault => ({
  output(output): readonly Output[] {
    if (output.type !== 'send' || output.message.response?.text === undefined) return [output];
    return [{ type: 'send_raw', peer: output.peer, bytes: make(agentCodec.encode(output.message)) }];
  },
});

/** Puts a field before the fields of an encoded response, so that a oneof keeps the other field. Only for short messages, whose length is one byte. */
const withField =
  (field: readonly number[]) =>
  (bytes: Uint8Array): Uint8Array => {
    const [tag = 0, length = 0, ...rest] = bytes;
    return length + field.length > 127
      ? bytes
      : Uint8Array.from([tag, length + field.length, ...field, ...rest]);
  };

/** An empty `usage` (12). */
const usageField = [0x62, 0x00];

const garbageBeforeDone = (): AgentFault => ({
  output(output): readonly Output[] {
    if (output.type !== 'send' || output.message.response?.done === undefined) return [output];
    return [{ type: 'send_raw', peer: output.peer, bytes: Uint8Array.of(0xff) }, output];
  },
});

const fullResponse = (edit: (full: string, last: string) => string) => (): AgentFault => {
  const last = new Map<string, string>();
  return editResponses((r) => {
    const { request_id = '', text, done } = r;
    if (text !== undefined) last.set(request_id, text);
    const full = done?.full_response ?? '';
    return full === ''
      ? [r]
      : [{ request_id, done: { full_response: edit(full, last.get(request_id) ?? '') } }];
  });
};

const large = 1 << 20;

/** Mutants of this theme. */
export const requestFaults: AgentFaults = {
  'unknown-request-id': beforeDone((id) => ({ request_id: `${id}-other`, thinking: 'who asked?' })),
  'no-request-id': beforeDone(() => ({ thinking: 'who asked?' })),
  'answers-the-lost': answersTheLost,
  'fails-in-silence': () => editResponses((r) => (failed(r) ? [] : [r])),
  'loses-the-end-of-a-burst': losesLongEnd,
  'never-ends-the-ordinary': editRequests(holdsPlain),
  'loses-a-done-among-many': () =>
    editResponses((r, { state }) => (r.done !== undefined && state.requests.size >= 3 ? [] : [r])),
  'ends-nothing-after-a-loss': losesDoneAfterLoss,
  'hangs-up-on-failure': () => editResponses(hangsUpOnFailure),
  'thinks-after-done': afterDone('thinking', ({ request_id = '' }) => ({
    request_id,
    thinking: 'and another thing',
  })),
  'speaks-on': speaksOn,
  'done-overtakes-text': doneOvertakes,
  'done-after-error': () =>
    editResponses((r) => (failed(r) ? [r, { request_id: r.request_id ?? '', done: {} }] : [r])),
  'done-twice': afterDone('tool_use', (done) => done),
  'no-event': beforeDone((request_id) => ({ request_id })),
  'two-events': textAsBytes(withField(usageField)),
  'garbage-before-done': garbageBeforeDone,
  'full-response-longer': fullResponse((full) => `${full}\n`),
  'full-response-cut-in-pairs': fullResponse((full) => cutInPairs(full)),
  'full-response-last-only': fullResponse((_, last) => last),
  'refuses-attachments': editRequests((m) =>
    (m.attachments ?? []).length === 0 ? m : { ...m, content: directive([{ fail: 'no attachments' }]) },
  ),
  'doubles-large-texts': () =>
    editResponses((r) => [
      r.text === undefined || r.text.length < large ? r : { ...r, text: r.text + r.text },
    ]),
};
