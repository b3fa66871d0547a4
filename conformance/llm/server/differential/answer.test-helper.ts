/** An answer as a client gives it to a program. */

/** The facts that a caller gets of one answer. */
export interface Answer {
  readonly text?: string | undefined;
  readonly ids?: readonly unknown[] | undefined;
  readonly names?: readonly unknown[] | undefined;
  readonly inputs?: readonly unknown[] | undefined;
  readonly stop?: unknown;
  readonly tokens?: unknown;
  readonly id?: unknown;
  readonly model?: unknown;
  readonly throws?: string | undefined;
}

/** The `throws` of a client that never ends. */
export const overdueText = 'waits for more, and gives nothing to the program';
