/** The results of a check that outlive it: traces, and the command that reproduces a failure. */
import type { TraceHeader } from '../../src/kit/base/index.ts';
import type { CheckOptions, Checked, CheckedTrace } from '../../src/kit/run/index.ts';
import type { Suite } from '../../src/kit/suite/index.ts';
import { withoutSecretArguments } from '../../src/kit/world/index.ts';
import { writeTrace } from '../traces/traces.ts';
import { probeOf } from './options.ts';
import type { CheckFlags } from './options.ts';

const shellQuoted = (arg: string): string =>
  /^[\w@%+=:,./{}-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;

/**
 * The command that judges one requirement again, with the same seed and target.
 *
 * @param name - the suite, or the name of the target in a statement of several
 */
export function replayCommand(
  suite: Suite,
  name: string,
  seed: string,
  requirement: string,
  scenario: string | undefined,
  command: readonly string[],
  flags: CheckFlags,
): string {
  const parts = ['npx wireproof check', name, '--only', requirement];
  if (scenario !== undefined && scenario !== probeOf(suite)) parts.push('--scenario', scenario);
  parts.push('--seed', seed);
  if (flags.drive !== undefined) parts.push('--drive', shellQuoted(flags.drive));
  if (flags.profile !== undefined) parts.push('--profile', flags.profile);
  if (flags.carrier !== undefined) parts.push('--carrier', flags.carrier);
  if (flags.statement !== undefined) parts.push('--statement', shellQuoted(flags.statement));
  if (flags.service !== undefined) parts.push('--service', flags.service);
  if (flags.model !== undefined) parts.push('--model', shellQuoted(flags.model));
  if (flags.witness !== undefined) parts.push('--witness', shellQuoted(flags.witness));
  if (flags.provider !== undefined) parts.push('--provider', flags.provider);
  if (flags.operator !== undefined) parts.push('--operator', flags.operator);
  if (flags.listen !== undefined) parts.push('--listen', flags.listen);
  if (flags.connect !== undefined) parts.push('--connect', shellQuoted(flags.connect));
  if (flags.ca !== undefined) parts.push('--ca', shellQuoted(flags.ca));
  if (flags.tokenEnv !== undefined) parts.push('--token-env', flags.tokenEnv);
  return [
    ...parts,
    '--trace all',
    ...(command.length === 0 ? [] : ['--', ...withoutSecretArguments(command).map(shellQuoted)]),
  ].join(' ');
}

/** The header of a trace of a check. */
export const traceHeaderOf = (
  { started, scenarios }: CheckedTrace,
  { suite, seed, revision, targetName: target }: CheckOptions,
): TraceHeader => ({
  wireproof: 'trace/1',
  suite: suite.id,
  revision,
  seed,
  scenario: scenarios.join(','),
  target,
  started,
});

/** Writes the traces that `--trace` keeps. @returns their paths */
export function keepTraces({ report, traces }: Checked, options: CheckOptions, flags: CheckFlags): string[] {
  if (flags.trace === 'off') return [];
  const failed = new Set(
    report.requirements.flatMap((r) => (r.verdict === 'fail' ? (r.evidence ?? []).map((e) => e.trace) : [])),
  );
  const kept = traces.filter(({ name }) => flags.trace === 'all' || failed.has(name));
  return kept.map((trace) =>
    writeTrace(flags.traceDir, trace.name, traceHeaderOf(trace, options), trace.events),
  );
}

/** A sentence with the paths of the kept traces. For more than three, it names their folder. */
export function keptSentence(kept: readonly string[], folder: string): string {
  const what = kept.length === 1 ? 'trace' : `${kept.length} traces`;
  return `${what} kept: ${kept.length > 3 ? folder : kept.join(', ')}`;
}
