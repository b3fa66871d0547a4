/** Clients that report a wrong text, stop reason or usage, or no error. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import {
  changeExchange,
  changeDecoded,
  withoutError,
  mutant,
  withToolCalls,
  withStopReason,
} from './mutant.ts';

/** The mutants about results. */
export const resultMutants: readonly Mutant[] = [
  mutant(
    'LLM-C04',
    'hides-limit',
    'reports the limit as an ordinary end',
    changeDecoded((decoded) =>
      decoded.response.metadata.stopReason === 'max_tokens'
        ? withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn') })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C06',
    'trusts-broken-stream',
    'reports a stream without a terminal as a complete response',
    changeDecoded((decoded) =>
      decoded.error?.kind === 'truncated-stream' || decoded.error?.kind === 'connection'
        ? withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn') })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C06',
    'runs-calls-of-broken-stream',
    'runs the calls of a stream that ended without its terminal',
    changeDecoded((decoded) =>
      decoded.error?.kind === 'truncated-stream' && decoded.response.toolCalls.length > 0
        ? withToolCalls(decoded, decoded.response.toolCalls)
        : decoded,
    ),
  ),
  mutant(
    'LLM-C07',
    'swallows-error',
    'reports an error in mid-stream as an ordinary end',
    changeDecoded((decoded, { status }) =>
      decoded.error?.kind === 'provider' &&
      (status === 200 || status === 0) &&
      decoded.response.content !== ''
        ? withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn') })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C11',
    'decodes-chunk-by-chunk',
    'decodes each chunk alone, so that a character in two chunks is lost',
    changeExchange({ chunk: (chunk) => Buffer.from(Buffer.from(chunk).toString('utf8')) }),
  ),
  mutant(
    'LLM-C11',
    'knows-no-crlf',
    'recognises a line end only when it comes in one piece',
    changeExchange({
      chunk: (chunk, { raw }) => (chunk[0] === 0x0a && raw.endsWith('\r\n') ? Buffer.from(' ') : chunk),
    }),
  ),
  mutant(
    'LLM-C12',
    'fails-on-news',
    'reports unknown events as an error',
    changeDecoded((decoded, { raw }) =>
      raw.includes('wireproof":') || raw.includes('wireproof_')
        ? { ...decoded, error: { kind: 'protocol', message: 'unknown event', retryable: false } }
        : decoded,
    ),
  ),
  mutant(
    'LLM-C12',
    'shows-news',
    'reads comments as text',
    changeDecoded((decoded, { raw }) =>
      raw.includes(': a comment')
        ? withoutError(decoded, { content: `${decoded.response.content} a comment` })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C13',
    'adds-usage-up',
    'adds up the counts of one response',
    changeDecoded((decoded, { usages }) => {
      const usage = {
        inputTokens: usages.reduce((n, one) => n + one.inputTokens, 0),
        outputTokens: usages.reduce((n, one) => n + one.outputTokens, 0),
      };
      return {
        ...decoded,
        response: { ...decoded.response, metadata: { ...decoded.response.metadata, usage } },
      };
    }),
  ),
  mutant(
    'LLM-C18',
    'takes-unknown-for-end',
    'reports an unknown stop reason as an ordinary end',
    changeDecoded((decoded) =>
      decoded.response.metadata.stopReason === 'unknown'
        ? withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn') })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C21',
    'drops-text-at-error',
    'drops the text before an error',
    changeDecoded((decoded) =>
      decoded.error === undefined ? decoded : { ...decoded, response: { ...decoded.response, content: '' } },
    ),
  ),
];
