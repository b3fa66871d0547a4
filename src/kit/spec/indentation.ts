/** Finds the line whose wrong indentation makes a text no YAML, and says so in words. The parser says it in its own terms. */

/** A fault of indentation. Line and column count from 1. */
export interface IndentationFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A key at the start of a line, maybe in a list: what precedes it, its name, and its value on this line. */
const keyLine = /^((?: |- )*)([\w.-]+):(?:$|\s+(.*)$)/u;
/** A value that goes on in the lines below, such as `|` and `>-`. */
const blockText = /^[|>][+-]?\d?\s*(?:#.*)?$/u;

/** A key that a line may be below or next to. */
interface Level {
  readonly column: number;
  readonly name: string;
  readonly hasValue: boolean;
}

/**
 * The first wrong indentation of a text; undefined: none was found. Only for a text that the parser has refused.
 *
 * @example
 * indentationFault(' suite: a\ntarget: b\n')?.message; // 'target begins in column 1; expected column 2, as suite above it'
 */
export function indentationFault(text: string): IndentationFault | undefined {
  const levels: Level[] = [];
  let inText: number | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, before = '', name = '', value = ''] = keyLine.exec(line.trimEnd()) ?? [];
    if (inText !== undefined && (line.trim() === '' || line.search(/\S/u) >= inText)) continue;
    inText = undefined;
    if (name === '') continue;
    const column = before.length + 1;
    const message = faultAt(levels, { column, name, isItem: before.includes('-') });
    if (message !== undefined) return { line: index + 1, column, message };
    while ((levels.at(-1)?.column ?? 0) >= column) levels.pop();
    levels.push({ column, name, hasValue: value !== '' && !value.startsWith('#') });
    if (blockText.test(value)) inText = column;
  }
  return undefined;
}

/** What is wrong with the column of a key below these ones. */
function faultAt(
  levels: readonly Level[],
  { column, name, isItem }: { readonly column: number; readonly name: string; readonly isItem: boolean },
): string | undefined {
  const above = levels.at(-1);
  if (above === undefined || isItem || above.column === column) return undefined;
  if (above.column < column)
    return above.hasValue
      ? `${name} begins in column ${column}; expected column ${above.column}, as ${above.name} above it, which has a value already`
      : undefined;
  if (levels.some((level) => level.column === column)) return undefined;
  const columns = levels.map((level) => level.column);
  return columns.length === 1
    ? `${name} begins in column ${column}; expected column ${above.column}, as ${above.name} above it`
    : `${name} begins in column ${column}; expected the column of a key above it: ${columns.join(', ')}`;
}
