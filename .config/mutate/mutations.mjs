// Finds the places of a rule file where one token can change, and writes the file with all changes in it, each switched on
// by its number: `mutated(7) ? changed : original`.
import ts from 'typescript';

// `<` does not become `<=`: rules compare clock times, which are never equal, and numbers of different events.
const swaps = new Map(
  [
    ['===', '!=='],
    ['<', '>'],
    ['<=', '>='],
    ['&&', '||'],
    ['+', '-'],
    ['*', '/'],
    ['+=', '-='],
    ['++', '--'],
  ].flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]),
).set('??', '&&');

const methodSwaps = new Map(
  [
    ['some', 'every'],
    ['min', 'max'],
    ['startsWith', 'endsWith'],
    ['shift', 'pop'],
  ].flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]),
);

/** The functions whose arguments are sentences for people, after the first. */
const sayers = new Set(['violated', 'unknowable', 'exercised']);

/** The calls that bound the memory of a rule. They change no verdict. */
const forgets = /^(?:forgetOldest|pushBounded)\(|\.delete\(/;

/**
 * Instruments a file. Ids begin at `first`. `probing`: the code also tells where a changed expression has another value:
 * `probe(7, original, () => changed)`.
 *
 * @returns the code, and the mutations: {id, line, column, original, changed}
 */
export function instrument(code, path, first, probing = false) {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const mutations = [];
  const lines = code.split('\n');
  const textOf = (node) => code.slice(node.getStart(file), node.end);
  const note = (node, original, changed) => {
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
    mutations.push({
      path,
      id: first + mutations.length,
      line: line + 1,
      column: character + 1,
      original,
      changed,
      text: lines[line].trim(),
    });
    return first + mutations.length - 1;
  };
  const write = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node))
      return textOf(node);
    if (ts.isTypeAliasDeclaration(node) || isWords(node) || isWordsVariable(node)) return textOf(node);
    let text = children(node);
    for (const { at, original: was, changed, statement } of changesOf(node, textOf)) {
      const id = note(at ?? node, was, changed);
      if (statement === true) text = `{ if (!mutated(${id})) { ${text} } }`;
      else if (at === undefined) {
        const original = probing ? `probe(${id}, (${text}), () => (${changed}))` : `(${text})`;
        text = `(mutated(${id}) ? (${changed}) : ${original})`;
      }
    }
    return text;
  };
  /** The text of a node with its children instrumented. */
  const children = (node) => {
    const start = node.getStart(file);
    let text = '';
    let at = start;
    ts.forEachChild(node, (child) => {
      // A decorator or a comment before a child stays as it is.
      const from = Math.max(child.getStart(file), at);
      text += code.slice(at, from);
      text += isSentence(child) ? textOf(child) : (methodOf(child) ?? write(child));
      at = child.end;
    });
    return text + code.slice(at, node.end);
  };
  /** A call's property access, with a method that changes: `list.some` becomes `list[mutated(7) ? 'every' : 'some']`. */
  const methodOf = (node) => {
    if (!ts.isPropertyAccessExpression(node) || !ts.isCallExpression(node.parent)) return undefined;
    if (node.parent.expression !== node) return undefined;
    const changed = methodSwaps.get(node.name.text);
    if (changed === undefined) return undefined;
    const id = note(node.name, node.name.text, changed);
    const dot = node.questionDotToken === undefined ? '' : '?.';
    return `${write(node.expression)}${dot}[mutated(${id}) ? '${changed}' : '${node.name.text}']`;
  };
  const instrumented = file.statements.map((statement) => write(statement)).join('\n');
  return { code: instrumented, mutations };
}

/** Whether a node is a sentence of a finding: no test compares its words. */
function isSentence(node) {
  const { parent } = node;
  if (ts.isTemplateSpan(node)) return true;
  if (ts.isPropertyAssignment(parent) && parent.initializer === node && sentences.has(parent.name.getText()))
    return true;
  if (!ts.isCallExpression(parent) || !ts.isIdentifier(parent.expression)) return false;
  return sayers.has(parent.expression.text) && parent.arguments.indexOf(node) > 0;
}

