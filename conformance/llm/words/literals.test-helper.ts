/** The words that a source file names: all texts in it, and those at places where words of a wire stand. */
import ts from 'typescript';

/** What one file names. */
export interface Literals {
  /** Every text, name of a member, and part of a path such as `usage.output_tokens`. */
  readonly all: ReadonlySet<string>;
  /** The texts that are compared with a type, written as one, or keys of a table of words. */
  readonly words: ReadonlySet<string>;
  /** Texts with gaps, such as `${name}_call`. */
  readonly patterns: readonly RegExp[];
}

/** The members and variables that hold a word of a wire. */
const holders: ReadonlySet<string> = new Set([
  'type',
  'word',
  'status',
  'event',
  'object',
  'stop_reason',
  'finish_reason',
  'done_reason',
  'stopReason',
  'reasoningType',
]);

/** The functions of renderers that take words, with the place of the word among their arguments. */
const takers: ReadonlyMap<string, number> = new Map([
  ['event', 0],
  ['deltas', 0],
  ['incomplete', 0],
  ['success', 1],
  ['fragment', 1],
]);

/** Reads a file. */
export function literalsOf(path: string, text: string): Literals {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = { all: new Set<string>(), words: new Set<string>(), patterns: [] as RegExp[] };
  const visit = (node: ts.Node): void => {
    for (const word of namesOf(node)) for (const one of [word, ...partsOf(word)]) found.all.add(one);
    for (const expression of wordPlaces(node))
      for (const word of textsOf(expression).flatMap(wordsIn)) found.words.add(word);
    if (ts.isTemplateExpression(node)) found.patterns.push(patternOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The words in a text. A shape names a closed set as `=none|reasoning`; `string?` and an empty text are no words. */
const wordsIn = (text: string): readonly string[] =>
  (text.startsWith('=') ? text.slice(1).split('|') : [text]).filter((word) => /^[a-z][\w.-]*$/i.test(word));

const isText = (node: ts.Node | undefined): node is ts.StringLiteralLike =>
  node !== undefined && ts.isStringLiteralLike(node);

/** The texts that an expression may give. */
function textsOf(node: ts.Expression | undefined): readonly string[] {
  if (isText(node)) return [node.text];
  if (node === undefined) return [];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  return ts.isParenthesizedExpression(node) ? textsOf(node.expression) : [];
}

function namesOf(node: ts.Node): readonly string[] {
  if (isText(node)) return [node.text];
  if (ts.isTemplateSpan(node)) return [node.literal.text];
  if (ts.isPropertyAccessExpression(node)) return [node.name.text];
  if (ts.isBindingElement(node)) {
    const name = node.propertyName ?? node.name;
    return ts.isIdentifier(name) ? [name.text] : [];
  }
  if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return [];
  return ts.isIdentifier(node.name) ? [node.name.text] : [];
}

/** The parts of a path, and the words of a closed set in a shape: `=none|reasoning`. */
const partsOf = (text: string): readonly string[] =>
  text.startsWith('=') ? text.slice(1).split('|') : text.split('.').slice(1);

/** A pattern for texts with gaps. A gap is one or more letters or low lines. */
function patternOf(node: ts.TemplateExpression): RegExp {
  const texts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
  return new RegExp(
    `^${texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join(String.raw`\w+`)}$`,
  );
}

/** The expressions at a node that may be words of a wire. */
function wordPlaces(node: ts.Node): readonly ts.Expression[] {
  if (ts.isSwitchStatement(node) && holds(node.expression))
    return node.caseBlock.clauses.flatMap((clause) => (ts.isCaseClause(clause) ? [clause.expression] : []));
  if (ts.isBinaryExpression(node)) return compared(node);
  if (ts.isPropertyAssignment(node)) return assigned(node);
  if (ts.isElementAccessExpression(node)) return accessed(node.expression, node.argumentExpression);
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
    return called(node, node.expression.text);
  if (ts.isNewExpression(node)) return collected(node);
  return ts.isVariableDeclaration(node) ? tabled(node) : [];
}

/** A member that holds a word, a header field, or a count in the table of a shape: `message.usage.input_tokens`. */
function assigned({ name, initializer }: ts.PropertyAssignment): readonly ts.Expression[] {
  const value = holders.has(name.getText()) ? [initializer] : [];
  if (!ts.isStringLiteral(name)) return value;
  const [, count] = /\b(?:usage|stats)\.([\w.]+)$/.exec(name.text) ?? [];
  if (count !== undefined) return [...value, ts.factory.createStringLiteral(count)];
  return name.text.includes('-') ? [...value, name] : value;
}

/** The objects whose members are counts. */
const counters: ReadonlySet<string> = new Set(['usage', 'stats']);

/** A count, or a header field: `usage['input_tokens']`, `headers['retry-after']`. */
function accessed(object: ts.Expression, member: ts.Expression): readonly ts.Expression[] {
  const name = ts.isIdentifier(object) ? object.text : '';
  return isText(member) && (counters.has(name) || name === 'headers') ? [member] : [];
}

/** A word that a function takes, or a count: `event('ping')`, `at(usage, 'input_tokens')`. */
function called({ arguments: given }: ts.CallExpression, name: string): readonly ts.Expression[] {
  const [object, member] = given;
  if (name === 'at' && object !== undefined && member !== undefined && ts.isIdentifier(object))
    return counters.has(object.text) ? [member] : [];
  const argument = given[takers.get(name) ?? given.length];
  return argument === undefined ? [] : [argument];
}

const equalities: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

function compared({ left, right, operatorToken }: ts.BinaryExpression): readonly ts.Expression[] {
  if (!equalities.has(operatorToken.kind)) return [];
  return [...(holds(left) ? [right] : []), ...(holds(right) ? [left] : [])];
}

/** Whether an expression is a word of a wire: `type`, `block.type`, `item['type']`, `at(item, 'type')`. */
function holds(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return holders.has(node.text);
  if (ts.isPropertyAccessExpression(node)) return holders.has(node.name.text);
  if (ts.isElementAccessExpression(node))
    return isText(node.argumentExpression) && holders.has(node.argumentExpression.text);
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'at') return false;
  const last = node.arguments.at(-1);
  return isText(last) && holders.has(last.text);
}

/** The elements of `new Set([…])`, and the keys of `new Map([[…, …]])`. */
function collected(node: ts.NewExpression): readonly ts.Expression[] {
  const [list] = node.arguments ?? [];
  if (list === undefined || !ts.isArrayLiteralExpression(list)) return [];
  return list.elements.flatMap((one) =>
    ts.isArrayLiteralExpression(one) ? one.elements.slice(0, 1) : [one],
  );
}

/** The words of a table: its keys where it is by word, its values where it is by a neutral word. */
function tabled({ type, initializer }: ts.VariableDeclaration): readonly ts.Expression[] {
  if (initializer === undefined || !ts.isObjectLiteralExpression(initializer) || type === undefined)
    return [];
  const properties = initializer.properties.filter((one) => ts.isPropertyAssignment(one));
  if (ts.isMappedTypeNode(type)) return properties.map((one) => one.initializer);
  const byWord =
    ts.isTypeLiteralNode(type) &&
    type.members.some(
      (one) => ts.isIndexSignatureDeclaration(one) && /\[(?:word|type|block|event)\b/.test(one.getText()),
    );
  return byWord ? properties.flatMap(({ name }) => keyOf(name)) : [];
}

const keyOf = (name: ts.PropertyName): readonly ts.Expression[] =>
  ts.isIdentifier(name)
    ? [ts.factory.createStringLiteral(name.text)]
    : ts.isStringLiteral(name)
      ? [name]
      : [];
