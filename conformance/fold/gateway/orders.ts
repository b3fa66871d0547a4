/** The orders of an operator to a simulated gateway. The traffic gives the defaults of omitted arguments. */
import { splitWord } from '../../../src/kit/simulate/index.ts';
import { jsonOf } from '../../../src/kit/base/index.ts';
import { duration } from '../../../src/kit/scenario/index.ts';
import type { Order } from '../../../src/kit/simulate/index.ts';
import { directive } from '../../../src/fold/index.ts';
import type { OperatorReply, OperatorRequest, Session } from '../../../src/fold/index.ts';
import type { GatewayServer } from '../../../src/fold/edge/index.ts';
import type { GoawayCode } from '../../../src/kit/world/index.ts';
import type { FoldView } from '../agent/view.ts';
import { messageText } from './lines.ts';

type Parsed = OperatorRequest | string;
/** Parses the arguments of an order into a call, or into the reason of a refusal. */
type Parse = (rest: string, view: FoldView) => Parsed;

/** The connected agents, in the order of their connections. */
const connected = (view: FoldView): readonly (Session & { readonly id: string })[] =>
  [...view.streams.values()].flatMap(({ session, ended }) =>
    ended === undefined && session.phase === 'ready'
      ? [{ ...session, id: session.welcome?.agentId ?? '' }]
      : [],
  );

/** An order to an agent: the agent named by `@id`, or the last one that connected. */
const toAgent =
  (to: (agent_id: string, text: string) => Parsed): Parse =>
  (rest, view) => {
    const [first, after] = splitWord(rest);
    const named = first.startsWith('@');
    const agent = named ? first.slice(1) : connected(view).at(-1)?.id;
    if (agent === undefined) return 'no agent is connected; start one, or name one by @id';
    return to(agent, named ? after : rest);
  };

const send = (contentOf: (text: string) => string | undefined): Parse =>
  toAgent((agent_id, text) => {
    const content = contentOf(text) ?? '';
    if (content === '') return 'expected something to send: send [@agent] TEXT';
    return { send: { content, sender: 'operator', agent_id } };
  });

/** JSON steps as the content of a directive; undefined for a text that is not JSON. */
function directiveOf(text: string): string | undefined {
  try {
    const value: unknown = jsonOf(text);
    return directive(Array.isArray(value) ? value : [value]);
  } catch {
    return undefined;
  }
}

const forcedCancel = toAgent((force_at, rest) => {
  const [request_id, reason] = splitWord(rest);
  if (request_id === '') return 'expected a request id: cancel --force [@agent] REQUEST [REASON]';
  return { cancel: { force_at, request_id, ...(reason === '' ? {} : { reason }) } };
});

const cancel: Parse = (rest, view) => {
  const [flag, after] = splitWord(rest);
  if (flag === '--force') return forcedCancel(after, view);
  const [first, reason] = splitWord(rest);
  const sent = [...view.streams.values()].flatMap(({ session }) => [...session.requests.values()]);
  const last = sent.toSorted((a, b) => a.seq - b.seq).at(-1);
  const request_id = first === '' || first === 'last' ? last?.id : first;
  if (request_id === undefined) return 'no request was sent yet';
  return { cancel: { request_id, reason: reason === '' ? 'user_requested' : reason } };
};

const inject = toAgent((agent_id, rest) => {
  const [first, text] = splitWord(rest);
  const priority = ['immediate', 'normal', 'deferred'].find((name) => name === first.toLowerCase());
  const content = priority === undefined ? rest : text;
  if (content === '') return 'expected something to inject: inject [@agent] [immediate|normal|deferred] TEXT';
  return {
    inject: { agent_id, content, source: 'operator', ...(priority === undefined ? {} : { priority }) },
  };
});

/** A decision about the named tool, or about the tool that asked first. */
const decide =
  (approved: boolean): Parse =>
  (rest, view) => {
    const words = rest.split(/\s+/).filter((name) => name !== '');
    const named = words.find((name) => name !== 'all');
    const waiting = connected(view).flatMap(({ id, active }) =>
      [...active.values()].flatMap(({ tools }) =>
        [...tools.values()].flatMap(({ id: tool_id, asked, decided }) =>
          asked === undefined || decided !== undefined ? [] : [{ agent_id: id, tool_id, seq: asked.seq }],
        ),
      ),
    );
    const tool = waiting
      .toSorted((a, b) => a.seq - b.seq)
      .find(({ tool_id }) => named === undefined || tool_id === named);
    if (tool === undefined) return `no tool ${named === undefined ? '' : `${named} `}waits for a decision`;
    const { agent_id, tool_id } = tool;
    return { approve: { agent_id, tool_id, approved, approve_all: approved && words.includes('all') } };
  };

