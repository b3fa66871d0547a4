/** A simulated provider for one test: closed when the test is over. */
import { onTestFinished } from 'vitest';
import { until } from '../../../kit/world/until.test-helper.ts';
import type { ScriptBuilder } from '../../script/builder.ts';
import type { Script } from '../../script/script.ts';
import { simulateLlm } from '../simulate-llm.ts';
import type { SimulatedLlm } from '../simulate-llm.ts';

/** A simulated provider that can be waited on. */
export interface OpenedLlm extends SimulatedLlm {
  /** Waits until something is so. @throws Error after 30 s */
  until(is: () => boolean): Promise<void>;
}

/** Starts one. */
export async function opened(script: Script | ScriptBuilder): Promise<OpenedLlm> {
  const llm = await simulateLlm(script);
  onTestFinished(() => llm.close());
  return {
    ...llm,
    until: (is) => until(is),
  };
}

/** How many generations were asked for. */
export const asked = (llm: SimulatedLlm): number =>
  llm.requests.filter(({ dialect, error }) => dialect !== undefined || error !== undefined).length;
