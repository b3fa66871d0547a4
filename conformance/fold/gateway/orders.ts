/** The orders that an operator types at a simulated gateway, as calls. What a line leaves out is filled in from the traffic. */
import { visible, word } from '../../../src/kit/simulate/index.ts';
import type { Order } from '../../../src/kit/simulate/index.ts';
import type { Status } from '../../../src/kit/base/index.ts';
import { directive } from '../../../src/fold/index.ts';
import type { OperatorReply, OperatorRequest } from '../../../src/fold/index.ts';
import { messageText } from './lines.ts';

/** What a line may leave out. */
export interface Seen {
  /** Agents that are connected, by id, in the order they came. */
  readonly agents: readonly string[];
  /** The request that was sent last. */
  readonly request: string | undefined;
  /** The tools that wait for a decision, oldest first. */
  readonly asked: readonly { readonly agent: string; readonly tool: string }[];
}

/** Makes an operator's call; `end` is called once. */
export type Ask = (
  request: OperatorRequest,
  on: { reply(reply: OperatorReply): void; end(status: Status): void },
) => unknown;

/** A call, or why there is none. */
type Parsed = OperatorRequest | string;
type Parse = (rest: string, seen: Seen) => Parsed;

/** An order to an agent: the one named by `@id`, or the one that came last. */
const toAgent =
  (to: (agent_id: string, rest: string) => Parsed): Parse =>
  (rest, { agents }) => {
    const [first, after] = word(rest);
    const agent = first.startsWith('@') ? first.slice(1) : agents.at(-1);
    if (agent === undefined) return 'no agent is connected; start one, or name one by @id';
    return to(agent, first.startsWith('@') ? after : rest.trim());
  };

const send = (contentOf: (text: string) => string | undefined): Parse =>
  toAgent((agent_id, text) => {
    const content = contentOf(text);
    if (content === undefined || content === '') return 'expected something to send: send [@agent] TEXT';
    return { send: { content, sender: 'operator', agent_id } };
  });

/** JSON steps as the content of a directive; undefined when they are none. */
function directiveOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return directive(Array.isArray(value) ? value : [value]);
  } catch {
    return undefined;
  }
}

const cancel: Parse = (rest, { request }) => {
  const [first, reason] = word(rest);
  const request_id = first === '' || first === 'last' ? request : first;
  if (request_id === undefined) return 'no request was sent yet';
  return { cancel: { request_id, reason: reason === '' ? 'user_requested' : reason } };
};

const inject = toAgent((agent_id, rest) => {
  const [first, text] = word(rest);
  const priority = ['immediate', 'normal', 'deferred'].find((name) => name === first.toLowerCase());
  const content = priority === undefined ? rest : text;
  if (content === '') return 'expected something to inject: inject [@agent] [immediate|normal|deferred] TEXT';
  return {
    inject: { agent_id, content, source: 'operator', ...(priority === undefined ? {} : { priority }) },
  };
});

const decide =
  (approved: boolean): Parse =>
  (rest, { asked }) => {
    const words = rest.split(/\s+/).filter((w) => w !== '');
    const id = words.find((w) => w !== 'all');
    const tool = id === undefined ? asked[0] : asked.find((ask) => ask.tool === id);
    if (tool === undefined) return `no tool ${id === undefined ? '' : `${id} `}waits for a decision`;
    const approve_all = approved && words.includes('all');
    return { approve: { agent_id: tool.agent, tool_id: tool.tool, approved, approve_all } };
  };

const orders: readonly (readonly [usage: string, text: string, parse: Parse])[] = [
  ['send [@agent] TEXT', 'give an agent work', send((text) => text)],
  [
    'do [@agent] STEPS',
    'send a directive, such as do [{"say":"hi"},{"tool":{"name":"x","hold":true}}]',
    send(directiveOf),
  ],
  ['cancel [REQUEST] [REASON]', 'stop a request; the last by default', cancel],
  ['inject [@agent] [PRIORITY] TEXT', 'push context; PRIORITY is immediate, normal or deferred', inject],
  ['approve [TOOL] [all]', 'let a tool run; the one that asked first by default', decide(true)],
  ['deny [TOOL]', 'do not let it run', decide(false)],
  ['agents', 'list the agents that are connected', () => ({ agents: {} })],
  [
    'usage [THREAD]',
    'tokens used: of a thread, or in all',
    (rest) => (rest === '' ? { stats: {} } : { thread_usage: { thread_id: rest } }),
  ],
  [
    'shutdown [REASON]',
    'tell all agents, finish, and stop',
    (rest) => ({ shutdown: { reason: rest === '' ? 'the operator stopped the gateway' : rest } }),
  ],
];

/**
 * The orders of a gateway's operator. A call goes to `ask`; `say` prints its answer.
 *
 * @example
 * const asked: unknown[] = [];
 * const seen = { agents: ['a-1'], request: 'r1', asked: [] };
 * const cancel = gatewayOrders((request) => asked.push(request), seen, () => {}).find(({ usage }) => usage.startsWith('cancel'));
 * cancel?.obey('last changed my mind');
 * asked[0]; // { cancel: { request_id: 'r1', reason: 'changed my mind' } }
 */
export const gatewayOrders = (ask: Ask, seen: Seen, say: (text: string) => void): readonly Order[] =>
  orders.map(([usage, text, parse]) => ({
    usage,
    text,
    obey(rest) {
      const request = parse(rest, seen);
      if (typeof request === 'string') return request;
      ask(request, {
        reply(reply) {
          // The events of a `send` are in the traffic.
          if (request.send === undefined) for (const line of answerLines(reply)) say(visible(line));
        },
        end({ code, message }) {
          if (code !== 0) say(`? refused: ${visible(message)}`);
        },
      });
      return undefined;
    },
  }));

function answerLines({ ok, event, agents, thread_usage, stats, ...other }: OperatorReply): readonly string[] {
  if (ok !== undefined || event !== undefined) return [];
  if (stats !== undefined) return [JSON.stringify(stats)];
  if (agents !== undefined) {
    if (agents.length === 0) return ['no agent is connected'];
    return agents.map(({ id, name, capabilities }) => `${id}  ${name}  ${capabilities.join(', ')}`);
  }
  if (thread_usage === undefined) return [messageText(other)];
  const { usage } = thread_usage;
  return usage.length === 0 ? ['nothing was used'] : usage.map((row) => JSON.stringify(row));
}
