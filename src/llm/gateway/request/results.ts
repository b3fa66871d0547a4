/** Results of tools, as the messages of the dialects that have one message for each. */
import type { Message, Part } from './request.ts';

/** Joins results in a row to one message of the user, with the user's words that follow. */
export function withResultsJoined(messages: readonly Message[]): readonly Message[] {
  const out: Message[] = [];
  let results: Part[] = [];
  const flush = (): void => {
    if (results.length > 0) out.push({ role: 'user', parts: results });
    results = [];
  };
  for (const message of messages) {
    if (isResults(message)) results.push(...message.parts);
    else if (results.length > 0 && message.role === 'user' && !isWholeMessage(message)) {
      out.push({ ...message, parts: [...results, ...message.parts] });
      results = [];
    } else {
      flush();
      out.push(message);
    }
  }
  flush();
  return out;
}

const isResults = ({ role, parts, more }: Message): boolean =>
  role === 'user' && more === undefined && parts.length > 0 && parts.every(({ kind }) => kind === 'result');

/** Whether a message has no neutral words. */
export const isWholeMessage = ({ parts }: { readonly parts: readonly Part[] }): boolean =>
  parts.some((part) => part.kind === 'other' && part.place === 'message');
