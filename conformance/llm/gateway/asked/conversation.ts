/**
 * A conversation in the form in which both sides are compared: turns of one speaker with their texts and calls, and the results
 * by the calls that they answer. Messages of one role in a row are one turn, and text that is white space alone is none: some
 * dialects forbid both.
 */
import type { FullMessage, FullPart } from '../../../../src/llm/gateway/index.ts';

export type CallPart = Extract<FullPart, { readonly kind: 'call' }>;
export type ResultPart = Extract<FullPart, { readonly kind: 'result' }>;
export type MediaPart = Extract<FullPart, { readonly kind: 'image' | 'file' }>;
type Role = FullMessage['role'];

/** What one speaker says without an interruption. */
export interface Turn {
  readonly role: Role;
  readonly texts: readonly string[];
  readonly calls: readonly CallPart[];
}

/** The texts of parts that are no white space alone. */
export const textsIn = (parts: readonly FullPart[]): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'text' && part.text.trim() !== '' ? [part.text] : []));

const isCall = (part: FullPart): part is CallPart => part.kind === 'call';
const isResult = (part: FullPart): part is ResultPart => part.kind === 'result';
const isMedia = (part: FullPart): part is MediaPart => part.kind === 'image' || part.kind === 'file';

/** Turns with the neighbours of one role joined, without those that say nothing. */
export function joined(turns: readonly Turn[]): readonly Turn[] {
  const out: Turn[] = [];
  for (const turn of turns) {
    if (turn.texts.length === 0 && turn.calls.length === 0) continue;
    const last = out.at(-1);
    if (last?.role !== turn.role) out.push(turn);
    else
      out[out.length - 1] = {
        role: turn.role,
        texts: [...last.texts, ...turn.texts],
        calls: [...last.calls, ...turn.calls],
      };
  }
  return out;
}

/** The turns of a conversation. Results, media and thoughts are compared apart. */
export const turnsOf = (messages: readonly FullMessage[]): readonly Turn[] =>
  joined(messages.map(({ role, parts }) => ({ role, texts: textsIn(parts), calls: parts.filter(isCall) })));

/** The system's texts before everything else, and the turns that follow. */
export function withoutLeading(turns: readonly Turn[]): {
  readonly system: readonly string[];
  readonly rest: readonly Turn[];
} {
  const [first, ...rest] = turns;
  return first?.role === 'system' ? { system: first.texts, rest } : { system: [], rest: turns };
}

/** A call with the results that have its id. */
export interface AnsweredCall {
  readonly call: CallPart;
  readonly results: readonly ResultPart[];
}

/** The calls of a conversation with their results, and the results that answer no call before them. */
export function answeredCalls(messages: readonly FullMessage[]): {
  readonly calls: readonly AnsweredCall[];
  readonly unasked: readonly ResultPart[];
} {
  const calls: { readonly call: CallPart; readonly results: ResultPart[] }[] = [];
  const unasked: ResultPart[] = [];
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (isCall(part)) calls.push({ call: part, results: [] });
    if (!isResult(part)) continue;
    const own = calls.filter(({ call }) => call.id === part.id);
    const answered = own.find(({ results }) => results.length === 0) ?? own.at(-1);
    if (answered === undefined) unasked.push(part);
    else answered.results.push(part);
  }
  return { calls, unasked };
}

/** The images and files of the user, and those in results. */
export function mediaOf(messages: readonly FullMessage[]): {
  readonly spoken: readonly MediaPart[];
  readonly inResults: readonly MediaPart[];
} {
  const parts = messages.flatMap((message) => message.parts);
  return {
    spoken: parts.filter(isMedia),
    inResults: parts.filter(isResult).flatMap((result) => result.parts.filter(isMedia)),
  };
}

/** The number of characters that are no white space, in all texts. */
export function lengthOf(messages: readonly FullMessage[]): number {
  const parts = messages.flatMap((message) => message.parts);
  const all = [...parts, ...parts.filter(isResult).flatMap((result) => result.parts)];
  return textsIn(all).join('').replaceAll(/\s/g, '').length;
}
