/** The proof of a suite can fail: shown with Fold's agents. */
import { describe, expect, it } from 'vitest';
import { exercised, rule } from '../../../src/kit/judge/index.ts';
import { selftest, selftestTable, suiteRows } from '../../../src/kit/suite/index.ts';
import type {
  LawfulPeer,
  Mutant,
  SelftestOptions,
  SelftestResult,
  Suite,
} from '../../../src/kit/suite/index.ts';
import { readScenarios } from '../../../src/kit/spec/index.ts';
import { foldAgentSuite } from './suite.ts';
import type { FoldView } from './view.ts';

const { requirements } = suiteRows(foldAgentSuite);
const plain = readScenarios('fold', 'fold/agent').filter(({ name }) => name === 'plain-message');
/** Two pings at least 5 s apart have to fit in. */
const timeouts = { keepalive: 12_000 };

const mutantOf = (id: string): Mutant => {
  const mutant = foldAgentSuite.mutants().find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`no mutant ${id}`);
  return mutant;
};

/** One ordinary message only, with what is given. */
const small = (suite: Partial<Suite<FoldView>>, options: Partial<SelftestOptions> = {}): SelftestResult =>
  selftest(
    { ...foldAgentSuite, mutants: () => [], lawful: () => [], ...suite },
    { requirements, scenarios: plain, seed: '1', timeouts, ...options },
  );

