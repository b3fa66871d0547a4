/**
 * The calls of a gateway's operator and their replies, the same over HTTP, ClientService, commands and the terminal.
 * Each call has a stream of its own: one request, then events or one answer, then a status. The names and fields of
 * events are those of the published HTTP/SSE interface (`POST /api/send`). `cancel` and `inject` are this project's,
 * because no interface for them is published (spec/fold/README.md, "The operator").
 */
import { isObject, ok, refuse } from '../kit/base/index.ts';
import type { Codec, Violation } from '../kit/base/index.ts';
import { parseJson } from './json.ts';
import type { FileAttachment, TokenUsage } from './messages.ts';

/** The `:path` of an operator's call, on every carrier. */
export const operatorPath = '/wireproof.Operator/Call';

/** The arguments of each operator call. */
export interface OperatorCalls {
  /** Starts a request; answered by `started`, the request's events, and its terminal. */
  readonly send: {
    readonly content: string;
    readonly sender: string;
    /** Absent: a new thread. */
    readonly thread_id?: string;
    /** Absent: the thread's agent; without one, any connected agent. */
    readonly agent_id?: string;
    readonly attachments?: readonly FileAttachment[];
  };
  /** Cancels one request, or all requests of a thread; answered by `ok`. */
  readonly cancel: {
    readonly request_id?: string;
    readonly thread_id?: string;
    readonly reason?: string;
    /** The agent that gets a CancelRequest for any `request_id`, also an unknown or a finished one. For tests. */
    readonly force_at?: string;
  };
  /** Sends context to an agent; answered by `injected`. */
  readonly inject: {
    readonly agent_id: string;
    readonly content: string;
    /** immediate, normal (default) or deferred. */
    readonly priority?: string;
    readonly source?: string;
  };
  /** Approves or denies a tool that waits for approval; answered by `ok`. */
  readonly approve: {
    readonly agent_id: string;
    readonly tool_id: string;
    readonly approved: boolean;
    readonly approve_all?: boolean;
  };
  /** Answered by `agents`. */
  readonly agents: Readonly<Record<string, never>>;
  /** Answered by `thread_usage`. */
  readonly thread_usage: { readonly thread_id: string };
  /** Answered by `stats`. */
  readonly stats: Readonly<Record<string, never>>;
  /** Answered by an `event` for every event of every later request, until the caller closes the stream. */
  readonly events: Readonly<Record<string, never>>;
  /** Shuts the gateway down, at once or after a time (ms) that agents are told; answered by `ok`. */
  readonly shutdown: { readonly reason?: string; readonly after_ms?: number };
}

/** The name of an operator's call. */
export type OperatorVerb = keyof OperatorCalls;

/** One call: exactly one member is set. */
export type OperatorRequest = {
  [K in OperatorVerb]: { readonly [P in K]: OperatorCalls[P] } & {
    readonly [P in Exclude<OperatorVerb, K>]?: undefined;
  };
}[OperatorVerb];

/** The events of a request to its operator, by their published names. */
export interface OperatorEvents {
  /** The request was sent to the agent. `request_id` and `agent_id` are this project's additions. */
  readonly started: { readonly thread_id: string; readonly request_id?: string; readonly agent_id?: string };
  readonly thinking: { readonly text: string };
  readonly text: { readonly text: string };
  readonly tool_use: { readonly id: string; readonly name: string; readonly input_json: string };
  /** `state` in lower case without its prefix, `canceled` with one l; an unknown state is its number. */
  readonly tool_state: { readonly id: string; readonly state: string; readonly detail?: string };
  readonly tool_approval: {
    readonly id: string;
    readonly name: string;
    readonly input_json: string;
    readonly request_id: string;
  };
  readonly tool_result: { readonly id: string; readonly output: string; readonly is_error: boolean };
  readonly usage: TokenUsage;
  /** These three are this project's: the published interface has no such events. `data` is base64. */
  readonly file: { readonly filename: string; readonly mime_type: string; readonly data: string };
  readonly session_init: { readonly session_id: string };
  readonly session_orphaned: { readonly reason: string };
  /** The three terminals: exactly one ends a `send`. */
  readonly done: { readonly full_response: string };
  readonly error: { readonly error: string };
  readonly canceled: { readonly reason: string };
}

/** The name of an operator's event. */
export type OperatorEventName = keyof OperatorEvents;

/** An agent in the answer of `agents`. */
export interface AgentListing {
  readonly id: string;
  readonly instance_id: string;
  readonly name: string;
  readonly capabilities: readonly string[];
  readonly workspaces: readonly string[];
  readonly working_dir: string;
  readonly backend: string;
}

/** The summed usage of one request. */
export interface RequestUsage extends Required<TokenUsage> {
  readonly request_id: string;
  readonly agent_id: string;
}

/** The sums of all recorded usage. */
export interface UsageStats {
  readonly total_input: number;
  readonly total_output: number;
  readonly total_cache_read: number;
  readonly total_cache_write: number;
  readonly total_thinking: number;
  readonly total_tokens: number;
  readonly request_count: number;
}

/** The answers to the calls other than `send`. */
export interface OperatorAnswers {
  readonly ok: Readonly<Record<string, never>>;
  readonly injected: { readonly injection_id: string };
  readonly agents: readonly AgentListing[];
  readonly thread_usage: { readonly thread_id: string; readonly usage: readonly RequestUsage[] };
  readonly stats: UsageStats;
  /** An event of any request: its name and data, with the ids of its request, thread and agent. */
  readonly event: {
    readonly request_id: string;
    readonly thread_id: string;
    readonly agent_id: string;
    readonly name: string;
    readonly data: unknown;
  };
}

/** One event or answer to an operator; exactly one member is set. */
export type OperatorReply = {
  readonly [K in OperatorEventName | keyof OperatorAnswers]?: (OperatorEvents & OperatorAnswers)[K];
};

/** The names of all calls. */
export const operatorVerbs: readonly OperatorVerb[] = [
  'send',
  'cancel',
  'inject',
  'approve',
  'agents',
  'thread_usage',
  'stats',
  'events',
  'shutdown',
];

/** The events that end a `send`. */
export const operatorTerminals: ReadonlySet<string> = new Set(['done', 'error', 'canceled']);

const encoder = new TextEncoder();

const undecodable = (message: string): Violation => ({ code: 'undecodable', path: '', message });

/** A codec of JSON objects with one member. It does not check the member: the gateway does. */
const jsonCodec = <M>(name: string): Codec<M> => ({
  name,
  encode: (message) => encoder.encode(JSON.stringify(message)),
  decode(bytes) {
    const parsed = parseJson(bytes);
    if (!parsed.ok) return refuse(undecodable(`not JSON: ${parsed.error}`));
    if (isObject(parsed.value) && Object.keys(parsed.value).length === 1)
      return ok({ message: parsed.value as M });
    return refuse(undecodable('expected a JSON object with one member'));
  },
});

/** Calls as JSON. */
export const operatorCallCodec: Codec<OperatorRequest> = jsonCodec('wireproof.OperatorRequest');

/** Events and answers as JSON. */
export const operatorReplyCodec: Codec<OperatorReply> = jsonCodec('wireproof.OperatorReply');
