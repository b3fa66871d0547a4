/** The traces of checks that run in one project: one after the other, and at the same time. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownName } from '../../src/kit/transport/index.ts';
import { reversing } from '../../conformance/reversing-testee.test-helper.ts';
import { scratch, startWireproof, untilProcesses, wireproof } from '../run.test-helper.ts';

const broken = join(mkdtempSync(join(scratch, 'broken-')), 'broken');
writeFileSync(broken, '');

const project = (): { readonly cwd: string; readonly traces: string } => {
  const cwd = mkdtempSync(join(scratch, 'traces-'));
  return { cwd, traces: join(cwd, '.wireproof/traces') };
};

const failing = ['check', 'tokens/manager', '--only', 'TOK-09'] as const;
const jsonl = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

describe('the folder of traces', () => {
  it('has the traces of one run after the other by their own names', async () => {
    const { cwd, traces } = project();
    for (const _ of [1, 2]) {
      const { code, stderr } = await wireproof([...failing, '--', ...reversing(broken)], { cwd });
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/trace kept: \.wireproof\/traces\/[\w-]+\.jsonl/),
      ]);
    }
    expect(readdirSync(traces)).toEqual(jsonl(traces));
    expect(jsonl(traces)).toHaveLength(1);
  });

  it('keeps those of a run beside, which a report finds there', async () => {
    const { cwd, traces } = project();
    const hint = `sleep 8${process.pid}`;
    const first = startWireproof(
      ['check', 'fold/agent', '--timeout', 'handshake=100s', '--', ...hint.split(' ')],
      { cwd },
    );
    await untilProcesses(hint, (n) => n > 1);
    const report = join(cwd, 'report.json');
    const args = [...failing, '--report', `json=${report}`, '--', ...reversing(broken)];
    const { code, stderr } = await wireproof(args, { cwd });
    expect([code, jsonl(traces)]).toEqual([1, []]);
    const [, kept = ''] = /trace kept: (\S+)/.exec(stderr) ?? [];
    expect(existsSync(join(cwd, kept)), stderr).toBe(true);
    const viewed = await wireproof(['view', report, '--no-open', '--out', join(cwd, 'page.html')], { cwd });
    expect([viewed.code, viewed.stderr]).toEqual([0, '']);
    await first.stop('SIGINT');
  });

  it('is free again after a run that was killed, or that a target has made up', async () => {
    const { cwd, traces } = project();
    mkdirSync(traces, { recursive: true });
    for (const text of [ownName().replace(/-\d+-/, '-1-'), '[[[[', '']) {
      writeFileSync(join(traces, '.running'), text);
      await wireproof([...failing, '--', ...reversing(broken)], { cwd });
      expect(readdirSync(traces)).toEqual(jsonl(traces));
      expect(jsonl(traces)).toHaveLength(1);
    }
  });

  it('keeps the folders of the last four runs beside, and those of runs that go on', async () => {
    const { cwd, traces } = project();
    const ended = [1, 2, 3, 4, 5, 6].map((n) => `run-${ownName().replace(/-\d+-/, `-${n}-`)}`);
    const others = [`run-${ownName()}`, 'run-of-mine'];
    for (const [i, name] of [...ended, ...others].entries()) {
      mkdirSync(join(traces, name), { recursive: true });
      writeFileSync(join(traces, name, 'a.jsonl'), '');
      utimesSync(join(traces, name), 1000 + i, 1000 + i);
    }
    await wireproof([...failing, '--', ...reversing(broken)], { cwd });
    const folders = readdirSync(traces).filter((name) => !name.endsWith('.jsonl'));
    expect(folders).toEqual([...ended.slice(2), ...others].toSorted());
  });

  it('shows the page of a report beside a folder of traces that is none', async () => {
    const { cwd } = project();
    const report = join(cwd, 'report.json');
    await wireproof(
      [...failing, '--trace', 'off', '--report', `json=${report}`, '--', ...reversing(broken)],
      {
        cwd,
      },
    );
    mkdirSync(join(cwd, '.wireproof'), { recursive: true });
    writeFileSync(join(cwd, '.wireproof/traces'), '');
    const { code, stderr } = await wireproof(['view', report, '--no-open', '--trace', 'all'], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining('is not on the page: no ')]);
  });
});
