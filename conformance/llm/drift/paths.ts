/** The dialect of an answer, by the path of its request. */
import { purposeOf } from '../server/asked.ts';

/** Paths of dialects that have a list of words and no judge. */
const others: readonly (readonly [end: RegExp, dialect: string])[] = [
  [/:(?:streamG|g)enerateContent$/, 'gemini'],
];

/** The dialect whose answer comes from a path; undefined for one that answers no prompt. */
export function dialectOfPath(path: string): string | undefined {
  const purpose = purposeOf(path);
  if (purpose !== undefined) return purpose.what === 'answer' ? purpose.dialect : undefined;
  const bare = path.replace(/[?#].*$/, '');
  return others.find(([end]) => end.test(bare))?.[1];
}
