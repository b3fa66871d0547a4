/** `wireproof view`: shows a trace or a report as a page. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { WireproofError, clip } from '../../src/kit/base/index.ts';
import type { Report } from '../../src/kit/base/index.ts';
import { htmlReport } from '../../src/kit/report/index.ts';
import { beginsAsTrace, readReport, writeUserFile } from '../../src/kit/spec/index.ts';
import { noScratch } from '../../src/kit/transport/index.ts';
import { judgeTrace } from '../check/judge-trace.ts';
import { keptTracesOf } from '../traces/kept.ts';
import type { TraceOptions } from '../output/reports.ts';
import { printError } from '../output/terminal.ts';
import { recordedTrace } from '../traces/source.ts';
import { isAttended, openFile } from './opener.ts';

/** The flags of `view`. */
export interface ViewFlags {
  readonly out?: string;
  readonly scenario?: string;
  readonly trace?: 'failed' | 'all';
  readonly open: boolean;
}

/** Runs the verb. The exit code says whether there is a page, not what its verdict is. */
export async function view(file: string, flags: ViewFlags): Promise<void> {
  const { report, options } = beginsAsTrace(file) ? await ofTrace(file, flags) : await ofReport(file, flags);
  refuseUnknownScenario(file, flags, options);
  const path = resolve(flags.out ?? temporaryPage(file));
  writeUserFile(path, htmlReport(report, { color: false, ...options }));
  for (const { name, reason } of options.missing ?? [])
    printError(`note: the trace ${clip(name, mostOfName)} is not on the page: ${clip(reason, mostOfName)}\n`);
  process.stdout.write(`${path}\n`);
  if (!flags.open || !isAttended(process.stdout, process.env)) return;
  if (!(await openFile(path))) printError('note: no program opens the page here; open the path above\n');
}

/** The most characters of a name or a reason that are printed. */
const mostOfName = 300;

/** What a page is made of. */
interface Shown {
  readonly report: Report;
  readonly options: TraceOptions;
}

async function ofTrace(file: string, { scenario }: ViewFlags): Promise<Shown> {
  const { report, traces } = await judgeTrace(await recordedTrace(file), { only: [], skip: [] });
  return { report, options: { traces, diagrams: 'all', scenario } };
}

async function ofReport(file: string, { scenario, trace = 'failed' }: ViewFlags): Promise<Shown> {
  const report = readReport(file);
  const kept = await keptTracesOf(report, file, trace === 'all' || scenario !== undefined);
  return { report, options: { ...kept, diagrams: trace, scenario } };
}

/** A scenario that no trace played would leave the page without a diagram. */
function refuseUnknownScenario(file: string, { scenario }: ViewFlags, { traces = [] }: TraceOptions): void {
  const played = [...new Set(traces.flatMap(({ scenarios }) => scenarios))];
  if (scenario === undefined || played.includes(scenario)) return;
  const there = played.length === 0 ? 'no trace of it was found' : `its traces have ${played.join(', ')}`;
  throw new WireproofError('usage', `--scenario ${scenario}: no trace of ${file} plays it; ${there}`);
}

/** A path for the page in a folder that only this user can read. It stays: the browser may read it at any time. */
function temporaryPage(file: string): string {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-page-'));
    return join(folder, `${basename(file).replace(/\.jsonl?$/u, '')}.html`);
  } catch (error) {
    throw noScratch(error, 'name the page with --out, or set TMPDIR to a folder that can be written');
  }
}
