/** Clients that blocks and items of an unknown type confuse: LLM-C12. */
import { changeDecoded, withoutError, withStopReason, withToolCalls } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** Whether a response has a block or an item that this client does not know. */
const hasNews = ({ raw }: { readonly raw: string }): boolean =>
  /"type":"(?:wireproof_news|fallback|program|compaction)"/.test(raw);

/** The counts of the iterations of a response, as their own sum. */
function iterationsOf(raw: string): { readonly input: number; readonly output: number } {
  const [, list = ''] = /"iterations":\[(.*?)\]/.exec(raw) ?? [];
  const sum = (name: string): number =>
    [...list.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].reduce((n, [, count]) => n + Number(count), 0);
  return { input: sum('input_tokens'), output: sum('output_tokens') };
}

export const newsFaults: ClientFaults = {
  'adds-iterations-up': changeDecoded((decoded, { raw }) => {
    const { input, output } = iterationsOf(raw);
    const { metadata } = decoded.response;
    const { inputTokens = 0, outputTokens = 0 } = metadata.usage ?? {};
    const usage = { inputTokens: inputTokens + input, outputTokens: outputTokens + output };
    return output === 0
      ? decoded
      : { ...decoded, response: { ...decoded.response, metadata: { ...metadata, usage } } };
  }),
  'fails-on-new-blocks': changeDecoded((decoded, seen) =>
    hasNews(seen)
      ? { ...decoded, error: { kind: 'protocol', message: 'expected a known type', retryable: false } }
      : decoded,
  ),
  'shows-new-blocks': changeDecoded((decoded, seen) =>
    hasNews(seen) ? withoutError(decoded, { content: `${decoded.response.content}Not the text.` }) : decoded,
  ),
  'drops-what-follows-new-blocks': changeDecoded((decoded, seen) =>
    hasNews(seen)
      ? withoutError(decoded, { content: decoded.response.content.replace('clear.', '') })
      : decoded,
  ),
  'runs-calls-of-the-provider': changeDecoded((decoded, { raw }) =>
    /"type":"mcp_(?:tool_use|call)"/.test(raw)
      ? withToolCalls(decoded, [
          { id: 'theirs', name: 'write_note', input: { title: 'theirs' } },
          ...decoded.response.toolCalls,
        ])
      : decoded,
  ),
  'drops-calls-beside-new-blocks': changeDecoded((decoded, seen) =>
    hasNews(seen)
      ? withoutError(decoded, { toolCalls: [], metadata: withStopReason(decoded, 'end_turn') })
      : decoded,
  ),
};
