/** The steps of random conversations. */
import type { Random } from '../../../../src/kit/world/index.ts';

/** A random member of a list. */
export const pick = <const T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;

/** The possible steps of a request. Each request has unique texts. No agent knows the last step. */
export const stepsOf = (id: string): readonly object[] => [
  { say: `text ${id}` },
  { say: `${id} `.repeat(300), times: 50 },
  { think: `thought ${id}` },
  { wait_ms: 700 },
  { hold: true },
  { tool: { name: 'read', input: { id }, output: `output ${id}` } },
  { tool: { name: 'read', hold: true, outcome: 'fail' } },
  { tool: { name: 'write', approval: true } },
  { tool: { name: 'write', approval: true, hold: true, outcome: 'timeout' } },
  { tool: { name: 'write', approval: true, hold: true, approval_timeout_ms: 900 } },
  { usage: { input_tokens: 900, output_tokens: id.length } },
  { file: { filename: 'f', mime_type: 'text/plain', base64: 'aGk=' } },
  { session: 'init' },
  { pack_tool: { name: 'search', input: { q: id } } },
  { heartbeat: true },
  { reject_injections: `busy with ${id}` },
  { session: 'orphaned' },
  { fail: `failure ${id}` },
  { dance: true },
];
