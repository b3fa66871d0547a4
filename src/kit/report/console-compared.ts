/** The two messages of a violation on a terminal: the part that differs, a line for each side. */
import { clip } from '../base/index.ts';
import type { Comparison } from '../base/index.ts';
import { comparedField } from './comparison.ts';
import { indented } from './console-page.ts';
import type { Page } from './console-page.ts';
import { visible } from './escape.ts';

/** Characters of a label. Those of the kit are shorter. */
const labelRoom = 48;

/** Lines such as `end: the provider said  max_tokens`; below it what became of it, and what is lawful. */
export function comparedLines(page: Page, comparison: Comparison): readonly string[] {
  const { width, paint } = page;
  const title = `    ${visible(comparison.field, { limit: 40 })}: `;
  const fields = comparedField(comparison).map(([label, text]) => [
    visible(label, { limit: labelRoom }),
    visible(text),
  ]);
  const column = Math.max(...fields.map(([label = '']) => label.length)) + 2;
  return fields.flatMap(([label = '', text = ''], i) => {
    const indent = ' '.repeat(title.length + column);
    const head = (i === 0 ? title : ' '.repeat(title.length)) + paint.dim(label.padEnd(column));
    if (i >= 2) {
      const [first = '', ...rest] = indented(page, indent, text, paint.dim);
      return [head + first.slice(indent.length), ...rest];
    }
    const room = Math.max(16, width - indent.length);
    return [head + clip(text, room)];
  });
}
