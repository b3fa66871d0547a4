/** Selects the scenarios and requirements of a run, and gives the reason for each one left out. */
import type { Scenario, ScenarioStep } from '../base/index.ts';
import { duration } from './template.ts';
import type { Requirement } from '../spec/index.ts';

/** The facts about a target that a plan depends on. */
export interface Claims {
  readonly drive: string;
  /** Features that count as claimed. */
  readonly features: ReadonlySet<string>;
  /** The carrier of the messages, where there is a choice. */
  readonly carrier?: string;
  /** The timeouts that a statement or a flag names. */
  readonly named?: ReadonlySet<string>;
  /** The tools that the statement names, so that the suite can use them; absent: all. */
  readonly tools?: ReadonlySet<string>;
  /** The tools whose input holds {nonce}, so that their processes can be found; absent: all. */
  readonly traceable?: ReadonlySet<string>;
  /** The facts about its model that the statement gives; absent: all. */
  readonly model?: ReadonlySet<string>;
  /** Whether a tool without a witness that it ran can be used. */
  readonly takesAnyTool?: boolean;
  /** The operations of a testee; absent: it did not say. */
  readonly ops?: ReadonlySet<string>;
  /** Whether a testee's clock is the one that requests set; absent: it did not say. */
  readonly virtualTime?: boolean;
}

/** A scenario that is left out, and the reason. */
export interface SkippedScenario {
  readonly scenario: Scenario;
  readonly because:
    'drive' | 'carrier' | 'timeout' | 'tool' | 'process' | 'model' | 'operation' | 'feature' | 'selection';
  readonly reason: string;
}

/** The claimed features. The wire shows the advertised ones; the statement lists the others, or all of them count. */
export function claimedFeatures(
  features: readonly { readonly name: string; readonly advertised: boolean }[],
  advertised: readonly string[],
  stated: readonly string[] | undefined,
): ReadonlySet<string> {
  const claimed = features.filter(({ name, advertised: onWire }) =>
    onWire ? advertised.includes(name) : (stated?.includes(name) ?? true),
  );
  return new Set(claimed.map(({ name }) => name));
}

/** The reason why a scenario cannot be played against these claims; undefined when it can. */
export function unmetNeed(
  scenario: Scenario,
  { drive, features, carrier, named, tools, traceable, model, takesAnyTool, ops, virtualTime }: Claims,
): Omit<SkippedScenario, 'scenario'> | undefined {
  const { drive: drives, features: needed, carrier: carriers, virtual_time } = scenario.needs;
  if (carriers !== undefined && carrier !== undefined && !carriers.includes(carrier)) {
    return {
      because: 'carrier',
      reason: `needs the carrier ${carriers.join(' or ')}; this run's is ${carrier}`,
    };
  }
  if (drives.length > 0 && !drives.includes(drive)) {
    return { because: 'drive', reason: `needs the ${drives.join(' or ')} drive; this run's is ${drive}` };
  }
  const unnamed = (scenario.needs.timeouts ?? []).filter((name) => named !== undefined && !named.has(name));
  if (unnamed.length > 0) {
    const [name = ''] = unnamed;
    const how = `timeouts.${name} in the statement, or --timeout ${name}=…`;
    return { because: 'timeout', reason: `needs ${how}: by default the kit does not wait so long` };
  }
  const [tool] = (scenario.needs.tools ?? []).filter((name) => tools?.has(name) === false);
  if (tool !== undefined) return { because: 'tool', reason: toolReason(scenario, tool, takesAnyTool) };
  const [untraced] = (scenario.processes ?? []).filter((name) => traceable?.has(name) === false);
  if (untraced !== undefined)
    return { because: 'process', reason: `the input of tools.${untraced} has no {nonce}` };
  const [fact] = (scenario.needs.model ?? []).filter((name) => model?.has(name) === false);
  if (fact !== undefined)
    return { because: 'model', reason: `needs model: { ${fact} } in the statement, in tokens` };
  const lacking = (scenario.needs.ops ?? []).filter((op) => ops?.has(op) === false);
  if (virtual_time === true && virtualTime === false) lacking.push('virtual time');
  if (lacking.length > 0)
    return {
      because: 'operation',
      reason: `needs ${lacking.join(' and ')}, which the target does not offer`,
    };
  const missing = needed.filter((name) => !features.has(name));
  if (missing.length > 0)
    return { because: 'feature', reason: `needs ${missing.join(' and ')}, which the target does not claim` };
  return undefined;
}

/** Why a scenario needs a tool of the statement. */
function toolReason({ suite }: Scenario, tool: string, takesAnyTool = false): string {
  const explained = `(wireproof init ${suite} explains it)`;
  return takesAnyTool
    ? `needs tools: { ${tool}: { name, input } } in the statement: the model calls it ${explained}`
    : `needs tools: { ${tool}: { name, input, makes } } in the statement: only a witness shows whether a call was run, a file that it makes, or a text that its result shows ${explained}`;
}

export const needsOwnTarget = (scenario: Scenario): boolean =>
  scenario.fresh || scenario.alone || scenario.last;

/** The longest time that a scenario waits by its own steps (ms). */
export function waitingTime(
  steps: readonly ScenarioStep[],
  timeouts: { readonly [name: string]: number },
): number {
  const time = (text: string): number =>
    text.startsWith('$timeouts.') ? (timeouts[text.slice('$timeouts.'.length)] ?? 0) : (duration(text) ?? 0);
  let ms = 0;
  for (const step of steps) {
    if ('quiet' in step) ms += time(step.quiet.for);
    else if ('await' in step) ms += time(step.await.within ?? '0ms');
    else if ('repeat' in step)
      ms +=
        (step.repeat.until === undefined ? step.repeat.times : 1) * waitingTime(step.repeat.steps, timeouts);
    else if ('parallel' in step)
      ms += Math.max(...step.parallel.map((branch) => waitingTime(branch, timeouts)));
  }
  return ms;
}

/** A glob over ids (`*` any run, `?` one character) as a test. */
export function glob(pattern: string): (id: string) => boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 'i');
  return (id) => expression.test(id);
}

/** The selection flags of a command. */
export interface Selection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly level: 'MUST' | 'SHOULD' | 'MAY' | undefined;
  /** Only requirements that this version of the kit had. */
  readonly asOf: string | undefined;
}

const rank = { MUST: 0, SHOULD: 1, MAY: 2 } as const;

function newer(a: string, b: string): boolean {
  const [x, y] = [a, b].map((v) => v.split('.').map(Number));
  for (let i = 0; i < 3; i++) if ((x?.[i] ?? 0) !== (y?.[i] ?? 0)) return (x?.[i] ?? 0) > (y?.[i] ?? 0);
  return false;
}

/** The requirements that a run judges. */
export function selectRequirements(
  all: readonly Requirement[],
  selection: Selection,
): readonly Requirement[] {
  const only = selection.only.map(glob);
  const skip = selection.skip.map(glob);
  const { level, asOf } = selection;
  return all.filter(
    ({ id, level: l, since }) =>
      (only.length === 0 || only.some((is) => is(id))) &&
      !skip.some((is) => is(id)) &&
      (level === undefined || rank[l] <= rank[level]) &&
      (asOf === undefined || !newer(since, asOf)),
  );
}