/** A string literal with a blank, or a template with one. */
const isText = (node) =>
  (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && /\s/.test(node.getText());

/** Whether a node makes words for a sentence: a function that returns them, or a choice between two. */
function isWords(node) {
  if (ts.isConditionalExpression(node)) return isText(node.whenTrue) && isText(node.whenFalse);
  if (!ts.isFunctionDeclaration(node) && !ts.isArrowFunction(node)) return false;
  if (node.type?.kind !== ts.SyntaxKind.StringKeyword) return false;
  let found = false;
  const look = (inner) => {
    found ||= isText(inner);
    ts.forEachChild(inner, look);
  };
  look(node.body);
  return found;
}

/** The members of a finding that are sentences. */
const sentences = new Set(['expected', 'came']);

/** Whether a node is a part of a sentence: below `scope`, an argument of a sayer or a sentence's member is above it. */
function isInSentence(node, scope) {
  for (let at = node; at !== scope && at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isCallExpression(parent) && isSentence(at)) return true;
    if (ts.isPropertyAssignment(parent) && sentences.has(parent.name.getText())) return true;
    if (ts.isShorthandPropertyAssignment(at) && sentences.has(at.name.text)) return true;
    if (isWordsVariable(parent) && parent.initializer === at) return true;
  }
  return false;
}

/** Whether a node declares a variable whose only uses are parts of sentences. */
function isWordsVariable(node) {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.initializer === undefined)
    return false;
  const name = node.name.text;
  /** @type {ts.Node} */
  let scope = node.parent;
  while (!ts.isBlock(scope) && !ts.isSourceFile(scope)) scope = scope.parent;
  if (ts.isSourceFile(scope)) return false;
  const uses = [];
  const look = (inner) => {
    if (ts.isIdentifier(inner) && inner.text === name && inner !== node.name && !isMemberName(inner))
      uses.push(inner);
    ts.forEachChild(inner, look);
  };
  look(scope);
  return uses.length > 0 && uses.every((use) => isInSentence(use, scope));
}

/** Whether an identifier is the name of a member: `list.name`, `{ name: 1 }`. */
const isMemberName = (node) =>
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node);

/** The changes of a node itself. */
function changesOf(node, textOf) {
  if (ts.isBinaryExpression(node)) return binaryChanges(node, textOf);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [{ original: textOf(node), changed: textOf(node.operand) }];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ original: 'true', changed: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ original: 'false', changed: 'true' }];
  if (
    ts.isNumericLiteral(node) &&
    !ts.isPropertyAssignment(node.parent) &&
    !isBound(node) &&
    !isDefault(node)
  )
    return [numberChange(node.text)];
  if (ts.isStringLiteral(node) && isCompared(node)) return [{ original: textOf(node), changed: "''" }];
  if (isPlainCondition(node)) return [{ original: textOf(node), changed: `!(${textOf(node)})` }];
  if (ts.isExpressionStatement(node) && !forgets.test(textOf(node)))
    return [{ original: textOf(node), changed: '(removed)', statement: true }];
  return [];
}

function binaryChanges(node, textOf) {
  const operator = node.operatorToken.getText();
  const changed = swaps.get(operator);
  if (changed === undefined) return [];
  const sides = [node.left, node.right];
  const isText = (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side);
  if (operator === '+' && sides.some(isText)) return [];
  // A mix of ?? with && or || needs brackets.
  const [left, right] = sides.map((side) =>
    ts.isBinaryExpression(side) ? `(${textOf(side)})` : textOf(side),
  );
  if (operator === '+=' || operator === '-=') {
    if (!ts.isExpressionStatement(node.parent)) return [];
  }
  return [{ original: textOf(node), changed: `${left} ${changed} ${right}` }];
}

/** Whether a text is compared, or chooses: an operand of ===, a case, an element of a list, an argument. */
function isCompared(node) {
  const { parent } = node;
  if (/\s/.test(node.text) || node.text === '') return false;
  if (ts.isBinaryExpression(parent)) return /^[!=]==$/.test(parent.operatorToken.getText());
  return (
    ts.isCaseClause(parent) || ts.isArrayLiteralExpression(parent) || ts.isElementAccessExpression(parent)
  );
}

/** Whether a node is a condition that is not changed otherwise: a name or a call. */
function isPlainCondition(node) {
  const { parent } = node;
  if (!ts.isIdentifier(node) && !ts.isCallExpression(node) && !ts.isPropertyAccessExpression(node))
    return false;
  if ((ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node) return true;
  return ts.isConditionalExpression(parent) && parent.condition === node;
}

/** A small number counts, so that its neighbour is wrong. A large one is a tolerance: only its loss is wrong. */
const numberChange = (text) => ({ original: text, changed: Number(text) < 10 ? `${text} + 1` : '0' });

/** Whether a number bounds memory. */
const isBound = ({ parent }) => ts.isCallExpression(parent) && forgets.test(parent.getText());

/** Whether a number stands for what is absent: `count ?? 0`. The change of ?? to && shows whether that matters. */
const isDefault = ({ parent }) =>
  ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
