/** A simulated provider for one test. It is closed when the test is over. */
import { onTestFinished } from 'vitest';
import { until } from '../../../kit/world/until.test-helper.ts';
import type { ScriptBuilder } from '../../script/builder.ts';
import type { Script } from '../../script/script.ts';
import { simulateLlm } from '../simulate-llm.ts';
import type { SimulatedLlm, SimulateLlmOptions } from '../simulate-llm.ts';

/** A simulated provider with `until`. */
export interface OpenedLlm extends SimulatedLlm {
  /** Waits until a condition holds. @throws Error after 30 s */
  until(is: () => boolean): Promise<void>;
}

/** Starts a simulated provider. */
export async function opened(
  script: Script | ScriptBuilder,
  options: SimulateLlmOptions = {},
): Promise<OpenedLlm> {
  const llm = await simulateLlm(script, options);
  onTestFinished(() => llm.close());
  return Object.assign(llm, { until: (is: () => boolean) => until(is) });
}

/** The number of requested generations. */
export const asked = (llm: SimulatedLlm): number =>
  llm.requests.filter(({ dialect, error }) => dialect !== undefined || error !== undefined).length;
