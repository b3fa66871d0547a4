/** What became of the scenarios of one check, and the progress that its user sees. */
import type { Scenario, ScenarioOutcome } from '../base/index.ts';
import type { OpenWait } from '../judge/index.ts';
import type { ScenarioEnd, ScenarioWait, SkippedScenario } from '../scenario/index.ts';
import type { CheckOptions } from './check-options.ts';

/** The outcome of a scenario that was not played. */
export type NotPlayed = { readonly outcome: 'not-run'; readonly reason: string };

export class ScenarioOutcomes {
  readonly list: ScenarioOutcome[] = [];
  readonly skipped: SkippedScenario[] = [];
  /** When each scenario began (ms since the run began). */
  readonly starts: Map<string, number> = new Map();
  /** How many scenarios are to be played. */
  planned: number = 0;
  /** How many scenarios have ended, or were not run. */
  #ended = 0;
  readonly #progress: CheckOptions['progress'];
  /** When the run began (`performance.now()`). */
  readonly #began: number;

  constructor(progress: CheckOptions['progress'], began: number) {
    this.#progress = progress;
    this.#began = began;
  }

  /** Notes a scenario that is left out. */
  skip(skipped: SkippedScenario): void {
    this.skipped.push(skipped);
    const { scenario, reason } = skipped;
    this.list.push({ name: scenario.name, outcome: 'skipped', reason, duration_ms: 0 });
  }

  /** Notes the end of a scenario, and its duration `ms`. */
  note({ name }: Scenario, played: ScenarioEnd | NotPlayed, ms: number): void {
    const refused =
      'refusal' in played && played.refusal !== undefined ? `came ${played.refusal}` : undefined;
    this.starts.set(name, performance.now() - this.#began - ms);
    const why = played.reason ?? refused;
    this.list.push({
      name,
      outcome: played.outcome,
      ...(why === undefined ? {} : { reason: why }),
      ...('unsupported' in played ? { unsupported: true } : {}),
      duration_ms: Math.round(ms),
    });
    this.#ended++;
    this.#progress(this.#ended, this.planned, name);
  }

  /** Shows a long wait of a scenario. */
  showWait(scenario: string, { text, waited, within }: ScenarioWait & { readonly waited: number }): void {
    this.#show(`${scenario} waits for ${text}`, waited, within);
  }

  /** Shows a long wait after the end of a scenario. */
  showOpenWait({ requirements, ms }: OpenWait, waited: number): void {
    this.#show(`waits for what ${requirements.join(', ')} demands`, waited, waited + ms);
  }

  #show(what: string, waited: number, within: number): void {
    const seconds = (ms: number): number => Math.round(ms / 1000);
    const wait = `${what}, ${seconds(waited)} of ${seconds(within)} s`;
    this.#progress(this.#ended, this.planned, wait);
  }
}
