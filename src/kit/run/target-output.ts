/** What a target on a plain carrier has put out. */
import type { TraceEvent } from '../base/index.ts';

/** Whether a testee's line is an answer: a result, an error, or `unsupported`. */
export const isAnswer = ({ from, kind, data }: TraceEvent): boolean =>
  from === 'target' &&
  kind === 'message' &&
  ['ok', 'error', 'unsupported'].some((member) => data[member] !== undefined);

/** Whether an event is a message of the target. */
export const isMessage = ({ from, kind }: TraceEvent): boolean => from === 'target' && kind === 'message';

/** Whether output is text for people: printable characters and white space. */
export const isText = (output: string): boolean => /^[\s\P{C}]*$/u.test(output) && !output.includes('\ufffd');
