/** The mark by which a trace says how its target is driven, and which limits hold. */
import type { JsonObject } from '../base/index.ts';
import type { TargetSessionOptions } from './target-session-options.ts';

/** Times are scaled for the machine (ms). */
export function runMark<V>(drive: string, options: TargetSessionOptions<V>): JsonObject {
  const {
    suite,
    timeouts,
    timeoutScale,
    model = suite.referenceModel,
    untestable = {},
    credentials,
  } = options;
  const tools = showingTools(options);
  const scaled = Object.entries(timeouts).map(([name, ms]): [string, number] => [name, ms * timeoutScale]);
  return {
    run: {
      drive,
      ...(credentials === undefined ? {} : { auth: credentials.scheme }),
      ...(model?.window === undefined ? {} : { model: { ...model } }),
      ...(Object.keys(tools).length === 0 ? {} : { tools }),
      ...(Object.keys(untestable).length === 0 ? {} : { untestable: { ...untestable } }),
      timeouts: Object.fromEntries(scaled),
    },
  };
}

/** The tools that scenarios call, and whose output is known in part: rules compare it with what a target makes of it. */
function showingTools<V>({ suite, tools = suite.referenceTools ?? {} }: TargetSessionOptions<V>): JsonObject {
  if (suite.referenceTools === undefined) return {};
  return Object.fromEntries(
    Object.entries(tools).flatMap(([meaning, { name, input, shows }]) =>
      shows === undefined ? [] : [[meaning, { name, input, shows }]],
    ),
  );
}
