/** The requirement that a wrongly read answer violates: unknown parts, several calls, another cut of the bytes, or its form. */
import type { TurnRequest } from './turn-request.ts';

/** The requirements about reading an answer. */
export const contentRows: readonly string[] = ['LLM-C11', 'LLM-C12', 'LLM-C17', 'LLM-C30'];

/**
 * The requirement that a wrong content violates. LLM-C11 only where the same answer was read right before, in other
 * pieces.
 *
 * @param calls - the calls of the response
 */
export function contentRow({ about, readBefore }: TurnRequest, calls: number): string {
  if (about['noise'] === true) return 'LLM-C12';
  // A form that is not read with one call is not read with several either.
  if (calls > 1) return about['form'] === 'several' && !readBefore ? 'LLM-C30' : 'LLM-C17';
  return readBefore && about['pieces'] === 'odd' ? 'LLM-C11' : 'LLM-C30';
}
