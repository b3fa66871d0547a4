/** Requests in dialects that the suite does not judge. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { dialects } from '../../../src/llm/index.ts';

/** Whether the suite judges a dialect. The simulated provider plays further ones. */
export const isJudgedDialect = (dialect: string): boolean => dialects.some((name) => name === dialect);

/** A request for a generation in a dialect that is not judged, in words. Undefined for others. */
export function foreignRequest({ method, path, dialect, error }: JsonObject): string | undefined {
  if (typeof method !== 'string' || typeof path !== 'string') return undefined;
  if (typeof dialect === 'string')
    return isJudgedDialect(dialect) ? undefined : `${method} ${path}, in the dialect ${dialect}`;
  return method === 'POST' && error !== undefined ? `${method} ${path}, a path of no dialect` : undefined;
}
