/** The answer comes, in the form of the client's dialect: LLM-G01, G18 and G23. */
import { shown } from '../../server/words.ts';
import type { Above } from '../exchanges.ts';
import { broken, held, kept } from '../facts.ts';
import { endCell } from '../tables.ts';
import { asksForStream, hasBrokenCall, seemedLost } from './answered.ts';
import type { AnswerCheck, Answered } from './answered.ts';

/** Whether the gateway may answer with an error: the provider said what not every dialect can say, or nothing for long. */
const mayFail = ({ above, below, sent }: Answered): boolean =>
  seemedLost(above, below) ||
  endCell(sent.stop?.reason ?? 'unknown', above.dialect)?.may.includes('error') === true ||
  hasBrokenCall(sent);

/** What is wrong with the form of a request below, or of a good answer; undefined where nothing is. */
function misform({ above, below }: Answered): string | undefined {
  const { provider } = above.about;
  if (provider !== undefined && below.dialect !== provider)
    return `expected a request of ${provider} to the provider; came one of ${below.dialect}`;
  const { streamed, type } = above.heard;
  const asks = asksForStream(above);
  const lines = above.dialect === 'ollama' ? /ndjson|jsonl/i : /^text\/event-stream\b/i;
  return asks === streamed && (!streamed || lines.test(type))
    ? undefined
    : `expected ${asks ? 'a stream' : 'one JSON body'}; came the content type ${shown(type)}`;
}

/** Whether the client heard an answer, and not an error. */
export const isGood = ({ above, heard }: Pick<Answered, 'above' | 'heard'>): boolean =>
  above.heard.status === 200 &&
  above.heard.garbled === undefined &&
  heard.error === undefined &&
  heard.terminals > 0;

/** The same of an exchange. */
export const isGoodAbove = (above: Above): boolean => isGood({ above, heard: above.heard.answer() });

/** LLM-G01: an answer that is good below is good above, and streamed where a stream was asked for. */
export const works: AnswerCheck = (answered) => {
  const { above, heard } = answered;
  const { status, garbled, body } = above.heard;
  if (garbled !== undefined) return [broken('LLM-G01', garbled)];
  if (isGood(answered)) {
    const fault = misform(answered);
    return [fault === undefined ? kept('LLM-G01') : broken('LLM-G01', fault)];
  }
  // An error without a message is a body of another form.
  if (heard.error?.message && mayFail(answered)) return [];
  const came = status === 200 ? ends(answered) : `${status} ${shown(body)}`;
  const error = heard.error === undefined ? came : `the error ${shown(heard.error.message)}`;
  return [broken('LLM-G01', `expected the provider's answer; came ${status === 200 ? error : came}`)];
};

const ends = ({ above }: Answered): string =>
  above.heard.end === 'clean' ? 'an answer without its terminal' : 'an answer that broke off';

/** LLM-G18: one start, one terminal, nothing after it. */
export const oneAnswer: AnswerCheck = ({ heard }) => {
  const { starts, terminals, late } = heard;
  const isOne = starts === 1 && terminals === 1 && late === 0;
  return [
    held(
      'LLM-G18',
      isOne,
      () =>
        `expected one start, one terminal and nothing after it; came ${starts} starts, ${terminals} terminals and ${late} pieces after the first terminal`,
    ),
  ];
};

/** LLM-G23: the answer has an id, where its dialect has one, and a model. */
export const named: AnswerCheck = ({ above, heard }) => {
  const owesId = above.dialect !== 'ollama';
  if (owesId && heard.id === undefined)
    return [broken('LLM-G23', 'expected an id of the answer; came no id')];
  return [
    held('LLM-G23', heard.model !== undefined, () => 'expected the model of the answer; came no model'),
  ];
};
