/** Text, thoughts, refusals and citations: LLM-G02, G03, G15 and G16. */
import type { NeutralAnswer } from '../../../../src/llm/gateway/index.ts';
import { sameWords } from '../compare.ts';
import { broken, held, kept, quoted } from '../facts.ts';
import type { AnswerCheck } from './answered.ts';

const wordsOf = ({ text, refusal }: NeutralAnswer): string => text + refusal;

/** The place where two texts begin to differ, for a message. */
function difference(sent: string, heard: string): string {
  let at = 0;
  while (at < sent.length && sent[at] === heard[at]) at++;
  const from = Math.max(0, at - 10);
  return `expected the provider's text ${quoted(sent.slice(from), 60)} at character ${from}; came ${quoted(heard.slice(from), 60)}`;
}

/** LLM-G02: the text, exact and complete. */
export const text: AnswerCheck = ({ sent, heard }) => {
  if (wordsOf(sent) === '')
    return wordsOf(heard).trim() === ''
      ? []
      : [broken('LLM-G02', `expected no text; came ${quoted(wordsOf(heard))}`)];
  return [held('LLM-G02', sameWords(sent, heard), () => difference(wordsOf(sent), wordsOf(heard)))];
};

const thoughtsOf = ({ thoughts }: NeutralAnswer): string =>
  thoughts.map(({ text: thought }) => thought).join('');

/** The dialects that have a word of their own for thoughts. */
const thinks = new Set(['anthropic', 'openai-responses', 'ollama']);

/** LLM-G03: thoughts stay thoughts; where the client's dialect has a word for them, they arrive. */
export const thoughts: AnswerCheck = ({ above, below, sent, heard }) => {
  const said = thoughtsOf(sent);
  const came = thoughtsOf(heard);
  if (sent.text !== '' && !said.includes(sent.text) && came.includes(sent.text))
    return [broken('LLM-G03', `expected text to stay text; it came as a thought: ${quoted(came)}`)];
  if (said === '' || !thinks.has(below.dialect)) return [];
  if (!sent.text.includes(said) && heard.text.includes(said))
    return [
      broken('LLM-G03', `expected thoughts to stay thoughts; they came as text: ${quoted(heard.text)}`),
    ];
  if (!thinks.has(above.dialect)) {
    const isLawful = came === '' || came === said;
    return [
      held('LLM-G03', isLawful, () => `expected the thoughts ${quoted(said)}, or none; came ${quoted(came)}`),
    ];
  }
  if (came !== said)
    return [broken('LLM-G03', `expected the thoughts ${quoted(said)}; came ${quoted(came)}`)];
  return [signatures(above.dialect === below.dialect, sent, heard)];
};

/** Between two equal dialects a thought keeps its signature. */
function signatures(areKept: boolean, sent: NeutralAnswer, heard: NeutralAnswer): ReturnType<typeof kept> {
  const lost = areKept
    ? sent.thoughts.findIndex(
        ({ signature }, i) => signature !== undefined && heard.thoughts[i]?.signature !== signature,
      )
    : -1;
  return held(
    'LLM-G03',
    lost < 0,
    () => `expected the signature of thought ${lost + 1} as the provider sent it; came another one, or none`,
  );
}

const timesIn = (words: string, part: string): number => words.split(part).length - 1;

/** LLM-G15: the text of a refusal arrives once; a text that has the same words arrives, too. */
export const refusal: AnswerCheck = ({ sent, heard }) => {
  const { refusal: words, text: said } = sent;
  if (words === '') return [];
  const most = Math.max(timesIn(said + words, words), timesIn(words + said, words));
  const times = timesIn(wordsOf(heard), words);
  const came = times === 0 ? quoted(wordsOf(heard)) : `it ${times} times`;
  return [
    held(
      'LLM-G15',
      times > 0 && times <= most,
      () => `expected the refusal ${quoted(words)} once; came ${came}`,
    ),
  ];
};

const urlsOf = ({ citations }: NeutralAnswer): readonly string[] => [
  ...new Set(citations.flatMap(({ url }) => (url === undefined ? [] : [url]))),
];

/** LLM-G16: citations of web pages arrive where both dialects have a word for them. */
export const citations: AnswerCheck = ({ above, below, sent, heard }) => {
  const urls = urlsOf(sent);
  // Of a text that was cut before its first character, nothing is cited.
  if (urls.length === 0 || sent.text === '') return [];
  if (above.dialect === 'ollama' || below.dialect === 'ollama') return [];
  const came = urlsOf(heard);
  const lost = urls.find((url) => !came.includes(url));
  return [
    held(
      'LLM-G16',
      lost === undefined,
      () => `expected a citation of ${lost ?? ''}; came ${came.length} citations`,
    ),
  ];
};
