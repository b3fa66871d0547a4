/** Clients that report a wrong text, stop reason or usage, or no error. */
import type { ClientParts } from '../../../../src/llm/index.ts';
import { changeExchange, changeDecoded, withoutError, withToolCalls, withStopReason } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** Adds up the counts of one response, in some dialects. */
const addsUsageUp = (isMeant: (dialect: string) => boolean): ClientParts =>
  changeDecoded((decoded, { usages, request }) => {
    if (!isMeant(request.dialect)) return decoded;
    const usage = {
      inputTokens: usages.reduce((n, one) => n + one.inputTokens, 0),
      outputTokens: usages.reduce((n, one) => n + one.outputTokens, 0),
    };
    return {
      ...decoded,
      response: { ...decoded.response, metadata: { ...decoded.response.metadata, usage } },
    };
  });

export const resultFaults: ClientFaults = {
  'hides-limit': changeDecoded((decoded) =>
    decoded.response.metadata.stopReason === 'max_tokens'
      ? withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn') })
      : decoded,
  ),
  'trusts-broken-stream': changeDecoded((decoded) =>
    decoded.error?.kind === 'truncated-stream' || decoded.error?.kind === 'connection'
      ? withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn') })
      : decoded,
  ),
  'runs-calls-of-broken-stream': changeDecoded((decoded) =>
    decoded.error?.kind === 'truncated-stream' && decoded.response.toolCalls.length > 0
      ? withToolCalls(decoded, decoded.response.toolCalls)
      : decoded,
  ),
  'swallows-error': changeDecoded((decoded, { status }) =>
    decoded.error?.kind === 'provider' && (status === 200 || status === 0) && decoded.response.content !== ''
      ? withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn') })
      : decoded,
  ),
  'decodes-chunk-by-chunk': changeExchange({
    // An event stream is no text.
    chunk: (chunk, { request }) =>
      request.dialect === 'bedrock' ? chunk : Buffer.from(Buffer.from(chunk).toString('utf8')),
  }),
  'knows-no-crlf': changeExchange({
    chunk: (chunk, { raw }) => (chunk[0] === 0x0a && raw.endsWith('\r\n') ? Buffer.from(' ') : chunk),
  }),
  'fails-on-news': changeDecoded((decoded, { raw }) =>
    raw.includes('wireproof":') || raw.includes('wireproof_')
      ? { ...decoded, error: { kind: 'protocol', message: 'unknown event', retryable: false } }
      : decoded,
  ),
  'shows-news': changeDecoded((decoded, { raw }) =>
    raw.includes(': a comment')
      ? withoutError(decoded, { content: `${decoded.response.content} a comment` })
      : decoded,
  ),
  'adds-usage-up': addsUsageUp((dialect) => dialect !== 'gemini' && dialect !== 'bedrock'),
  'adds-gemini-counts-up': addsUsageUp((dialect) => dialect === 'gemini'),
  'takes-unknown-for-end': changeDecoded((decoded) =>
    decoded.response.metadata.stopReason === 'unknown'
      ? withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn') })
      : decoded,
  ),
  'drops-text-at-error': changeDecoded((decoded) =>
    decoded.error === undefined ? decoded : { ...decoded, response: { ...decoded.response, content: '' } },
  ),
};
