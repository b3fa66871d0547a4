/** A fault of agents: after a cancel, the last model request of the cancelled request is sent again. */
import { isObject, jsonOf } from '../../../src/kit/base/index.ts';
import type { JsonObject, RoleOutput } from '../../../src/kit/base/index.ts';
import type { AgentOut } from '../../../src/agent/index.ts';
import { foldMessage } from './mutants/mutant.ts';
import type { AgentFault } from './target.ts';

type Output = RoleOutput<AgentOut>;
type Dial = Extract<Output, { type: 'dial' }>;

export const isModelDial = (output: Output): output is Dial =>
  output.type === 'dial' && output.metadata[':url'] !== undefined;

/** The id of the request that an output ends as cancelled. */
export const cancelledBy = (output: Output): string | undefined => {
  const response = output.type === 'send' ? foldMessage(output.message)?.response : undefined;
  return response?.cancelled === undefined ? undefined : response.request_id;
};

/** `after`: how long after the cancel (ms); `edit` changes the body of the request. */
export function asksAgain(after: number, edit?: (body: JsonObject) => JsonObject): AgentFault {
  /** By request: its content. */
  const contents = new Map<string, string>();
  /** By link to the model: everything that was sent on it. */
  const sent = new Map<string, Output[]>();
  return {
    input(input) {
      const message = input.type === 'message' && !('chunk' in input.message) ? input.message : {};
      const { request_id: id = '', content = '' } = message.send_message ?? {};
      if (content !== '') contents.set(id, content);
      return [input];
    },
    output(output, context) {
      if (isModelDial(output)) sent.set(output.peer, []);
      if ('peer' in output && output.type !== 'close') sent.get(output.peer)?.push(output);
      const content = contents.get(cancelledBy(output) ?? '');
      if (content === undefined) return [output];
      const last = [...sent.values()].findLast((outputs) => textOf(outputs).includes(content)) ?? [];
      const peer = `again ${content}`;
      context.later(after, (later) => {
        for (const one of edit === undefined ? last : edited(last, edit))
          later.put('peer' in one ? { ...one, peer } : one);
      });
      return [output];
    },
  };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const chunkOf = (output: Output): Uint8Array | undefined =>
  output.type === 'send' && 'chunk' in output.message ? output.message.chunk : undefined;

const textOf = (outputs: readonly Output[]): string =>
  outputs.map((one) => decoder.decode(chunkOf(one) ?? new Uint8Array())).join('');

/** A model request with another body. */
function edited(outputs: readonly Output[], edit: (body: JsonObject) => JsonObject): readonly Output[] {
  const body = jsonOf(textOf(outputs));
  if (!isObject(body)) return outputs;
  const chunk = encoder.encode(JSON.stringify(edit(body)));
  return outputs.map((one): Output => {
    if (isModelDial(one))
      return { ...one, metadata: { ...one.metadata, 'content-length': String(chunk.length) } };
    return one.type === 'send' && chunkOf(one) !== undefined ? { ...one, message: { chunk } } : one;
  });
}
