/** The fault in the text of a target's message: the requirement that it violates, and a sentence. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { decodeBytes, eventTypes } from '../../../src/koda/index.ts';
import type { Fault, MessageKind } from '../../../src/koda/index.ts';

export interface TextFault {
  readonly requirement: string;
  readonly message: string;
  /** Whether a known message may hide behind it. Then the later events of its stream cannot be judged. */
  readonly hidesMeaning: boolean;
}

/** The requirement of each fault of a text. */
const requirements: { readonly [fault in Fault]: string } = {
  'lone-surrogate': 'KODA-16',
  'control-character': 'KODA-16',
  'bad-utf8': 'KODA-16',
  'byte-order-mark': 'KODA-16',
  'number-too-large': 'KODA-16',
  'trailing-comma': 'KODA-16',
  syntax: 'KODA-79',
  'not-an-object': 'KODA-01',
  'no-tag': 'KODA-01',
  'unknown-tag': 'KODA-01',
  'missing-field': 'KODA-02',
  'null-field': 'KODA-80',
  'null-float': 'KODA-12',
  'bare-string': 'KODA-18',
  positional: 'KODA-20',
  'numeric-tag': 'KODA-20',
  'nested-slash': 'KODA-82',
  'object-action': 'KODA-19',
  'wrong-type': 'KODA-80',
  'not-an-integer': 'KODA-80',
  'out-of-range': 'KODA-80',
  'duplicate-field': 'KODA-80',
  'too-deep': 'KODA-80',
  'too-large': 'KODA-79',
};

/** The fault of an event; undefined for a message as the declared types write it. */
export function textFaultOf(kind: MessageKind, event: TraceEvent): TextFault | undefined {
  const { bytes, note = '' } = event;
  if (event.kind === 'undecodable' && event.data['code'] === 'binary-message')
    return { requirement: 'KODA-79', message: note, hidesMeaning: true };
  if (bytes === undefined) return undefined;
  const decoded = decodeBytes(kind, bytesOf(bytes));
  if (event.kind === 'message') {
    const [omitted] = decoded.ok ? (decoded.value.omitted ?? []) : [];
    return omitted === undefined
      ? undefined
      : {
          requirement: 'KODA-02',
          message: `expected every field of the message; ${omitted} is absent`,
          hidesMeaning: false,
        };
  }
  // A newer kit may have refused what this one reads.
  if (event.kind !== 'undecodable' || decoded.ok) return undefined;
  const { fault, message, path } = decoded.error;
  const requirement = special(fault, path, new TextDecoder().decode(bytesOf(bytes))) ?? requirements[fault];
  const hidesMeaning = fault !== 'unknown-tag' || resemblesKnownTag(new TextDecoder().decode(bytesOf(bytes)));
  return { requirement, message, hidesMeaning };
}

/** Whether the tag of a message is a known one in another spelling. */
function resemblesKnownTag(text: string): boolean {
  const letters = (tag: string): string => tag.toLowerCase().replace(/[^a-z]/g, '');
  const tag = letters(/"type"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? '');
  return Object.keys(eventTypes).some((known) => letters(known) === tag);
}

/** The requirement of a fault that only the place or the whole text shows. */
function special(fault: Fault, path: string, text: string): string | undefined {
  // JSON has no word for a number that is not finite.
  if (fault === 'syntax' && /:\s*-?(?:NaN|Infinity|inf|nan)\b/.test(text)) return 'KODA-12';
  if (fault === 'bare-string' && path.startsWith('images')) return 'KODA-80';
  const hasNoCmd = (fault === 'missing-field' || fault === 'no-tag') && path === 'cmd';
  return hasNoCmd && /\{[^{}]*"cmd"/.test(text) ? 'KODA-82' : undefined;
}

function bytesOf(base64: string): Uint8Array {
  const characters = atob(base64);
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}
