/** FOLD-A38 and A39: token usage, one event a model call. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { usageCounts } from '../../../../src/fold/index.ts';
import type { TokenUsage, UsageStep } from '../../../../src/fold/index.ts';
import { modelCallsOf } from '../expected.ts';
import type { FoldView } from '../view.ts';
import { responseOf } from '../view.ts';

const afterEachCall = rule({
  requirement: 'FOLD-A38',
  listens: ['response.done'],
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    if (request === undefined || view.stream?.session.features.has('token_usage') !== true) return undefined;
    const calls = modelCallsOf(request).length;
    if (calls === 0) return undefined;
    if (request.usage.length === calls) return exercised(event);
    return violated(
      event,
      `expected a usage event after each of ${calls} model calls; ${request.usage.length} came`,
      [request.seq],
    );
  },
});

const same = (a: TokenUsage, b: UsageStep): boolean =>
  usageCounts.every((name) => (a[name] ?? 0) === (b[name] ?? 0));

const sum = (steps: readonly UsageStep[]): UsageStep =>
  Object.fromEntries(usageCounts.map((name) => [name, steps.reduce((n, step) => n + (step[name] ?? 0), 0)]));

const perCall = rule({
  requirement: 'FOLD-A39',
  listens: ['response.usage'],
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    const { usage } = responseOf(event);
    if (request === undefined || usage === undefined) return undefined;
    const negative = usageCounts.find((name) => (usage[name] ?? 0) < 0);
    if (negative !== undefined)
      return violated(event, `expected counts of 0 or more; ${negative} is ${usage[negative] ?? 0}`);
    const calls = modelCallsOf(request);
    const n = request.usage.length;
    const call = calls[n];
    if (call === undefined) return undefined;
    if (same(usage, call)) return exercised(event);
    const total = n > 0 && same(usage, sum(calls.slice(0, n + 1)));
    const came = total ? 'running totals' : JSON.stringify(usage);
    return violated(
      event,
      `expected the counts of model call ${n + 1} alone (${JSON.stringify(call)}); came ${came}`,
      [request.seq],
    );
  },
});

export const usageRules: readonly Rule<FoldView>[] = [afterEachCall, perCall];