describe('a self-test', () => {
  it('gives the same result for the same seed', () => {
    const run = (): SelftestResult => small({ mutants: () => [mutantOf('no-event')] });
    expect(run()).toEqual(run());
  });

  it('reports a mutant that survives because the rules never fire', () => {
    const rules = foldAgentSuite.judging.rules.map(({ requirement }) =>
      rule({ requirement, listens: [], start: () => null, step: () => undefined }),
    );
    const { failures, mutants } = small({
      judging: { ...foldAgentSuite.judging, rules },
      mutants: () => [mutantOf('no-event')],
    });
    expect(mutants).toMatchObject([{ id: 'no-event', killed: false, by: [] }]);
    expect(failures).toContain('mutant no-event survived: nothing fails FOLD-A16');
    expect(failures).toContain('no scenario exercises FOLD-A16');
    expect(failures).toContain('scenario plain-message says it exercises FOLD-A16, and does not');
  });

  it('reports a mutant without a fault', () => {
    const harmless = {
      id: 'harmless',
      breaks: 'FOLD-A16',
      title: 'It is right.',
      make: foldAgentSuite.reference,
    };
    expect(small({ mutants: () => [harmless] }).failures).toContain(
      'mutant harmless survived: nothing fails FOLD-A16',
    );
  });

  it('reports a further requirement that fails', () => {
    const { failures, mutants } = small({ mutants: () => [{ ...mutantOf('no-event'), breaks: 'FOLD-A13' }] });
    expect(mutants).toMatchObject([{ killed: false, entailed: [], unexpected: ['FOLD-A16'] }]);
    expect(failures.join('\n')).toContain(
      'mutant no-event fails requirements that FOLD-A13 does not entail: FOLD-A16 (FOLD-A16 in plain-message: expected exactly one event',
    );
  });

  it('accepts a declared entailment, also over another row, and reports one that no mutant shows', () => {
    const entailing = requirements.map((row) => {
      if (row.id === 'FOLD-A13') return { ...row, entails: [{ id: 'FOLD-A15', why: 'for this test' }] };
      return row.id === 'FOLD-A15' ? { ...row, entails: [{ id: 'FOLD-A16', why: 'for this test' }] } : row;
    });
    const { failures, mutants } = small(
      { mutants: () => [{ ...mutantOf('no-event'), breaks: 'FOLD-A13' }] },
      { requirements: entailing },
    );
    expect(mutants).toMatchObject([{ entailed: ['FOLD-A16'], unexpected: [] }]);
    expect(failures).toContain('FOLD-A13 is declared to entail FOLD-A15, and no mutant of it shows that');
  });

  it('reports a false alarm, and a scenario that ends early at the reference', () => {
    const alarmed = small({ reference: mutantOf('no-event').make });
    expect(alarmed.failures.join('\n')).toContain(
      'false alarm: the reference fails FOLD-A16 in plain-message',
    );
    const cut = small({ reference: mutantOf('never-ends-the-ordinary').make });
    expect(cut.failures.join('\n')).toContain(
      'scenario plain-message ended early at the reference: no response',
    );
  });

  it('reports a row without a rule or a mutant, and a rule or a mutant without a row', () => {
    const { rules } = foldAgentSuite.judging;
    const judging = {
      ...foldAgentSuite.judging,
      rules: rules.filter((one) => one.requirement !== 'FOLD-A16'),
    };
    const unknown = { ...mutantOf('no-event'), breaks: 'FOLD-A99' };
    const { failures } = small(
      { judging, mutants: () => [unknown, unknown] },
      { requirements: requirements.filter((row) => row.id !== 'FOLD-A15') },
    );
    expect(failures).toContain('FOLD-A16 has no rule, and is not excluded');
    expect(failures).toContain('FOLD-A16 has no mutant: nothing shows that its rule can fail');
    expect(failures).toContain('there is a rule for FOLD-A15, which is no row');
    expect(failures).toContain('mutant no-event breaks FOLD-A99, which is no row');
    expect(failures).toContain('two mutants are called no-event');
  });

  it('reports a check that a silent target passes', () => {
    const idle = rule({
      requirement: 'FOLD-A16',
      listens: ['open'],
      start: () => null,
      step: (_, event) => exercised(event),
    });
    const judging = { ...foldAgentSuite.judging, rules: [...foldAgentSuite.judging.rules, idle] };
    expect(small({ judging }).failures).toContain(
      'a target that says nothing passes FOLD-A16 in plain-message',
    );
  });

  it('clears a lawful peer, and reports one that is blamed, ends a scenario early or loses a row', () => {
    const peer = (id: string, make: Mutant['make'], more: Partial<LawfulPeer> = {}): LawfulPeer => ({
      id,
      title: 'It is odd.',
      allowed: 'this test',
      make,
      ...more,
    });
    const { failures, lawful } = small({
      lawful: () => [
        peer('right', foldAgentSuite.reference),
        peer('blamed', mutantOf('no-event').make),
        peer('stuck', mutantOf('never-ends-the-ordinary').make),
        peer('excused', foldAgentSuite.reference, { unseen: { 'FOLD-A16': 'for this test' } }),
        peer('lacking', foldAgentSuite.reference, { lacks: ['tools'] }),
      ],
    });
    expect(lawful.map(({ id, cleared }) => `${id} ${String(cleared)}`)).toEqual([
      'right true',
      'blamed false',
      'stuck false',
      'excused false',
      'lacking true',
    ]);
    const text = failures.join('\n');
    expect(text).toContain(
      'lawful peer blamed: is blamed by FOLD-A16 in plain-message: expected exactly one',
    );
    expect(text).toContain('lawful peer stuck: plain-message ended early: no response');
    expect(text).toContain('lawful peer excused: says that FOLD-A16 cannot be seen, and it was');
  });

  it('runs the selected mutants, and reports its progress', () => {
    const progress: string[] = [];
    const { mutants } = small(
      { mutants: foldAgentSuite.mutants },
      {
        mutants: (mutant) => mutant.id === 'no-event',
        onProgress: (done, of, what) => progress.push(`${done}/${of} ${what}`),
      },
    );
    expect(mutants).toMatchObject([{ id: 'no-event', killed: true, by: ['plain-message'] }]);
    expect(progress).toEqual(['1/2 reference', '2/2 no-event']);
  });

  it('is shown as a table, with the failures and the counts last', () => {
    const result = small({
      mutants: () => [mutantOf('no-event'), { ...mutantOf('two-events'), breaks: 'FOLD-A13' }],
    });
    const lines = selftestTable({ ...result, failures: ['mutant two-events survived'] }).split('\n');
    expect(lines).toEqual([
      'breaks    mutant      killed by          also fails',
      'FOLD-A16  no-event    plain-message',
      'FOLD-A13  two-events  nothing: SURVIVED  FOLD-A16 UNEXPECTED',
      '',
      'FAILURE  mutant two-events survived',
      '',
      expect.stringMatching(/^fold\/agent: the reference exercises \d+ requirements in 1 scenarios$/),
      '1 of 2 mutants killed; 1 failures',
    ]);
  });
});
