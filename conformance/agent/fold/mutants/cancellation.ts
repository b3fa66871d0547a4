/** Mutants that cancel wrongly below: AGENT-01 to AGENT-03. */
import type { RoleOutput } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentOut } from '../../../../src/agent/index.ts';
import type { AgentFault } from '../target.ts';
import { foldMessage, mutant } from './mutant.ts';

type Output = RoleOutput<AgentOut>;

const toModel = (output: Output): boolean => output.type === 'dial' && output.metadata[':url'] !== undefined;

/** The id of the request that an output ends as cancelled. */
const cancelledBy = (output: Output): string | undefined => {
  const response = output.type === 'send' ? foldMessage(output.message)?.response : undefined;
  return response?.cancelled === undefined ? undefined : response.request_id;
};

/** Repeats the last model request of a request that was cancelled. */
function asksAgain(): AgentFault {
  /** By request: its content. */
  const contents = new Map<string, string>();
  /** By link to the model: everything that was sent on it. */
  const sent = new Map<string, Output[]>();
  const textOf = (outputs: readonly Output[]): string =>
    outputs
      .map((one) => (one.type === 'send' && 'chunk' in one.message ? decoder.decode(one.message.chunk) : ''))
      .join('');
  return {
    input(input) {
      const message = input.type === 'message' && !('chunk' in input.message) ? input.message : {};
      const { request_id: id = '', content = '' } = message.send_message ?? {};
      if (content !== '') contents.set(id, content);
      return [input];
    },
    output(output, context) {
      if (toModel(output) && output.type === 'dial') sent.set(output.peer, []);
      if ('peer' in output && output.type !== 'close') sent.get(output.peer)?.push(output);
      const content = contents.get(cancelledBy(output) ?? '');
      if (content === undefined) return [output];
      const last = [...sent.values()].findLast((outputs) => textOf(outputs).includes(content)) ?? [];
      const peer = `again ${content}`;
      context.later(againAfter, (later) => {
        for (const one of last) later.put('peer' in one ? { ...one, peer } : one);
      });
      return [output];
    },
  };
}

/** Too late for a request that the cancel crossed (ms). */
const againAfter = 800;
const decoder = new TextDecoder();

/** Lets go of all model requests when one request is cancelled. */
function endsAll(): AgentFault {
  const open = new Set<string>();
  return {
    input(input) {
      if (input.type === 'left') open.delete(input.peer);
      return [input];
    },
    output(output) {
      if (toModel(output) && output.type === 'dial') open.add(output.peer);
      if (output.type === 'close') open.delete(output.peer);
      if (cancelledBy(output) === undefined) return [output];
      const status = { code: 0, message: '' };
      return [output, ...[...open].map((peer): Output => ({ type: 'close', peer, status }))];
    },
  };
}

/** The mutants of this theme. */
export const cancellationMutants: readonly Mutant[] = [
  mutant('AGENT-01', 'asks-again', 'It makes its last model request again after a cancel.', () => ({
    fault: asksAgain(),
  })),
  mutant(
    'AGENT-02',
    'ignores-cancel-below',
    'It does not let go of the model request of a cancelled request.',
    () => ({
      parts: { abandon: () => [] },
    }),
  ),
  mutant(
    'AGENT-03',
    'cancels-all',
    'It lets go of all model requests when one request is cancelled.',
    () => ({
      fault: endsAll(),
    }),
  ),
];
