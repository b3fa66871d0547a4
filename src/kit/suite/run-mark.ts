/** The mark by which a trace says how its target is driven, and which limits hold. */
import type { JsonObject } from '../base/index.ts';
import type { TargetSessionOptions } from './target-session-options.ts';

/** See the file's head. Times are scaled for the machine (ms). */
export function runMark<V>(drive: string, options: TargetSessionOptions<V>): JsonObject {
  const { suite, timeouts, timeoutScale, model = suite.referenceModel, handles = {}, credentials } = options;
  const scaled = Object.entries(timeouts).map(([name, ms]): [string, number] => [name, ms * timeoutScale]);
  return {
    run: {
      drive,
      ...(credentials === undefined ? {} : { auth: credentials.scheme }),
      ...(model?.window === undefined ? {} : { model: { ...model } }),
      ...(Object.keys(handles).length === 0 ? {} : { untestable: { ...handles } }),
      timeouts: Object.fromEntries(scaled),
    },
  };
}
