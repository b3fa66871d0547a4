/** The flag `--limit name=number` of `simulate sep/executor`. */
import { WireproofError } from '../../../../src/kit/base/index.ts';
import type { RunnerOptions } from '../../../../src/sep/index.ts';

/** The options of a run that are limits. */
type LimitOption = 'maxIterations' | 'mostBody' | 'mostRetries' | 'mostSubstituted' | 'mostValue';

/** The names in the flag. */
export type LimitName = 'body' | 'iterations' | 'retries' | 'substituted' | 'value';

/** The options by their names in the flag. */
export const limitNames: { readonly [name in LimitName]: LimitOption } = {
  body: 'mostBody',
  iterations: 'maxIterations',
  retries: 'mostRetries',
  substituted: 'mostSubstituted',
  value: 'mostValue',
};

/** Limits of a run. */
export type RunLimits = Pick<RunnerOptions, LimitOption>;

/** The limits in the texts of the flag. @throws WireproofError 'usage' */
export const runLimits = (texts: readonly string[]): RunLimits =>
  Object.fromEntries(
    texts.map((text) => {
      const [, name = '', digits = ''] = /^(\w+)=(\d{1,12})$/.exec(text) ?? [];
      const found = Object.entries(limitNames).find(([known]) => known === name);
      if (found === undefined)
        throw new WireproofError(
          'usage',
          `--limit ${text}: expected name=number, with one of the names ${Object.keys(limitNames).join(', ')}`,
        );
      return [found[1], Number(digits)];
    }),
  );
