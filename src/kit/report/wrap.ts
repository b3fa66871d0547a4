/** Lines for a width. Words stay whole, and colour begins and ends on one line. */

/** A colour, or none. */
export type Paint = (text: string) => string;

/** A part of a text, and its colour. */
export type PaintedPart = readonly [text: string, paint: Paint];

/** Wraps a line between words, so that it and its continuations fit after the indent. Longer words stay whole. */
export const wrap = (width: number, indent: string, text: string): readonly string[] => {
  if (indent.length + text.length <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
};

/**
 * Wraps a text of coloured parts. No line has a colour that another line ends.
 *
 * @example
 * const bold = (text: string): string => `<${text}>`;
 * wrapParts(8, '', [['one two', bold], [' three', String]]); // ['<one two>', 'three']
 */
export const wrapParts = (
  width: number,
  indent: string,
  parts: readonly PaintedPart[],
): readonly string[] => {
  const text = parts.map(([part]) => part).join('');
  let end = 0;
  return wrap(width, indent, text).map((line) => {
    const start = text.indexOf(line, end);
    end = start + line.length;
    return indent + paintedSlice(parts, start, start + line.trimEnd().length);
  });
};

/** The characters `start` to `end` of all parts, each part in its colour. */
function paintedSlice(parts: readonly PaintedPart[], start: number, end: number): string {
  let at = 0;
  let shown = '';
  for (const [text, paint] of parts) {
    const slice = text.slice(Math.max(0, start - at), Math.max(0, end - at));
    if (slice !== '') shown += paint(slice);
    at += text.length;
  }
  return shown;
}
