/** The messages of LM Studio that older servers leave out: the fragments of arguments before the whole call. */
import { isObject } from '../../../kit/base/index.ts';
import { textsOf } from '../shared/join.ts';
import type { JoinUnits } from '../shared/join.ts';

const fragment = 'toolCallGenerationArgumentFragmentGenerated';

/** Joins the fragments of the arguments of a call. Where the whole call follows, they are left out. */
export const joinFragments: JoinUnits = ({ data: before }, next) => {
  if (!isObject(before) || before['type'] !== fragment || !isObject(next.data)) return undefined;
  if (next.data['type'] === 'toolCallGenerationEnd') return next;
  if (next.data['type'] !== fragment) return undefined;
  return { data: { ...next.data, content: textsOf(before['content'], next.data['content']) } };
};
