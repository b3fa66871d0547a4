/** The faults of a conversation, by the rules of the strictest provider in each matter (TOK-28, TOK-29, TOK-48). */
import { isObject } from '../../kit/base/index.ts';
import type { ProviderMessage, Violation } from '../../kit/base/index.ts';
import { isBlank, isWellFormed } from './text.ts';

interface CheckedMessage {
  readonly message: ProviderMessage;
  /** The message before it, without system messages. */
  readonly previous: ProviderMessage | undefined;
  /** Reports a fault at a path within the message. */
  readonly report: (code: string, path: string, fault: string) => void;
}

/**
 * The faults of a conversation; an empty list when every provider accepts it. Codes: `system-late`, `first-role`,
 * `repeated-role`, `empty-message`, `blank-text`, `lone-surrogate`, `misplaced-call`, `misplaced-result`,
 * `unpaired-call`, `unpaired-result`, `repeated-call`, `bad-input`, `empty-result`; paths such as
 * `messages[3].toolCalls[0]`.
 *
 * @example
 * faultsOf([{ role: 'user', content: 'Hi' }]); // []
 * faultsOf([{ role: 'assistant', content: 'Hi' }]).map(({ code }) => code); // ['first-role']
 */
export function faultsOf(messages: readonly ProviderMessage[]): readonly Violation[] {
  const faults: Violation[] = [];
  const ids = new Set<string>();
  let previous: ProviderMessage | undefined;
  messages.forEach((message, i) => {
    const checked: CheckedMessage = {
      message,
      previous,
      report: (code, path, fault) => faults.push({ code, path: `messages[${i}]${path}`, message: fault }),
    };
    checkContent(checked);
    if (message.role === 'system') return checkSystem(checked);
    checkRole(checked);
    if (message.role === 'assistant') checkCalls(checked, ids);
    checkResults(checked);
    previous = message;
  });
  const path = `messages[${messages.length}]`;
  for (const { id } of previous?.toolCalls ?? [])
    faults.push({ code: 'unpaired-call', path, message: `expected a result of call ${id}; the end came` });
  return faults;
}

/** Whether a list is empty or absent. */
const isEmpty = (list: readonly unknown[] = []): boolean => list.length === 0;

function checkContent({ message: { content, toolCalls, toolResults }, report }: CheckedMessage): void {
  if (isBlank(content)) {
    if (isEmpty(toolCalls) && isEmpty(toolResults))
      report('empty-message', '', 'expected text, calls or results; came none');
    else if (content !== '') report('blank-text', '.content', 'expected text; came white space alone');
  }
  checkWellFormed(content, '.content', report);
}

function checkWellFormed(text: string, path: string, report: CheckedMessage['report']): void {
  if (!isWellFormed(text))
    report('lone-surrogate', path, 'expected whole characters; came half a surrogate pair');
}

function checkSystem({ message: { toolCalls, toolResults }, previous, report }: CheckedMessage): void {
  if (previous !== undefined) report('system-late', '', 'expected system messages first; came one later');
  if (!isEmpty(toolCalls))
    report('misplaced-call', '', 'expected calls by the assistant; came one by system');
  if (!isEmpty(toolResults))
    report('misplaced-result', '', 'expected results by the user; came one by system');
}

function checkRole({ message: { role, toolCalls, toolResults }, previous, report }: CheckedMessage): void {
  if (previous === undefined && role !== 'user')
    report('first-role', '', `expected the first message to be the user's; came the ${role}'s`);
  if (previous?.role === role)
    report('repeated-role', '', `expected roles to take turns; came ${role} again`);
  if (role === 'user' && !isEmpty(toolCalls))
    report('misplaced-call', '', 'expected calls by the assistant; came one by the user');
  if (role === 'assistant' && !isEmpty(toolResults))
    report('misplaced-result', '', 'expected results by the user; came one by the assistant');
}

function checkCalls({ message, report }: CheckedMessage, ids: Set<string>): void {
  message.toolCalls?.forEach(({ id, input }, i) => {
    const path = `.toolCalls[${i}]`;
    if (ids.has(id)) report('repeated-call', path, `expected an id of its own; came ${id} again`);
    if (!isObject(input)) report('bad-input', path, 'expected an object as input; came something else');
    ids.add(id);
  });
}

/** A message of the user has one result for each call of the message before, in the order of the calls. */
function checkResults({ message, previous, report }: CheckedMessage): void {
  const calls = previous?.toolCalls ?? [];
  const results = message.role === 'user' ? (message.toolResults ?? []) : [];
  results.forEach(({ id, content }, i) => {
    const path = `.toolResults[${i}]`;
    const call = calls[i]?.id;
    const expected = call === undefined ? 'no result' : `that of ${call}`;
    if (id !== call) report('unpaired-result', path, `expected ${expected}; came that of ${id}`);
    if (isBlank(content)) report('empty-result', path, 'expected content; came none');
    checkWellFormed(content, path, report);
  });
  for (const { id } of calls.slice(results.length))
    report('unpaired-call', '', `expected a result of call ${id} in this message; came none`);
}
