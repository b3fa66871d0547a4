/** The machine on the hand-written sessions of fixtures/toon: it finds nothing in good ones, and the fault in bad ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../kit/base/index.ts';
import { packageRoot, parseEvent } from '../../kit/spec/index.ts';
import { observe, observeEnd, observeUndecodable, sessionFaults, toonMachine } from './machine.ts';
import { otherSide } from './state.ts';
import type { Side, ToonMessage } from '../messages.ts';

const folder = join(packageRoot(), 'fixtures', 'toon', 'sessions');
const names = readdirSync(folder).filter((name) => !name.includes('.codec.'));
const rows: readonly unknown[] = Object.values(sessionFaults);

/** Sessions that are bad by what is not sent, or by what bytes lead to: the machine sees no fault in a message. */
const silent = [
  'TOON-35.subagent.bad-3.jsonl',
  'TOON-50.subagent.bad-3.jsonl',
  'TOON-07.orchestrator.bad.jsonl',
  'TOON-07.subagent.bad.jsonl',
  'TOON-31.orchestrator.bad.jsonl',
  'TOON-31.subagent.bad.jsonl',
  'TOON-35.orchestrator.bad-2.jsonl',
  'TOON-35.orchestrator.bad.jsonl',
  'TOON-35.subagent.bad-2.jsonl',
  'TOON-35.subagent.bad.jsonl',
  'TOON-50.subagent.bad.jsonl',
];

/** The words for what the target's messages break in a session. */
function faultsOf(name: string): (keyof typeof sessionFaults)[] {
  const target: Side = name.includes('.subagent.') ? 'subagent' : 'orchestrator';
  const faults: string[] = [];
  let session = toonMachine.start();
  let event: TraceEvent | undefined;
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').slice(1);
  lines.forEach((line, i) => {
    event = parseEvent(line, `${name}:${i + 2}`, event);
    const from = event.from === 'target' ? target : otherSide(target);
    if (event.kind === 'open') session = toonMachine.start();
    else if (event.kind === 'undecodable') observeUndecodable(session, from, event);
    else if (event.kind === 'end') observeEnd(session);
    else if (event.kind === 'message') {
      const found = observe(session, from, event.data as unknown as ToonMessage, event);
      if (from === target) faults.push(...found.map(({ code }) => code));
    }
  });
  return faults as (keyof typeof sessionFaults)[];
}

describe('the machine', () => {
  const good = names.filter((name) => name.includes('.good'));
  const bad = names.filter((name) => name.includes('.bad') && rows.includes(name.slice(0, 7)));

  it('has sessions to look at', () => {
    expect([good.length, bad.length].every((n) => n > 20)).toBe(true);
  });

  it.each(good)('finds nothing in %s', (name) => {
    expect(faultsOf(name)).toEqual([]);
  });

  it.each(bad.filter((name) => !silent.includes(name)))('finds the fault in %s', (name) => {
    const found = faultsOf(name).map((fault) => sessionFaults[fault]);
    expect(new Set(found)).toEqual(new Set([name.slice(0, 7)]));
  });
});
