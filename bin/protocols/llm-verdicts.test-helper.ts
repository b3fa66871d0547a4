/** Whole programs, each with the verdict that it deserves: `wireproof check llm/client --carrier http`. */
import { expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { program, wireproof } from '../run.test-helper.ts';
import { agentCommand, agentStatement } from './llm-programs.test-helper.ts';
import type { AgentDialect } from './llm-programs.test-helper.ts';

/** The rows that forbid executions. */
const forbidding = ['LLM-C01', 'LLM-C02', 'LLM-C05', 'LLM-C16'];
/** The rows that want an error to the caller. */
const telling = ['LLM-C06', 'LLM-C07'];

const statement = program('small-agent.yaml', agentStatement);

/** The result of a check of a whole program. */
export interface Outcome {
  readonly report: Report;
  readonly verdicts: { readonly [id: string]: string };
  readonly fails: readonly string[];
}

/** Checks a program as a client of models. */
export async function checked(command: readonly string[], ...flags: readonly string[]): Promise<Outcome> {
  const args = ['check', 'llm/client', '--carrier', 'http', '--trace', 'off', '-j', '8', '--json'];
  const { stdout, stderr } = await wireproof([...args, ...flags, '--', ...command]);
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as Report;
  const verdicts = Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict]));
  const fails = Object.keys(verdicts).filter((id) => verdicts[id] === 'fail');
  return { report, verdicts, fails };
}

/** The flags that select the rows that forbid executions. */
export const onlyForbidding: readonly string[] = forbidding.flatMap((id) => ['--only', id]);
/** The flags that name the statement of the small agent. */
export const stated: readonly string[] = ['--statement', statement];
/** The verdicts of the rows that forbid executions. */
export const of = ({ verdicts }: Outcome): readonly (string | undefined)[] =>
  forbidding.map((id) => verdicts[id]);
/** One verdict for each row that forbids executions. */
export const all = (verdict: string): readonly string[] => forbidding.map(() => verdict);

const timeout = { timeout: 60_000 };

/** Holds the check of whole programs in a dialect to the verdict that each program deserves. */
export function holdToVerdicts(dialect: AgentDialect): void {
  it(
    'and refuses bad calls passes: the complete call showed its witness, the others did not',
    timeout,
    async () => {
      const outcome = await checked(agentCommand(dialect, 'refuses'), ...stated);
      expect(outcome.fails).toEqual([]);
      expect(of(outcome)).toEqual(all('pass'));
      expect(telling.map((id) => outcome.verdicts[id])).toEqual(['pass', 'pass']);
      expect(outcome.verdicts['LLM-C08']).toBe('pass');
    },
  );

  it('and reads its stdin to the end finds an end', timeout, async () => {
    const outcome = await checked(agentCommand(dialect, 'reads-stdin'), ...stated, '--only', 'LLM-C01');
    expect(outcome.verdicts['LLM-C01']).toBe('pass');
  });

  it('and shows the half of an answer as if it were whole fails', timeout, async () => {
    const rows = telling.flatMap((id) => ['--only', id]);
    const outcome = await checked(agentCommand(dialect, 'half'), ...stated, ...rows);
    expect(outcome.fails).toEqual(telling);
    expect(outcome.report.requirements[0]?.message).toContain('It was a dark and');
  });

  it('and runs them fails', timeout, async () => {
    const outcome = await checked(agentCommand(dialect, 'runs'), ...stated, ...onlyForbidding);
    expect(of(outcome)).toEqual(all('fail'));
  });

  it('and runs a call that is cut again at its retry fails', timeout, async () => {
    const outcome = await checked(agentCommand(dialect, 'runs-second'), ...stated, '--only', 'LLM-C01');
    expect(outcome.fails).toEqual(['LLM-C01']);
    const [failed] = outcome.report.requirements;
    expect(failed?.replay).toContain('program-cut-twice');
  });

  it('and asks for a title first has the same verdicts as without it', timeout, async () => {
    const outcome = await checked(agentCommand(dialect, 'title-first'), ...stated);
    expect(outcome.fails).toEqual([]);
    expect(of(outcome)).toEqual(all('pass'));
    expect(outcome.verdicts['LLM-C22']).toBe('pass');
  });

  it('and says in a result that the call was not run passes', timeout, async () => {
    const outcome = await checked(agentCommand(dialect, 'quotes'), ...stated, ...onlyForbidding);
    expect(outcome.fails).toEqual([]);
    expect(['LLM-C02', 'LLM-C05', 'LLM-C16'].map((id) => outcome.verdicts[id])).toEqual([
      'pass',
      'pass',
      'pass',
    ]);
  });

  it(
    'and is not described by a statement is not observed, with the way to describe it',
    timeout,
    async () => {
      const outcome = await checked(agentCommand(dialect, 'runs'));
      expect(of(outcome)).toEqual(all('not-observed'));
      // These need no tool.
      expect(telling.map((id) => outcome.verdicts[id])).toEqual(['pass', 'pass']);
      const reason = outcome.report.requirements.find(({ id }) => id === 'LLM-C01')?.reason;
      expect(reason).toMatch(/tools: \{ quick: .*makes.*wireproof init llm\/client/);
    },
  );

  it('and does not stream may try a busy provider again', timeout, async () => {
    const outcome = await checked(agentCommand(dialect, 'whole'), ...stated);
    expect(outcome.fails).toEqual([]);
    expect(outcome.verdicts['LLM-C01']).toBe('pass');
    expect(outcome.verdicts['LLM-C07']).toBe('untestable');
  });
}
