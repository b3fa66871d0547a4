/** Failures of the provider: before the first piece (LLM-G28 to G32), and after it (LLM-G24 to G27), or in a body (G33). */
import type { Json } from '../../../../src/kit/base/index.ts';
import { anthropicError } from '../../server/dialects/anthropic.ts';
import { ollamaError } from '../../server/dialects/ollama.ts';
import { openaiError } from '../../server/dialects/openai-error.ts';
import type { ErrorForm } from '../../server/dialects/reader.ts';
import { shown } from '../../server/words.ts';
import type { GatewayDialect } from '../../../../src/llm/gateway/index.ts';
import { sameWords } from '../compare.ts';
import { broken, held, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import type { AnswerReading } from '../reading.ts';
import type { Answered } from './answered.ts';
import { errorClassFacts } from './error-class.ts';

/** The form of an error instead of an answer, by dialect. */
const forms: { readonly [D in GatewayDialect]: ErrorForm } = {
  anthropic: anthropicError,
  'openai-chat': openaiError,
  'openai-responses': openaiError,
  ollama: ollamaError,
};

/** What a failure of the provider shows. */
export function failureFacts(answered: Answered): readonly GatewayFact[] {
  const { above, below, sent } = answered;
  if (below.sent.end === undefined && sent.error === undefined) return beforeTheEnd(answered);
  if (below.sent.began !== undefined && below.sent.streamed) return afterTheFirstPiece(answered);
  if (below.sent.status >= 400 || (sent.error !== undefined && below.sent.streamed))
    return beforeAnyPiece(answered);
  const { status, end, streamed } = above.heard;
  // A stream that has begun can only end in an error, or break off.
  const isError = status >= 400 || answered.heard.error !== undefined || end === 'broken';
  // Nobody takes a stream without its terminal for an answer, nor what a gateway passes on although nobody can read it.
  const isUnread = (streamed || above.dialect === below.dialect) && !looksGood(answered);
  return [
    held(
      'LLM-G33',
      isError || isUnread,
      () => `expected an error for a provider whose answer cannot be read; came ${came(answered)}`,
    ),
  ];
}

const came = ({ above, heard }: Answered): string => {
  if (above.heard.status >= 400) return `${above.heard.status} ${shown(above.heard.body)}`;
  const text = heard.text === '' ? 'without text' : `with the text ${quoted(heard.text, 40)}`;
  const end =
    heard.terminals > 0 ? `the good end ${heard.stop?.word ?? ''}` : `a ${above.heard.end ?? 'open'} end`;
  return `an answer ${text} and ${end}`;
};

/** Whether the client must take what it heard for a good answer. */
const looksGood = (answered: Answered): boolean => {
  const { heard } = answered;
  const isTerminal = heard.terminals > 0 && !isDoneBehindError(answered);
  return isTerminal || isGoodStop(answered);
};

/** A stop word in a body that ended in order, without an error. */
const isGoodStop = ({ above, heard }: Answered): boolean =>
  heard.error === undefined &&
  heard.stop !== undefined &&
  heard.stop.reason !== 'error' &&
  above.heard.end === 'clean';

/**
 * Whether the terminal is the [DONE] of Chat Completions behind an error, without a finish reason of a good end. [DONE] says
 * that the stream is over, as after an error of vLLM; the finish reason says how it ended (gateway.md, "Stop words").
 */
const isDoneBehindError = ({ above, heard }: Answered): boolean =>
  above.dialect === 'openai-chat' &&
  heard.error !== undefined &&
  (heard.stop === undefined || heard.stop.reason === 'error');

/** LLM-G25: the client's answer is over while the provider's is still coming. After a stop word, nothing more need come. */
const beforeTheEnd = (answered: Answered): readonly GatewayFact[] =>
  looksGood(answered) && answered.sent.stop === undefined
    ? [broken('LLM-G25', `expected no good end before the provider's answer is over; came ${came(answered)}`)]
    : [];

function afterTheFirstPiece(answered: Answered): readonly GatewayFact[] {
  const { above, sent, heard } = answered;
  const row = sent.error === undefined ? 'LLM-G25' : 'LLM-G24';
  const what = sent.error === undefined ? 'whose stream has no terminal' : 'that failed in mid-stream';
  const good = held(
    row,
    !looksGood(answered),
    () => `expected no good end for a provider ${what}; came ${came(answered)}`,
  );
  if (looksGood(answered) || !above.heard.streamed) return [good];
  const isTold = heard.error !== undefined || above.heard.end === 'broken';
  return [
    good,
    ...(sent.error === undefined
      ? [
          held(
            'LLM-G26',
            isTold,
            () => 'expected an error event, or a broken connection; came the end of the body',
          ),
        ]
      : []),
    held(
      'LLM-G27',
      sameWords(sent, heard),
      () => `expected the text before the failure, ${quoted(sent.text)}; came ${quoted(heard.text)}`,
    ),
  ];
}

/** `retry-after` may be a date (RFC 9110, 10.2.3). A trace has no clock to compare it with. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The classes of statuses that a client's program tells apart. */
function isKeptClass(sent: number, heard: number): boolean {
  const retried = heard === 408 || heard === 429 || heard >= 500;
  // The provider's key is the gateway's own.
  if (sent === 401 || sent === 403) return [401, 403, 500, 502, 503].includes(heard);
  if (sent === 408 || sent === 429 || sent >= 500) return retried;
  return heard >= 400 && heard < 500;
}

/** What is wrong with the body of an error; undefined where nothing is. */
function faultOf(
  dialect: GatewayDialect,
  body: Json | undefined,
  message: string | undefined,
): string | undefined {
  if (body === undefined) return 'expected an error of the dialect; the body is empty';
  return forms[dialect](body) ?? (message ? undefined : 'expected a message of the error; came none');
}

const isWhole = ({ over, end }: AnswerReading): boolean => over || end === 'clean';

function beforeAnyPiece(answered: Answered): readonly GatewayFact[] {
  const { above, below, sent, heard } = answered;
  const { status, body, retryAfter } = above.heard;
  if (status < 400) {
    const isTold = heard.error !== undefined && !looksGood(answered);
    // A start, or a comment that kept the stream alive, had opened the stream.
    return isTold && (heard.starts > 0 || above.heard.writes > 1)
      ? []
      : [
          broken(
            'LLM-G28',
            `expected a status from 400 on for a provider that failed at once; came ${came(answered)}`,
          ),
        ];
  }
  const fault = faultOf(above.dialect, body, heard.error?.message);
  const facts: GatewayFact[] = [fault === undefined ? kept('LLM-G28') : broken('LLM-G28', fault)];
  // A refusal whose body is torn may be taken for a broken connection.
  if (below.sent.status >= 400 && isWhole(below.sent))
    facts.push(
      held(
        'LLM-G29',
        isKeptClass(below.sent.status, status),
        () => `expected the class of the provider's ${below.sent.status}; came ${status}`,
      ),
      ...errorClassFacts(answered),
    );
  const hint = Number(below.sent.retryAfter);
  const isDate = retryAfter !== undefined && httpDate.test(retryAfter);
  if (below.sent.retryAfter !== undefined && Number.isFinite(hint) && !isDate)
    facts.push(
      held(
        'LLM-G31',
        Number(retryAfter ?? -1) >= hint,
        () => `expected retry-after of at least ${hint}; came ${retryAfter ?? 'none'}`,
      ),
    );
  return [...facts, ...words(sent.error?.message ?? '', heard.error?.message ?? '')];
}

/** A line of a stack trace, or a path of the machine. */
const inner = /\n\s+at .+:\d+|Traceback \(most recent call last\)|\/(?:usr|home|app|opt|node_modules)\/\S+/;

/** The word of a trace for a secret. */
const secretWord = /redacted:[0-9a-f]+/;

/** LLM-G32: the provider's message arrives, and nothing of the gateway's inside. */
function words(sent: string, heard: string): readonly GatewayFact[] {
  if (sent === '') return [];
  const inside = inner.exec(heard)?.[0];
  if (inside !== undefined)
    return [
      broken(
        'LLM-G32',
        `expected no stack trace or path of the gateway in the message; came ${quoted(inside.trim())}`,
      ),
    ];
  return [
    held(
      'LLM-G32',
      // A secret that the provider quotes must not go on (LLM-G69).
      sent.split(secretWord).every((part) => heard.includes(part.trim())),
      () => `expected the provider's message ${quoted(sent)} in the message; came ${quoted(heard)}`,
    ),
  ];
}
