/** The page of the console report: its width and colours, and its lines. */
import type picocolors from 'picocolors';
import type { Report } from '../base/index.ts';
import { wrap } from './wrap.ts';
import type { Paint } from './wrap.ts';

/** A report, and how it is written. */
export interface Page {
  readonly report: Report;
  readonly paint: ReturnType<typeof picocolors.createColors>;
  readonly width: number;
  /** The width of lines that programs read where there is no terminal: they stay whole then. */
  readonly lineWidth: number;
}

/** Without colour. */
export const plain: Paint = (text) => text;

/** A text in lines of the page's width. */
export const indented = (page: Page, indent: string, text: string, paint: Paint = plain): readonly string[] =>
  wrap(page.width, indent, text).map((line) => indent + paint(line));

/** The width of the labels at the start of lines. */
export const labelWidth = 16;

/** `label   text`, with further lines of the text below its first line. */
export const labelled = (
  page: Page,
  label: string,
  text: string,
  paint: Paint = page.paint.bold,
): readonly string[] => {
  const [first = '', ...rest] = indented(page, ' '.repeat(labelWidth), text);
  return [paint(label) + ' '.repeat(Math.max(1, labelWidth - label.length)) + first.trimStart(), ...rest];
};
