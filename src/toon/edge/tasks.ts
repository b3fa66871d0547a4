/** The instructions of the connections of a simulated peer, with what was done for each. */
import { isObject } from '../../kit/base/index.ts';
import type { JsonObject } from '../../kit/base/index.ts';
import { keepLatest } from '../../kit/world/index.ts';
import type { ErrorNotice, StatusUpdate, ToolCall, ToolResult, ToonMessage } from '../messages.ts';
import { requestIdOf } from '../machine/state.ts';

/** A call of a tool, and its result. */
export interface ToonToolUse {
  readonly call: ToolCall;
  /** Absent: none was sent. */
  readonly result?: ToolResult;
}

/** An instruction, and what the subagent did so far. */
export interface ToonTask {
  readonly instruction: string;
  readonly statuses: readonly StatusUpdate[];
  readonly tools: readonly ToonToolUse[];
  readonly contexts: readonly { readonly request: JsonObject; readonly response?: JsonObject }[];
  readonly errors: readonly ErrorNotice[];
  /** How it ended: STATUS `completed`, an ERROR, or a lost connection; absent: it runs. */
  readonly end?: 'completed' | 'error' | 'lost';
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A task that takes more messages. */
interface OpenTask extends Writable<Omit<ToonTask, 'tools' | 'contexts'>> {
  readonly statuses: StatusUpdate[];
  readonly tools: Writable<ToonToolUse>[];
  readonly contexts: { request: JsonObject; response?: JsonObject }[];
  readonly errors: ErrorNotice[];
}

/** ERRORs with these codes refuse a message, and end no instruction. */
const refusals: ReadonlySet<unknown> = new Set(['BAD_FRAME', 'WRONG_DIRECTION']);

export class TaskLog {
  readonly all: ToonTask[] = [];
  readonly #limit: number;
  readonly #open = new Map<string, OpenTask[]>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a message of a connection; `fromSubagent`: the subagent sent it. */
  add(stream: string, message: ToonMessage, fromSubagent: boolean): void {
    const open = this.#open.get(stream) ?? [];
    if (message.type === 'INSTRUCTION') {
      const { instruction } = message.payload;
      const task: OpenTask = { instruction, statuses: [], tools: [], contexts: [], errors: [] };
      this.#open.set(stream, [...open, task]);
      return keepLatest<ToonTask>(this.all, task, this.#limit);
    }
    // A subagent works on one instruction at a time, in their order.
    const task = open.find(({ end }) => end === undefined);
    if (task !== undefined) note(task, message, fromSubagent);
    this.#open.set(
      stream,
      open.filter(({ end }) => end === undefined),
    );
  }

  /** The connection has ended. */
  lost(stream: string): void {
    for (const task of this.#open.get(stream) ?? []) task.end ??= 'lost';
    this.#open.delete(stream);
  }
}

function note(task: OpenTask, message: ToonMessage, fromSubagent: boolean): void {
  const { type, payload } = message;
  switch (type) {
    case 'STATUS':
      task.statuses.push(payload);
      if (payload.status === 'completed') task.end = 'completed';
      return;
    case 'TOOL_CALL':
      return void task.tools.push({ call: payload });
    case 'TOOL_RESULT': {
      const asked = task.tools.filter(({ result }) => result === undefined);
      const use = asked.find(({ call }) => requestIdOf(call) === requestIdOf(payload)) ?? asked[0];
      if (use !== undefined) use.result = payload;
      return;
    }
    case 'CONTEXT_REQUEST':
      return void task.contexts.push({ request: payload });
    case 'CONTEXT_RESPONSE': {
      const asked = task.contexts.filter(({ response }) => response === undefined);
      const ask = asked.find(({ request }) => requestIdOf(request) === requestIdOf(payload)) ?? asked[0];
      if (ask !== undefined) ask.response = payload;
      return;
    }
    case 'ERROR':
      task.errors.push(payload);
      if (fromSubagent && isObject(payload) && !refusals.has(payload['code'])) task.end = 'error';
      return;
    case 'HEARTBEAT':
    case 'INSTRUCTION':
    default:
      return;
  }
}
