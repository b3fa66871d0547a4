/** Finds the traces that a report names: beside it, and where `check` keeps them. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { WireproofError } from '../../src/kit/base/index.ts';
import type { Report, TraceEvent, TraceHeader } from '../../src/kit/base/index.ts';
import type { ReportTrace } from '../../src/kit/report/index.ts';
import { readTrace } from '../../src/kit/spec/index.ts';
import { namesIn, traceFoldersIn } from './folder.ts';
import { traceFile } from './traces.ts';

/** The traces of a report, and those that could not be shown. */
export interface KeptTraces {
  readonly traces: readonly ReportTrace[];
  readonly missing: readonly { readonly name: string; readonly reason: string }[];
}

/** Reads the traces of a report: those with evidence of a failure, or `all` of its run. */
export async function keptTracesOf(report: Report, file: string, all: boolean): Promise<KeptTraces> {
  const here = dirname(resolve(file));
  const kept = [join(here, '.wireproof/traces'), resolve('.wireproof/traces')].flatMap(traceFoldersIn);
  const folders = [...new Set([here, ...kept])];
  const traces: ReportTrace[] = [];
  const missing: { name: string; reason: string }[] = [];
  for (const name of evidenceOf(report)) {
    const read = await firstOf(
      report,
      folders.map((folder) => join(folder, fileOf(name))),
    );
    if (typeof read === 'string') missing.push({ name, reason: read });
    else traces.push({ ...read, name });
  }
  if (!all) return { traces, missing };
  const read = new Set(traces.map(({ name }) => fileOf(name)));
  for (const path of folders.flatMap((folder) => tracesIn(folder))) {
    if (read.has(basename(path))) continue;
    const other = await readOf(report, path);
    if (typeof other === 'string') continue;
    read.add(basename(path));
    traces.push(other);
  }
  return { traces, missing };
}

/** The names of the traces with evidence of a failure. */
const evidenceOf = ({ requirements }: Report): ReadonlySet<string> =>
  new Set(
    requirements.flatMap(({ verdict, evidence = [] }) =>
      verdict === 'fail' ? evidence.map(({ trace }) => trace) : [],
    ),
  );

/** The file of a trace, without its folder: a report may come from anywhere, and must not name files elsewhere. */
function fileOf(name: string): string {
  const file = basename(name.replace(/ \([^)]*\)$/u, '').replaceAll('\\', '/'));
  return file.endsWith('.jsonl') ? file : traceFile(file);
}

/** The trace files in a folder. */
const tracesIn = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));

/** The first of these files that is a trace of the report's run; otherwise why there is none. */
async function firstOf(report: Report, paths: readonly string[]): Promise<ReportTrace | string> {
  let why: string | undefined;
  for (const path of paths.filter((one) => existsSync(one))) {
    const read = await readOf(report, path);
    if (typeof read !== 'string') return read;
    why ??= read;
  }
  const [file = ''] = paths;
  return why ?? `no ${basename(file)} in ${paths.map((path) => dirname(path)).join(' or ')}`;
}

/** Reads a trace of the report's run; otherwise why it is none. */
async function readOf({ suite, seed }: Report, path: string): Promise<ReportTrace | string> {
  const headers: TraceHeader[] = [];
  const events: TraceEvent[] = [];
  const another = new Error('another run');
  try {
    await readTrace(
      path,
      (header) => {
        headers.push(header);
        if (header.suite !== suite || header.seed !== seed) throw another;
      },
      (event) => events.push(event),
    );
  } catch (error) {
    const [header] = headers;
    if (error === another && header !== undefined)
      return `${path} is of another run (${header.suite}, seed ${header.seed})`;
    if (error instanceof WireproofError) return error.message;
    throw error;
  }
  const scenarios = (headers[0]?.scenario ?? '').split(',').filter((name) => name !== '');
  return { name: basename(path, '.jsonl'), scenarios, events };
}