/** A shutdown at once, or after a time that agents are told. */
const shutdown: Parse = (rest) => {
  const [first, after] = splitWord(rest);
  const [time, why] = splitWord(after);
  const after_ms = first === 'in' ? duration(time) : undefined;
  if (first === 'in' && after_ms === undefined && /^\d/.test(time))
    return `in ${time}: expected a time such as in 5m`;
  const said = after_ms === undefined ? rest : why;
  const reason = said === '' ? 'the operator stopped the gateway' : said;
  return { shutdown: { reason, ...(after_ms === undefined ? {} : { after_ms }) } };
};

const steps = '[{"say":"hi"},{"tool":{"name":"x","hold":true}}]';
const orders: readonly (readonly [usage: string, text: string, parse: Parse])[] = [
  ['send [@agent] TEXT', 'give an agent work', send((text) => text)],
  ['do [@agent] STEPS', `send a directive, such as do ${steps}`, send(directiveOf)],
  [
    'cancel [REQUEST] [REASON]',
    'stop a request; the last by default. cancel --force [@agent] REQUEST: also an unknown one',
    cancel,
  ],
  ['inject [@agent] [PRIORITY] TEXT', 'push context; PRIORITY is immediate, normal or deferred', inject],
  ['approve [TOOL] [all]', 'let a tool run; default: the tool that asked first', decide(true)],
  ['deny [TOOL]', 'do not let it run', decide(false)],
  ['agents', 'list the connected agents', () => ({ agents: {} })],
  [
    'usage [THREAD]',
    'show the used tokens: of a thread, or of all threads',
    (rest) => (rest === '' ? { stats: {} } : { thread_usage: { thread_id: rest } }),
  ],
  ['shutdown [in TIME] [REASON]', 'tell all agents, finish, and stop; in TIME: such as in 5m', shutdown],
];

/** The orders of a gateway's operator: `ask` makes the calls, `print` prints their answers. */
export const gatewayOrders = (
  ask: GatewayServer['ask'],
  view: FoldView,
  print: (text: string) => void,
): readonly Order[] =>
  orders.map(([usage, text, parse]) => ({
    usage,
    text,
    obey(rest) {
      const request = parse(rest, view);
      if (typeof request === 'string') return request;
      ask(request, {
        reply(reply) {
          // The events of a `send` are in the traffic.
          if (request.send === undefined) for (const line of answerLines(reply)) print(line);
        },
        end({ code, message }) {
          if (code !== 0) print(`? refused: ${message}`);
        },
      });
      return undefined;
    },
  }));

/** The order that sends HTTP/2 GOAWAY to all agents. */
export const goawayOrder = (goaway: (code: GoawayCode) => void): Order => ({
  usage: 'goaway [calm]',
  text: 'send GOAWAY to all agents: as before a restart; calm: ENHANCE_YOUR_CALM, too_many_pings, and close',
  obey(rest) {
    if (rest !== '' && rest !== 'calm') return `goaway ${rest}: expected goaway, or goaway calm`;
    goaway(rest === 'calm' ? 'ENHANCE_YOUR_CALM' : 'NO_ERROR');
    return undefined;
  },
});

function answerLines({
  ok,
  event,
  agents,
  thread_usage: used,
  stats,
  ...other
}: OperatorReply): readonly string[] {
  if (ok !== undefined || event !== undefined) return [];
  if (agents?.length === 0) return ['no agent is connected'];
  if (agents !== undefined)
    return agents.map(({ id, name, capabilities }) => `${id}  ${name}  ${capabilities.join(', ')}`);
  if (used?.usage.length === 0) return ['no tokens were used'];
  return (used?.usage ?? [stats ?? messageText(other)]).map((row) =>
    typeof row === 'string' ? row : JSON.stringify(row),
  );
}
