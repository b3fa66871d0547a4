/** LLM-G70: `previous_response_id` continues the conversation. */
import { held } from '../facts.ts';
import type { AskedCheck } from './asked.ts';

/** A gateway continues it at the provider, or by the messages that it kept. */
export const continues: AskedCheck = ({ above, below }) => {
  if (above.previous === undefined) return [];
  const isContinued = below.previous !== undefined || below.messages.length > above.messages.length;
  return [
    held(
      'LLM-G70',
      isContinued,
      () => 'expected the conversation of previous_response_id, or a refusal; came only the new messages',
    ),
  ];
};
