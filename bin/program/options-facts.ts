/** The types that the files of this room share. */
import type { Command, Help, Option } from 'commander';

/** The module options.cts. */
export interface SharedOptions {
  /** Collects the values of a repeatable option. */
  collect(value: string, before: readonly string[]): readonly string[];
  /** The examples of a verb, or of the root help, as lines below the help. */
  examples(verb: string | undefined, more?: readonly (readonly [command: string, text: string])[]): string;
  /** The text of an option in the help. */
  optionDescription(this: Help, option: Option): string;
  /** Adds the formats of reports. */
  withFormatOptions(command: Command): Command;
  /** Adds the options that select requirements. */
  withSelectionOptions(command: Command): Command;
  /** Adds the options of the verdict. */
  withVerdictOptions(command: Command): Command;
}
