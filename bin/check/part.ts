/** The part of a suite that a check plays and judges: what flags select, and what a shard plays of that. */
import { didYouMean, WireproofError } from '../../src/kit/base/index.ts';
import type { Scenario } from '../../src/kit/base/index.ts';
import type { CheckOptions } from '../../src/kit/run/index.ts';
import { selectRequirements } from '../../src/kit/scenario/index.ts';
import { readScenario } from '../../src/kit/spec/index.ts';
import type { Requirement } from '../../src/kit/spec/index.ts';
import { scenariosOf as suiteScenarios } from '../../src/kit/suite/index.ts';
import type { Suite } from '../../src/kit/suite/index.ts';
import { probeOf } from './options.ts';
import type { CheckFlags } from './options.ts';
import type { CheckSubject } from './subjects.ts';
import { selectionOf } from './selection.ts';
import { isInShard, shardOf } from './shard.ts';

type Part = Pick<CheckOptions, 'requirements' | 'scenarios' | 'selected' | 'namesScenarios' | 'shard'>;

/** The selected requirements and scenarios. `owed` are all requirements of the suite, `name` is that of the target. */
export function partOf(
  suite: Suite,
  owed: readonly Requirement[],
  flags: CheckFlags,
  { name, statement }: Pick<CheckSubject, 'name' | 'statement'>,
): Part {
  const { only, skip, level, asOf } = flags;
  const requirements = selectRequirements(owed, { only, skip, level, asOf });
  if (requirements.length === 0) {
    throw new WireproofError('usage', 'the selection leaves no requirement; see wireproof list requirements');
  }
  const ofVersion = selectRequirements(owed, { only: [], skip: [], level: undefined, asOf });
  const rows = { selected: requirements, of: ofVersion };
  const all = suiteScenarios(suite, statement);
  const whole = scenariosOf(suite, flags, all);
  const part = { requirements, namesScenarios: flags.scenario.length > 0 };
  if (flags.shard === undefined)
    return { ...part, scenarios: whole, selected: selectionOf(flags, rows, { selected: whole, of: all }) };
  const shard = shardOf(flags.shard);
  // Each shard plays the probe, which finds out what the target is.
  const scenarios = whole.filter(({ name }) => name === probeOf(suite) || isInShard(shard, name));
  const selected = selectionOf({ ...flags, shard: undefined }, rows, { selected: whole, of: all });
  return {
    ...part,
    scenarios,
    selected: selectionOf(flags, rows, { selected: scenarios, of: all }),
    shard: { ...shard, name, scenarios: whole, selected },
  };
}

/** The scenarios of the run; a shard plays a part of them. */
function scenariosOf(suite: Suite, flags: CheckFlags, all: readonly Scenario[]): readonly Scenario[] {
  const isProbe = ({ name }: Scenario): boolean => name === probeOf(suite);
  if (flags.scenario.length === 0) return all;
  const chosen = flags.scenario.map((name) => {
    const found =
      all.find((scenario) => scenario.name === name) ??
      (/\.ya?ml$/.test(name) ? readScenario(name) : undefined);
    if (found === undefined)
      throw new WireproofError(
        'usage',
        `no scenario ${name}${didYouMean(
          name,
          all.map((scenario) => scenario.name),
        )}; see wireproof list scenarios ${suite.id}, or give a .yaml file`,
      );
    return found;
  });
  return [...all.filter(isProbe), ...chosen.filter((scenario) => !isProbe(scenario))];
}
