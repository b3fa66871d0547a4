/** How an answer ends: LLM-G11 to G14, by the table spec/llm/translation/ends.yaml. */
import type { NeutralAnswer } from '../../../../src/llm/gateway/index.ts';
import { argumentsOf } from '../compare.ts';
import { broken, held, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { endCell } from '../tables.ts';
import { hasBrokenCall, isLimited } from './answered.ts';
import type { AnswerCheck, Answered } from './answered.ts';

/** The end of a provider's answer: a refusal in words is one, whatever its stop word. */
export function endOf({ stop, refusal }: NeutralAnswer): string {
  const reason = stop?.reason ?? 'unknown';
  return refusal !== '' && reason === 'end_turn' ? 'refusal' : reason;
}

const wordOf = ({ stop }: NeutralAnswer): string => stop?.word ?? 'no word';

/** Whether the client's dialect says tool use with a word of its own. */
const hasToolWord = ({ above }: Answered): boolean =>
  above.dialect === 'anthropic' || above.dialect === 'openai-chat';

const hasWholeCalls = ({ calls }: Pick<NeutralAnswer, 'calls'>): boolean =>
  calls.some((call) => argumentsOf(call) !== undefined);

/** LLM-G11: the limit of the output stays a limit. */
export const limits: AnswerCheck = ({ sent, heard }) => {
  if (sent.stop?.reason !== 'max_tokens') return [];
  const isLimit = heard.stop?.reason === 'max_tokens';
  return [held('LLM-G11', isLimit, () => `expected the word for the output limit; came ${wordOf(heard)}`)];
};

/** LLM-G10, G11 and G13: an error may come for a full context, and for a call that is no JSON unless the limit cut it. */
export const errorInstead: AnswerCheck = ({ sent, heard: { error } }) => {
  if (!error?.message) return [];
  const end = sent.stop?.reason;
  if (end === 'context_window') return [kept('LLM-G13')];
  if (!hasBrokenCall(sent)) return [];
  if (end !== 'max_tokens') return [kept('LLM-G10')];
  return [
    broken('LLM-G11', `expected the word for the output limit; came the error ${quoted(error.message)}`),
  ];
};

/** LLM-G12: whole calls end with the word for tool use, and nothing else does. */
export const toolUse: AnswerCheck = (answered) => {
  const { sent, heard } = answered;
  if (!hasToolWord(answered)) return [];
  const saysTool = heard.stop?.reason === 'tool_use';
  if (sent.stop?.reason === 'tool_use') {
    if (!hasWholeCalls(sent)) return [];
    return [
      held('LLM-G12', saysTool, () => `expected the word for tool use next to calls; came ${wordOf(heard)}`),
    ];
  }
  return [
    held('LLM-G12', !saysTool, () => `expected the provider's end ${wordOf(sent)}; came ${wordOf(heard)}`),
  ];
};

/** LLM-G13: a full context is no good end; no other end becomes a limit. */
export const noGoodEnd: AnswerCheck = ({ sent, heard }) => {
  const end = sent.stop?.reason;
  const came = heard.stop?.reason;
  if (end === 'context_window') {
    const isLimit = came === 'context_window' || came === 'max_tokens';
    return [
      held(
        'LLM-G13',
        isLimit,
        () => `expected the word for a full context, or for a limit; came ${wordOf(heard)}`,
      ),
    ];
  }
  if (end === 'max_tokens') return [];
  const said = `expected the provider's end ${wordOf(sent)}, which is no limit`;
  return [held('LLM-G13', !isLimited(heard), () => `${said}; came ${wordOf(heard)}`)];
};

/** LLM-G14: the best word of the table, and the stop sequence where both dialects name it. */
export const bestWord: AnswerCheck = ({ above, below, sent, heard }) => {
  const cell = endCell(endOf(sent), above.dialect);
  if (cell === undefined || cell.undecided === true) return [];
  const word = wordOf(heard);
  const [best = ''] = cell.may;
  // Only Anthropic says that a stop sequence was hit; another provider's answer just ends.
  const facts: GatewayFact[] = [
    held(
      'LLM-G14',
      word === best || isRefusal(sent, heard) || lacksReason(sent, heard),
      () => `expected ${best} for the provider's ${wordOf(sent)}; came ${word}`,
    ),
  ];
  const sequence = sent.stop?.sequence;
  if (sequence === undefined || above.dialect !== 'anthropic' || below.dialect !== 'anthropic') return facts;
  const came = heard.stop?.sequence ?? 'none';
  return [
    ...facts,
    held('LLM-G14', came === sequence, () => `expected the stop sequence ${sequence}; came ${came}`),
  ];
};

/** Calls that are no JSON need no word; a stop sequence may be an end where the provider names none. */
const lacksReason = ({ calls, stop }: NeutralAnswer, heard: NeutralAnswer): boolean =>
  stop?.reason === 'tool_use'
    ? !hasWholeCalls({ calls })
    : stop?.reason === 'stop_sequence' && stop.sequence === undefined && heard.stop?.reason === 'end_turn';

/** A refusal in a part of its own needs no word. */
const isRefusal = (sent: NeutralAnswer, heard: NeutralAnswer): boolean =>
  sent.refusal !== '' && heard.refusal !== '';
