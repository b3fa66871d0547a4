/**
 * What an operator types at a simulated gateway, as a call or as an order to the terminal itself. Pure: what is
 * left out is filled in from what was last seen.
 */
import type { OperatorRequest } from '../src/fold/index.ts';
import { directive } from '../src/fold/index.ts';
import { duration } from '../src/kit/scenario/index.ts';

/** What a line may leave out. */
export interface Seen {
  /** Agents that are there, by id, in the order they came. */
  readonly agents: readonly string[];
  /** The request that was sent last, and the tools that wait for a decision, oldest first. */
  readonly request: string | undefined;
  readonly asked: readonly { readonly agent: string; readonly tool: string }[];
}

/** What a line comes to. */
export type Order =
  | { readonly do: 'call'; readonly request: OperatorRequest }
  | { readonly do: 'help' | 'quit' | 'nothing' }
  /** Wait for so long (ms), or until something is seen in the traffic. */
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'await'; readonly what: string; readonly ms: number }
  | { readonly do: 'refuse'; readonly why: string };

/** One verb of the terminal. */
interface Verb {
  readonly usage: string;
  readonly text: string;
  readonly parse: (rest: string, seen: Seen) => Order;
}

const refuse = (why: string): Order => ({ do: 'refuse', why });
const call = (request: OperatorRequest): Order => ({ do: 'call', request });

/** The first word and what follows it. */
function word(text: string): [string, string] {
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  return [first, rest];
}

/** An agent named by `@id`, or the one that came last. */
function toAgent(rest: string, seen: Seen): { agent: string | undefined; rest: string } {
  const [first, after] = word(rest);
  return first.startsWith('@') ? { agent: first.slice(1), rest: after } : { agent: seen.agents.at(-1), rest };
}

const nobody = refuse('no agent is there yet; start one, or name one by @id');

function send(rest: string, seen: Seen, content: (text: string) => string | undefined): Order {
  const { agent, rest: text } = toAgent(rest, seen);
  if (agent === undefined) return nobody;
  const made = content(text);
  if (made === undefined || made === '') return refuse('expected something to send: send [@agent] TEXT');
  return call({ send: { content: made, sender: 'operator', agent_id: agent } });
}

/** JSON steps as the content of a directive; undefined when they are none. */
function directiveOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return directive(Array.isArray(value) ? value : [value]);
  } catch {
    return undefined;
  }
}

const priorities = ['immediate', 'normal', 'deferred'];

function inject(rest: string, seen: Seen): Order {
  const { agent, rest: after } = toAgent(rest, seen);
  if (agent === undefined) return nobody;
  const [first, text] = word(after);
  const priority = priorities.find((p) => p === first.toLowerCase());
  const content = priority === undefined ? after : text;
  if (content === '')
    return refuse('expected something to inject: inject [@agent] [immediate|normal|deferred] TEXT');
  return call({
    inject: { agent_id: agent, content, source: 'operator', ...(priority === undefined ? {} : { priority }) },
  });
}

function decide(rest: string, seen: Seen, approved: boolean): Order {
  const words = rest.split(/\s+/).filter((w) => w !== '');
  const all = approved && words.includes('all');
  const id = words.find((w) => w !== 'all');
  const asked = id === undefined ? seen.asked[0] : seen.asked.find(({ tool }) => tool === id);
  if (asked === undefined)
    return refuse(id === undefined ? 'no tool waits for a decision' : `no tool ${id} waits for a decision`);
  return call({ approve: { agent_id: asked.agent, tool_id: asked.tool, approved, approve_all: all } });
}

function wait(rest: string): Order {
  const [first, after] = word(rest);
  const ms = duration(first);
  if (ms !== undefined) return { do: 'wait', ms };
  const limit = duration(after) ?? 30_000;
  if (first === '')
    return refuse('expected a time or what to wait for: wait 500ms, wait register, wait done 5s');
  return { do: 'await', what: first, ms: limit };
}

const verbs: { readonly [name: string]: Verb } = {
  send: {
    usage: 'send [@agent] TEXT',
    text: 'give an agent work',
    parse: (rest, seen) => send(rest, seen, (text) => text),
  },
  do: {
    usage: 'do [@agent] STEPS',
    text: 'send a directive, such as do [{"say":"hi"},{"tool":{"name":"x","hold":true}}]',
    parse: (rest, seen) => send(rest, seen, directiveOf),
  },
  cancel: {
    usage: 'cancel [REQUEST] [REASON]',
    text: 'stop a request; the last by default',
    parse(rest, seen) {
      const [first, reason] = word(rest);
      const id = first === '' || first === 'last' ? seen.request : first;
      if (id === undefined) return refuse('no request was sent yet');
      return call({ cancel: { request_id: id, reason: reason === '' ? 'user_requested' : reason } });
    },
  },
  inject: {
    usage: 'inject [@agent] [PRIORITY] TEXT',
    text: 'push context; PRIORITY is immediate, normal or deferred',
    parse: inject,
  },
  approve: {
    usage: 'approve [TOOL] [all]',
    text: 'let a tool run; the one that asked first by default',
    parse: (rest, seen) => decide(rest, seen, true),
  },
  deny: {
    usage: 'deny [TOOL]',
    text: 'do not let it run',
    parse: (rest, seen) => decide(rest, seen, false),
  },
  agents: { usage: 'agents', text: 'who is there', parse: () => call({ agents: {} }) },
  usage: {
    usage: 'usage [THREAD]',
    text: 'tokens used: of a thread, or in all',
    parse: (rest) => call(rest === '' ? { stats: {} } : { thread_usage: { thread_id: rest } }),
  },
  wait: {
    usage: 'wait TIME|WHAT [TIME]',
    text: 'for scripts: a while, or until an event of that name is seen',
    parse: wait,
  },
  shutdown: {
    usage: 'shutdown [REASON]',
    text: 'tell all agents, finish, and stop',
    parse: (rest) => call({ shutdown: { reason: rest === '' ? 'the operator stopped the gateway' : rest } }),
  },
  quit: { usage: 'quit', text: 'stop at once', parse: () => ({ do: 'quit' }) },
  help: { usage: 'help', text: 'this', parse: () => ({ do: 'help' }) },
};

/**
 * Reads one line.
 *
 * @example
 * parseOrder('cancel last changed my mind', { agents: ['a-1'], request: 'r1', asked: [] });
 * // { do: 'call', request: { cancel: { request_id: 'r1', reason: 'changed my mind' } } }
 */
export function parseOrder(line: string, seen: Seen): Order {
  const [name, rest] = word(line);
  if (name === '' || name.startsWith('#')) return { do: 'nothing' };
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) return refuse(`no command "${name}"; there are ${Object.keys(verbs).join(', ')}`);
  return verb.parse(rest, seen);
}

/** What can be typed, as text. */
export function terminalHelp(): string {
  const width = Math.max(...Object.values(verbs).map(({ usage }) => usage.length));
  return Object.values(verbs)
    .map(({ usage, text }) => `  ${usage.padEnd(width)}  ${text}`)
    .join('\n');
}
