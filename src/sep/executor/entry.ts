/** An action of a run, and what becomes of it. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { Round } from './blocks/round.ts';
import type { DiagnosticCode, SepAction, SepEvent, SepRollback } from '../parser/events.ts';

/** The stages of an action. fire_and_forget is `done` as soon as it has started. */
export type Stage = 'queued' | 'waiting' | 'running' | 'done' | 'failed' | 'skipped';

/** The outputs that an action gathers: as a list, or by id. */
export type Gather = { readonly list: readonly Entry[] } | { readonly byId: ReadonlyMap<string, Entry> };

/** An action of the run. */
export interface Entry {
  readonly action: SepAction;
  stage: Stage;
  /** The attempts that began. */
  attempts: number;
  /** The parameters of the attempts. */
  parameters: JsonObject;
  /** The attempts after the first one. */
  readonly retries: number;
  /** The earlier actions whose outputs its parameters name (SEP-49). */
  readonly named: readonly Entry[];
  /** The number of dependencies that have not succeeded. */
  open: number;
  /** The number of dependencies that may come later in the output, or that wait for such a one. */
  forward: number;
  /** The round of a loop to which it belongs. */
  readonly round: Round | undefined;
  /** The outputs that it gathers. */
  readonly gather: Gather | undefined;
  /** The actions that wait for this one. */
  readonly dependents: Entry[];
  /** Those of them that count this one as forward. */
  readonly floating: Entry[];
  output: Json | undefined;
  error: string | undefined;
  because: string | undefined;
  /** The parts of its latest attempt; undefined: none came. */
  parts: PartsOfAttempt | undefined;
}

/** What was told of the parts of an attempt. */
export interface PartsOfAttempt {
  count: number;
  characters: number;
  /** The codes of the remarks about them. */
  readonly told: Set<DiagnosticCode>;
}

/** A piece of a response that was not shown: its text, or the end of the response. */
export interface HeldPiece {
  /** How many actions of the queue came before it. */
  readonly behind: number;
  readonly end: Extract<SepEvent, { type: 'response_end' }> | undefined;
  readonly final: boolean;
  /** The round of a loop to which it belongs. */
  readonly round: Round | undefined;
  /** The text that was not shown. */
  text: string;
}

/** An action that has completed, and can be undone. */
export interface Undoable {
  readonly entry: Entry;
  readonly rollback: SepRollback;
}

/** The rollback that runs. */
export interface Undoing {
  readonly id: string;
  readonly attempt: number;
  /** Its time limit (s). */
  readonly timeout: number;
}
