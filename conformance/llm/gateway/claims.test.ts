/** Claims of statements (gateway.md, part h): what marks say of them, and the rows that they make not applicable. */
import { expect, it } from 'vitest';
import type { StatedClaims } from '../../../src/kit/spec/index.ts';
import { claimedBy, claimedFeatures, claimsIn, claimedRows } from './claims.ts';

const stating = (claims: StatedClaims): { suite: string; claims: StatedClaims } => ({
  suite: 'llm/gateway',
  claims,
});

it('stand in marks, and are read again', () => {
  const all = stating({
    retries: 3,
    fallback: true,
    continues: true,
    on_leave: { drain: '30s' },
    system: 'hoist',
    adds: ['max_tokens'],
  });
  const said = claimedBy(all);
  expect(said).toEqual({
    retries: 3,
    fallback: true,
    continues: true,
    drain: 30_000,
    hoists: true,
    limits: true,
  });
  expect(claimsIn(said)).toEqual(said);
  expect(claimedBy(undefined)).toEqual({});
  expect(claimsIn(['retries'])).toEqual({});
  expect(claimsIn({ retries: '3', fallback: 'yes' })).toEqual({});
});

it.each<[StatedClaims, readonly string[]]>([
  [{}, []],
  [{ buffers: ['tool_arguments'] }, []],
  [{ buffers: ['all'] }, ['LLM-G22']],
  [{ on_leave: { drain: '30s' } }, ['LLM-G35', 'LLM-G36', 'LLM-G37']],
  [{ credentials: 'forwarded' }, ['LLM-G68']],
  [{ thinking: 'inline' }, ['LLM-G03']],
  [{ cache: true }, ['LLM-G39']],
  [{ continues: true }, ['LLM-G40']],
  [{ cache: false, fallback: true, retries: 0 }, []],
])('%j makes rows not applicable: %j', (claims, rows) => {
  const statement = stating(claims);
  expect(
    claimedRows.filter(({ unless }) => !unless(statement)).map(({ requirement }) => requirement),
  ).toEqual(rows);
});

it('of a fallback, and of a limit for silence, are features', () => {
  expect(claimedFeatures({ ...stating({ fallback: true }), timeouts: { stalled: '5s' } })).toEqual([
    'fallback',
    'stalled',
  ]);
  expect(claimedFeatures({ ...stating({ fallback: false }), timeouts: { leave: '5s' } })).toEqual([]);
  expect(claimedFeatures(undefined)).toEqual([]);
});
