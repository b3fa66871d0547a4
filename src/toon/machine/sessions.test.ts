/** The machine on the hand-written sessions of fixtures/toon: it finds nothing in good ones, and the fault in bad ones. */
import { describe, expect, it } from 'vitest';
import { sessionsOf } from '../../../conformance/sessions.test-helper.ts';
import type { Session } from '../../../conformance/sessions.test-helper.ts';
import { observe, observeEnd, observeUndecodable, sessionFaults, toonMachine } from './machine.ts';
import { otherSide } from './state.ts';
import type { Side, ToonMessage } from '../messages.ts';

const sessions = [...sessionsOf('toon').values()]
  .flat()
  .filter(({ name }) => !name.includes('.codec.') && !name.includes(' '));
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
function faultsOf({ name, events }: Session): (keyof typeof sessionFaults)[] {
  const target: Side = name.includes('.subagent.') ? 'subagent' : 'orchestrator';
  const faults: string[] = [];
  let session = toonMachine.start();
  for (const event of events) {
    const from = event.from === 'target' ? target : otherSide(target);
    if (event.kind === 'open') session = toonMachine.start();
    else if (event.kind === 'undecodable') observeUndecodable(session, from, event);
    else if (event.kind === 'end') observeEnd(session);
    else if (event.kind === 'message') {
      const found = observe(session, from, event.data as unknown as ToonMessage, event);
      if (from === target) faults.push(...found.map(({ code }) => code));
    }
  }
  return faults as (keyof typeof sessionFaults)[];
}

describe('the machine', () => {
  const good = sessions.filter(({ kind }) => kind === 'good');
  const bad = sessions.filter(({ kind, row }) => kind === 'bad' && rows.includes(row));

  it('has sessions to look at', () => {
    expect([good.length, bad.length].every((n) => n > 20)).toBe(true);
  });

  it.each(good)('finds nothing in $name', (session) => {
    expect(faultsOf(session)).toEqual([]);
  });

  it.each(bad.filter(({ name }) => !silent.includes(name)))('finds the fault in $name', (session) => {
    const found = faultsOf(session).map((fault) => sessionFaults[fault]);
    expect(new Set(found)).toEqual(new Set([session.row]));
  });
});
