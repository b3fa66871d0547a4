/** The dialect of an answer, by the path of its request. */
import { purposeOf } from '../server/asked.ts';

/** The dialect whose answer comes from a path; undefined for one that answers no prompt. */
export function dialectOfPath(path: string): string | undefined {
  const purpose = purposeOf(path);
  return purpose?.what === 'answer' ? purpose.dialect : undefined;
}
