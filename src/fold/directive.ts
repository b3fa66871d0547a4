/**
 * The directive grammar: what a conformance agent does when `SendMessage.content` tells it to
 * (spec/fold/README.md, "The directive grammar").
 */
import { isObject, ok, refuse } from '../kit/base/index.ts';
import type { Result } from '../kit/base/index.ts';

/** How a tool step goes. */
export interface ToolStep {
  readonly name: string;
  readonly input?: unknown;
  readonly approval?: boolean;
  /** Milliseconds; default 300000. */
  readonly approval_timeout_ms?: number;
  readonly hold?: boolean;
  readonly outcome?: 'ok' | 'fail' | 'timeout';
  readonly output?: string;
}

/** The counts of one model call; absent ones are 0. */
export interface UsageStep {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_tokens?: number;
  readonly cache_write_tokens?: number;
  readonly thinking_tokens?: number;
}

/** One step: exactly one key is set (`times` goes with `say`). */
export type Step =
  | { readonly think: string }
  | { readonly say: string; readonly times?: number }
  | { readonly wait_ms: number }
  | { readonly hold: true }
  | { readonly tool: ToolStep }
  | { readonly usage: UsageStep }
  | { readonly file: { readonly filename: string; readonly mime_type: string; readonly base64: string } }
  | { readonly session: 'init' | 'orphaned' }
  | { readonly pack_tool: { readonly name: string; readonly input?: unknown } }
  | { readonly heartbeat: true }
  | { readonly fail: string }
  | { readonly echo_injections: true }
  | { readonly reject_injections: string };

/** Every step's name and what makes its value well-formed. */
const steps: { readonly [name: string]: (value: unknown) => boolean } = {
  think: (v) => typeof v === 'string',
  say: (v) => typeof v === 'string',
  wait_ms: (v) => typeof v === 'number' && v >= 0 && v <= 3_600_000,
  hold: (v) => v === true,
  tool: (v) => isObject(v) && typeof v['name'] === 'string',
  usage: (v) => isObject(v) && Object.values(v).every((n) => typeof n === 'number'),
  file: (v) => isObject(v) && typeof v['filename'] === 'string' && typeof v['base64'] === 'string',
  session: (v) => v === 'init' || v === 'orphaned',
  pack_tool: (v) => isObject(v) && typeof v['name'] === 'string',
  heartbeat: (v) => v === true,
  fail: (v) => typeof v === 'string',
  echo_injections: (v) => v === true,
  reject_injections: (v) => typeof v === 'string',
};

/** The names of the steps. */
export const stepNames: readonly string[] = Object.keys(steps);

/** Content as a directive: the steps in version 1's form. */
export const directive = (todo: readonly unknown[]): string =>
  JSON.stringify({ wireproof: { v: 1, do: todo } });

/**
 * Reads content as a directive.
 *
 * @returns the steps; `undefined` when the content is no directive; refused with the step's name, or
 *   `directive`, when it is one that cannot be obeyed
 *
 * @example
 * parseDirective('{"wireproof":{"do":[{"say":"hi"}]}}'); // { ok: true, value: [{ say: 'hi' }] }
 * parseDirective('hello'); // { ok: true, value: undefined }
 */
export function parseDirective(content: string): Result<readonly Step[] | undefined, string> {
  if (!content.includes('"wireproof"')) return ok(undefined);
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    return ok(undefined);
  }
  if (!isObject(parsed) || !('wireproof' in parsed)) return ok(undefined);
  const body = parsed['wireproof'];
  if (!isObject(body) || !Array.isArray(body['do']) || (body['v'] ?? 1) !== 1) return refuse('directive');
  for (const step of body['do']) {
    const fault = faultOf(step);
    if (fault !== undefined) return refuse(fault);
  }
  return ok(body['do'] as readonly Step[]);
}

function faultOf(step: unknown): string | undefined {
  if (!isObject(step)) return 'directive';
  const names = Object.keys(step).filter((name) => name !== 'times');
  const [name] = names;
  if (name === undefined || names.length !== 1) return 'directive';
  return steps[name]?.(step[name]) === true ? undefined : name;
}
