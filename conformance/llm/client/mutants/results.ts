/** Clients that report a wrong text, stop reason or usage, or no error. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { changed, ends, fine, mutant, runs, stopped } from './mutant.ts';

/** The mutants about results. */
export const resultMutants: readonly Mutant[] = [
  mutant(
    'LLM-C04',
    'hides-limit',
    'reports the limit as an ordinary end',
    ends((decoded) =>
      decoded.response.metadata.stopReason === 'max_tokens'
        ? fine(decoded, { metadata: stopped(decoded, 'end_turn') })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C06',
    'trusts-broken-stream',
    'reports a stream without a terminal as a complete response',
    ends((decoded) =>
      decoded.error?.kind === 'truncated-stream' || decoded.error?.kind === 'connection'
        ? fine(decoded, { metadata: stopped(decoded, 'end_turn') })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C06',
    'runs-calls-of-broken-stream',
    'runs the calls of a stream that ended without its terminal',
    ends((decoded) =>
      decoded.error?.kind === 'truncated-stream' && decoded.response.toolCalls.length > 0
        ? runs(decoded, decoded.response.toolCalls)
        : decoded,
    ),
  ),
  mutant(
    'LLM-C07',
    'swallows-error',
    'reports an error in mid-stream as an ordinary end',
    ends((decoded, { status }) =>
      decoded.error?.kind === 'provider' &&
      (status === 200 || status === 0) &&
      decoded.response.content !== ''
        ? fine(decoded, { metadata: stopped(decoded, 'end_turn') })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C11',
    'decodes-chunk-by-chunk',
    'decodes each chunk alone, so that a character in two chunks is lost',
    changed({ chunk: (chunk) => Buffer.from(Buffer.from(chunk).toString('utf8')) }),
  ),
  mutant(
    'LLM-C11',
    'knows-no-crlf',
    'recognises a line end only when it comes in one piece',
    changed({
      chunk: (chunk, { raw }) => (chunk[0] === 0x0a && raw.endsWith('\r\n') ? Buffer.from(' ') : chunk),
    }),
  ),
  mutant(
    'LLM-C12',
    'fails-on-news',
    'reports unknown events as an error',
    ends((decoded, { raw }) =>
      raw.includes('wireproof":') || raw.includes('wireproof_')
        ? { ...decoded, error: { kind: 'protocol', message: 'unknown event', retryable: false } }
        : decoded,
    ),
  ),
  mutant(
    'LLM-C12',
    'shows-news',
    'reads comments as text',
    ends((decoded, { raw }) =>
      raw.includes(': a comment')
        ? fine(decoded, { content: `${decoded.response.content} a comment` })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C13',
    'adds-usage-up',
    'adds up the counts of one response',
    ends((decoded, { usages }) => {
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
    ends((decoded) =>
      decoded.response.metadata.stopReason === 'unknown'
        ? fine(decoded, { metadata: stopped(decoded, 'end_turn') })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C21',
    'drops-text-at-error',
    'drops the text before an error',
    ends((decoded) =>
      decoded.error === undefined ? decoded : { ...decoded, response: { ...decoded.response, content: '' } },
    ),
  ),
];
