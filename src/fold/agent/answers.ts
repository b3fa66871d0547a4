/** The steps of a request: a directive's, a scripted answer's, or an echo. */
import { unsupportedText } from '../../kit/base/index.ts';
import { parseDirective } from '../directive.ts';
import type { Step } from '../directive.ts';
import type { Outputs } from './state.ts';

/** The steps of the request with this content. An invalid directive ends it with an error. */
export function stepsOf(out: Outputs, content: string): readonly Step[] {
  const directive = parseDirective(content);
  if (!directive.ok) return [{ fail: unsupportedText(directive.error) }];
  return directive.value ?? scriptedSteps(out, content) ?? [{ say: content }];
}

/** The steps of the script's answer; undefined without a fitting answer. */
function scriptedSteps(
  { state, options: { answers = [] } }: Outputs,
  content: string,
): readonly Step[] | undefined {
  const lower = content.toLowerCase();
  const matched = answers.find(({ match }) => match !== undefined && lower.includes(match.toLowerCase()));
  if (matched !== undefined) return matched.do;
  const inOrder = answers.filter(({ match }) => match === undefined);
  return inOrder[Math.min(state.answered++, inOrder.length - 1)]?.do;
}
