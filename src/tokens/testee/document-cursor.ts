/** Reads what the testee is asked about out of JSON, and refuses what is malformed with its position. */
import { RequestRefusal, isObject } from '../../kit/base/index.ts';
import type { JsonObject, OpenCall, ProviderMessage, ToolCall, ToolOutcome } from '../../kit/base/index.ts';
import type { BudgetConfig } from '../manager/budget.ts';
import { failureKinds } from '../manager/retry.ts';
import type { ProviderFailure } from '../manager/retry.ts';
import type { ToolSchema } from '../manager/tool-schema.ts';
import type { AnyUsage } from '../manager/usage.ts';

type Fields = Readonly<Record<string, unknown>>;

const kindOf = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

const malformed = (path: string, expected: string, came: unknown): RequestRefusal =>
  new RequestRefusal('bad-input', `expected ${path} to be ${expected}; came ${kindOf(came)}`);

export function readObject(value: unknown, path: string): Fields {
  if (!isObject(value)) throw malformed(path, 'an object', value);
  return value;
}

/** A list, item by item. */
export function readList<T>(
  value: unknown,
  path: string,
  read: (item: unknown, path: string) => T,
): readonly T[] {
  if (!Array.isArray(value)) throw malformed(path, 'a list', value);
  return value.map((item, i) => read(item, `${path}[${i}]`));
}

function readString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw malformed(path, 'a string', value);
  return value;
}

/** A number; not negative where `min` is 0. An integer that is a bigint counts as the nearest double. */
export function readNumber(value: unknown, path: string, min: number = -Infinity): number {
  if (typeof value === 'bigint') return readNumber(Number(value), path, min);
  if (typeof value !== 'number' || !Number.isFinite(value)) throw malformed(path, 'a number', value);
  if (value < min)
    throw new RequestRefusal('bad-input', `expected ${path} to be ${min} or more; came ${value}`);
  return value;
}

/** Something that may be missing: then nothing, else an object with it alone. */
function optional<K extends string, T>(
  fields: Fields,
  name: K,
  path: string,
  read: (value: unknown, path: string) => T,
): { readonly [P in K]?: T } {
  const value = fields[name];
  return value === undefined ? {} : ({ [name]: read(value, `${path}.${name}`) } as { readonly [P in K]?: T });
}

const fromZero = (value: unknown, path: string): number => readNumber(value, path, 0);
const anyNumber = (value: unknown, path: string): number => readNumber(value, path);

function readBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw malformed(path, 'true or false', value);
  return value;
}

/** A call; its `input` is whatever came, and missing when nothing did. */
function readCall(value: unknown, path: string): ToolCall {
  const { id, name, ...rest } = readObject(value, path);
  const read = { id: readString(id, `${path}.id`), name: readString(name, `${path}.name`) };
  return { ...read, ...('input' in rest ? { input: rest['input'] } : {}) } as ToolCall;
}

function readResult(value: unknown, path: string): ToolOutcome {
  const { id, content, isError } = readObject(value, path);
  return {
    id: readString(id, `${path}.id`),
    content: readString(content, `${path}.content`),
    isError: readBoolean(isError, `${path}.isError`),
  };
}

const roles = ['system', 'user', 'assistant'] as const;

const readCalls = (value: unknown, path: string): readonly ToolCall[] => readList(value, path, readCall);
const readResults = (value: unknown, path: string): readonly ToolOutcome[] =>
  readList(value, path, readResult);

/** A message. Members that the kit does not know stay. */
function readMessage(value: unknown, path: string): ProviderMessage {
  const fields = readObject(value, path);
  const role = roles.find((known) => known === fields['role']);
  if (role === undefined) throw malformed(`${path}.role`, 'system, user or assistant', fields['role']);
  return {
    ...fields,
    role,
    content: readString(fields['content'], `${path}.content`),
    ...optional(fields, 'toolCalls', path, readCalls),
    ...optional(fields, 'toolResults', path, readResults),
  };
}

