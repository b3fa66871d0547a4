/** Which scenarios and rows a run takes. */
import { describe, expect, it } from 'vitest';
import type { Requirement } from '../spec/index.ts';
import { claimedFeatures, glob, selectRequirements } from './plan.ts';

const features = [
  { name: 'injection', advertised: true, text: '' },
  { name: 'tools', advertised: false, text: '' },
  { name: 'packs', advertised: false, text: '' },
];

describe('claimed features', () => {
  const claimed = (advertised: readonly string[], stated?: readonly string[]): string[] => [
    ...claimedFeatures(features, advertised, stated),
  ];

  it('are read off the wire where they are advertised', () => {
    expect(claimed([])).not.toContain('injection');
    expect(claimed(['injection'])).toContain('injection');
  });

  it('are never taken from a statement where the wire says otherwise', () => {
    expect(claimed([], ['injection'])).not.toContain('injection');
  });

  it('count as claimed where nothing advertises them, unless a statement lists what is claimed', () => {
    expect(claimed([])).toEqual(['tools', 'packs']);
    expect(claimed([], ['tools'])).toEqual(['tools']);
  });
});

describe('a selection', () => {
  const row = (id: string, level: Requirement['level'], since: string): Requirement => ({
    id,
    level,
    roles: ['agent'],
    text: '',
    source: { document: '', section: '' },
    since,
  });
  const rows = [
    row('FOLD-A01', 'MUST', '0.1.0'),
    row('FOLD-A02', 'SHOULD', '0.2.0'),
    row('FOLD-A10', 'MAY', '0.10.0'),
  ];
  const ids = (selection: Partial<Parameters<typeof selectRequirements>[1]>): string[] =>
    selectRequirements(rows, { only: [], skip: [], level: undefined, asOf: undefined, ...selection }).map(
      (r) => r.id,
    );

  it('takes globs over ids, to take in and to leave out', () => {
    expect(ids({ only: ['fold-a0*'] })).toEqual(['FOLD-A01', 'FOLD-A02']);
    expect(ids({ skip: ['*A0?'] })).toEqual(['FOLD-A10']);
  });

  it('takes a level and those above it', () => {
    expect(ids({ level: 'MUST' })).toEqual(['FOLD-A01']);
    expect(ids({ level: 'SHOULD' })).toEqual(['FOLD-A01', 'FOLD-A02']);
  });

  it('takes only rows as old as a version, by number and not by letter', () => {
    expect(ids({ asOf: '0.2.0' })).toEqual(['FOLD-A01', 'FOLD-A02']);
    expect(ids({ asOf: '0.9.0' })).toEqual(['FOLD-A01', 'FOLD-A02']);
    expect(ids({ asOf: '1.0.0' })).toHaveLength(3);
  });

  it('matches every other character literally', () => {
    expect(glob('A.1')('AX1')).toBe(false);
    expect(glob('A(1')('A(1')).toBe(true);
  });
});
