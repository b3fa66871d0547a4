/**
 * What a gateway's operator asks and hears, whatever carries it: the HTTP face, the published ClientService, a
 * command or a terminal. One call a stream: one request, then events or an answer, then a status. The names and
 * fields of events are those of the published HTTP/SSE face (`POST /api/send`); cancel and inject are this
 * project's, where nothing is published (spec/fold/README.md, "The operator").
 */
import { isObject, ok, refuse } from '../kit/base/index.ts';
import type { Codec, Decoded, Result, Violation } from '../kit/base/index.ts';
import type { FileAttachment, TokenUsage } from './messages.ts';

/** The path by which an operator's call is known, on every carrier. */
export const operatorPath = '/wireproof.Operator/Call';

/** What an operator may ask; exactly one member is set. */
export interface OperatorCalls {
  /** Gives an agent work; answered by `started`, the request's events, and its terminal. */
  readonly send: {
    readonly content: string;
    readonly sender: string;
    /** Absent: a new thread. */
    readonly thread_id?: string;
    /** Absent: the agent of the thread, else any that is there. */
    readonly agent_id?: string;
    readonly attachments?: readonly FileAttachment[];
  };
  /** Stops a request, or all of a thread; answered by `ok`. */
  readonly cancel: { readonly request_id?: string; readonly thread_id?: string; readonly reason?: string };
  /** Pushes context to an agent; answered by `injected`. */
  readonly inject: {
    readonly agent_id: string;
    readonly content: string;
    /** immediate, normal (default) or deferred. */
    readonly priority?: string;
    readonly source?: string;
  };
  /** Decides about a tool that an agent asked for; answered by `ok`. */
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
  /** Every event of every request from now on, as `event`, until the caller leaves. */
  readonly events: Readonly<Record<string, never>>;
  /** Stops the gateway in an orderly way; answered by `ok`. */
  readonly shutdown: { readonly reason?: string };
}

/** The name of an operator's call. */
export type OperatorVerb = keyof OperatorCalls;

/** One call: exactly one member is set. */
export type OperatorRequest = {
  [K in OperatorVerb]: { readonly [P in K]: OperatorCalls[P] } & {
    readonly [P in Exclude<OperatorVerb, K>]?: undefined;
  };
}[OperatorVerb];

/** The events of a request as its operator sees them, by their published names. */
export interface OperatorEvents {
  /** The request was handed to the agent. `request_id` and `agent_id` are this project's addition. */
  readonly started: { readonly thread_id: string; readonly request_id?: string; readonly agent_id?: string };
  readonly thinking: { readonly text: string };
  readonly text: { readonly text: string };
  readonly tool_use: { readonly id: string; readonly name: string; readonly input_json: string };
  /** `state` in lower case without its prefix, `canceled` with one l; one the schema does not know, its number. */
  readonly tool_state: { readonly id: string; readonly state: string; readonly detail?: string };
  readonly tool_approval: {
    readonly id: string;
    readonly name: string;
    readonly input_json: string;
    readonly request_id: string;
  };
  readonly tool_result: { readonly id: string; readonly output: string; readonly is_error: boolean };
  readonly usage: TokenUsage;
  /** This project's: what the published face does not show. `data` is base64. */
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

/** An agent as `agents` lists it. */
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

/** Sums over everything that was recorded. */
export interface UsageStats {
  readonly total_input: number;
  readonly total_output: number;
  readonly total_cache_read: number;
  readonly total_cache_write: number;
  readonly total_thinking: number;
  readonly total_tokens: number;
  readonly request_count: number;
}

/** What answers the calls that are not `send`. */
export interface OperatorAnswers {
  readonly ok: Readonly<Record<string, never>>;
  readonly injected: { readonly injection_id: string };
  readonly agents: readonly AgentListing[];
  readonly thread_usage: { readonly thread_id: string; readonly usage: readonly RequestUsage[] };
  readonly stats: UsageStats;
  /** One event of some request: its name and data, and whose it is. */
  readonly event: {
    readonly request_id: string;
    readonly thread_id: string;
    readonly agent_id: string;
    readonly name: string;
    readonly data: unknown;
  };
}

/** What an operator hears: one event or answer; exactly one member is set. */
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

const strict = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/** JSON bytes as an object with one member. */
function decodeOne(bytes: Uint8Array): Result<Decoded<unknown>, Violation> {
  try {
    const message: unknown = JSON.parse(strict.decode(bytes));
    if (isObject(message) && Object.keys(message).length === 1) return ok({ message });
    return refuse({ code: 'undecodable', path: '', message: 'expected a JSON object with one member' });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refuse({ code: 'undecodable', path: '', message: `not JSON: ${message}` });
  }
}

const jsonCodec = <M>(name: string): Codec<M> => ({
  name,
  encode: (message) => encoder.encode(JSON.stringify(message)),
  // What crosses here was made by an edge that checked it against the face it serves.
  decode: (bytes) => decodeOne(bytes) as Result<Decoded<M>, Violation>,
});

/** Calls as JSON. */
export const operatorCallCodec: Codec<OperatorRequest> = jsonCodec('wireproof.OperatorRequest');

/** Events and answers as JSON. */
export const operatorReplyCodec: Codec<OperatorReply> = jsonCodec('wireproof.OperatorReply');