/** Messages of a conversation. */
export const readMessages = (value: unknown, path: string): readonly ProviderMessage[] =>
  readList(value, path, readMessage);

/** A tool, and what it answers when it runs. */
export interface ScriptedTool extends ToolSchema {
  readonly output?: string;
}

function readTool(value: unknown, path: string): ScriptedTool {
  const fields = readObject(value, path);
  return {
    name: readString(fields['name'], `${path}.name`),
    inputSchema: readObject(fields['inputSchema'], `${path}.inputSchema`) as JsonObject,
    ...optional(fields, 'output', path, readString),
  };
}

/** The tools that the model is told of. */
export const readTools = (value: unknown, path: string): readonly ScriptedTool[] =>
  readList(value, path, readTool);

/** A usage, in either naming. */
export function readUsage(value: unknown, path: string): AnyUsage {
  const fields = readObject(value, path);
  return {
    ...optional(fields, 'inputTokens', path, anyNumber),
    ...optional(fields, 'outputTokens', path, anyNumber),
    ...optional(fields, 'promptTokens', path, anyNumber),
    ...optional(fields, 'completionTokens', path, anyNumber),
    ...optional(fields, 'totalTokens', path, anyNumber),
    ...optional(fields, 'cacheReadTokens', path, anyNumber),
    ...optional(fields, 'cacheWriteTokens', path, anyNumber),
  };
}

/** A budget, of which anything may be missing. */
export function readConfig(value: unknown, path: string): Partial<BudgetConfig> {
  const fields = readObject(value, path);
  return {
    ...optional(fields, 'maxTokens', path, fromZero),
    ...optional(fields, 'reserveTokens', path, fromZero),
    ...optional(fields, 'warningThreshold', path, fromZero),
  };
}

/** Whether all parameters are required; they are when nothing is said. */
export function readOptions(value: unknown, path: string): { readonly requireAllParameters?: boolean } {
  return value === undefined
    ? {}
    : optional(readObject(value, path), 'requireAllParameters', path, readBoolean);
}

/** A response as a testee gets it. */
export interface FlatResponse {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** Absent when the provider gave none. */
  readonly stopReason?: string;
  readonly open?: OpenCall;
  readonly usage?: AnyUsage | undefined;
}

function readOpen(value: unknown, path: string): OpenCall {
  const { id, name, partial } = readObject(value, path);
  return {
    id: readString(id, `${path}.id`),
    name: readString(name, `${path}.name`),
    partial: readString(partial, `${path}.partial`),
  };
}

/** A response; a usage of null is no usage. */
export function readResponse(value: unknown, path: string): FlatResponse {
  const fields = readObject(value, path);
  const usage = fields['usage'] ?? undefined;
  return {
    content: readString(fields['content'], `${path}.content`),
    toolCalls: readCalls(fields['toolCalls'] ?? [], `${path}.toolCalls`),
    ...optional(fields, 'stopReason', path, readString),
    ...optional(fields, 'open', path, readOpen),
    ...(usage === undefined ? {} : { usage: readUsage(usage, `${path}.usage`) }),
  };
}

function readFailure(value: unknown, path: string): ProviderFailure {
  const fields = readObject(value, path);
  const kind = failureKinds.find((known) => known === fields['kind']);
  if (kind === undefined)
    throw malformed(`${path}.kind`, `one of ${failureKinds.join(', ')}`, fields['kind']);
  return {
    kind,
    ...optional(fields, 'status', path, anyNumber),
    ...optional(fields, 'retryAfter', path, fromZero),
  };
}

/** What a scripted provider answers to one request. */
export type ScriptedAnswer = { readonly response: FlatResponse } | { readonly error: ProviderFailure };

/** An answer of the provider: a response or an error. */
export function readAnswer(value: unknown, path: string): ScriptedAnswer {
  const { response, error } = readObject(value, path);
  return error === undefined
    ? { response: readResponse(response, `${path}.response`) }
    : { error: readFailure(error, `${path}.error`) };
}
