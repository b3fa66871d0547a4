/** Servers with faults in the steps of Gemini's Interactions API: LLM-S46. */
import { inUnits, valueOf, withUnitValue } from './mutant.ts';
import type { ServerFaults } from './mutant.ts';

const dialect = 'gemini-interactions';

export const geminiInteractionsFaults: ServerFaults = {
  'interactions-not-created': inUnits(dialect, 'interaction.created', () => []),
  'interactions-created-twice': inUnits(dialect, 'interaction.created', (unit) => [unit, unit]),
  'interactions-no-step-stop': inUnits(dialect, 'step.stop', () => []),
  'interactions-two-step-stops': inUnits(dialect, 'step.stop', (unit) => [unit, unit]),
  'interactions-one-index': inUnits(dialect, /^step\./, (unit) => [withUnitValue(unit, ['index'], 0)]),
  'interactions-steps-unstarted': inUnits(dialect, 'step.start', (unit) =>
    valueOf(unit, 'step', 'type') === 'model_output' ? [] : undefined,
  ),
  'interactions-text-in-a-call': inUnits(dialect, 'step.start', (unit) =>
    valueOf(unit, 'step', 'type') === 'function_call'
      ? [
          unit,
          {
            event: 'step.delta',
            data: {
              event_type: 'step.delta',
              index: valueOf(unit, 'index') ?? 0,
              delta: { type: 'text', text: 'So. ' },
            },
          },
        ]
      : undefined,
  ),
};
