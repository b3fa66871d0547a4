/** What makes a conversation invalid for providers, asked of the strictest in each matter (TOK-28, TOK-29, TOK-48). */
import { isObject } from '../../kit/base/index.ts';
import type { ProviderMessage, ToolCall, ToolOutcome, Violation } from '../../kit/base/index.ts';
import { isBlank, isWellFormed } from './text.ts';

type Report = (code: string, path: string, message: string) => void;

/**
 * The faults of a conversation, none when every provider takes it. Codes: `system-late`, `first-role`,
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
  const report: Report = (code, path, message) => faults.push({ code, path, message });
  const ids = new Set<string>();
  let previous: ProviderMessage | undefined;
  messages.forEach((message, i) => {
    const at = `messages[${i}]`;
    checkContent(message, at, report);
    if (message.role === 'system') checkSystem(message, previous, at, report);
    else checkRole(message, previous, at, report);
    if (message.role === 'assistant') checkCalls(message.toolCalls, ids, at, report);
    checkResults(message, previous, at, report);
    if (message.role !== 'system') previous = message;
  });
  for (const { id } of previous?.toolCalls ?? [])
    report('unpaired-call', `messages[${messages.length}]`, `expected a result of call ${id}; the end came`);
  return faults;
}

/** Whether a list has nothing: absent and empty are the same. */
const none = (list: readonly unknown[] | undefined): boolean => list === undefined || list.length === 0;

function checkContent(
  { content, toolCalls, toolResults }: ProviderMessage,
  at: string,
  report: Report,
): void {
  if (isBlank(content)) {
    if (none(toolCalls) && none(toolResults))
      report('empty-message', at, 'expected text, calls or results; came none');
    else if (content !== '') report('blank-text', `${at}.content`, 'expected text; came white space alone');
  }
  if (!isWellFormed(content))
    report('lone-surrogate', `${at}.content`, 'expected whole characters; came half a surrogate pair');
}

function checkSystem(
  { toolCalls, toolResults }: ProviderMessage,
  previous: ProviderMessage | undefined,
  at: string,
  report: Report,
): void {
  if (previous !== undefined) report('system-late', at, 'expected system messages first; came one later');
  if (!none(toolCalls)) report('misplaced-call', at, 'expected calls by the assistant; came one by system');
  if (!none(toolResults)) report('misplaced-result', at, 'expected results by the user; came one by system');
}

function checkRole(
  { role, toolCalls, toolResults }: ProviderMessage,
  previous: ProviderMessage | undefined,
  at: string,
  report: Report,
): void {
  if (previous === undefined && role !== 'user')
    report('first-role', at, `expected the first message to be the user's; came the ${role}'s`);
  if (previous?.role === role)
    report('repeated-role', at, `expected roles to take turns; came ${role} again`);
  if (role === 'user' && !none(toolCalls))
    report('misplaced-call', at, 'expected calls by the assistant; came one by the user');
  if (role === 'assistant' && !none(toolResults))
    report('misplaced-result', at, 'expected results by the user; came one by the assistant');
}

function checkCalls(
  calls: readonly ToolCall[] | undefined,
  ids: Set<string>,
  at: string,
  report: Report,
): void {
  calls?.forEach(({ id, input }, i) => {
    const path = `${at}.toolCalls[${i}]`;
    if (ids.has(id)) report('repeated-call', path, `expected an id of its own; came ${id} again`);
    if (!isObject(input)) report('bad-input', path, 'expected an object as input; came something else');
    ids.add(id);
  });
}

/** Results answer the calls of the message before, all of them and in their order. */
function checkResults(
  message: ProviderMessage,
  previous: ProviderMessage | undefined,
  at: string,
  report: Report,
): void {
  if (message.role === 'system') return;
  const calls = previous?.toolCalls ?? [];
  const results = message.role === 'user' ? (message.toolResults ?? []) : [];
  results.forEach((result, i) => checkResult(result, calls[i]?.id, `${at}.toolResults[${i}]`, report));
  for (const { id } of calls.slice(results.length))
    report('unpaired-call', at, `expected a result of call ${id} in this message; came none`);
}

function checkResult(
  { id, content }: ToolOutcome,
  expected: string | undefined,
  path: string,
  report: Report,
): void {
  if (id !== expected)
    report(
      'unpaired-result',
      path,
      `expected ${expected === undefined ? 'no result' : `that of ${expected}`}; came that of ${id}`,
    );
  if (isBlank(content)) report('empty-result', path, 'expected content; came none');
  if (!isWellFormed(content))
    report('lone-surrogate', path, 'expected whole characters; came half a surrogate pair');
}
