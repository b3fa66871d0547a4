/** Clients that run forbidden calls, lose calls, or mix them up. */
import { completeJson, withoutCommas } from './repair.ts';
import { changeDecoded, withoutError, callFrom, withToolCalls } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

const known = (calls: readonly { readonly id: string }[], { id }: { readonly id: string }): boolean =>
  calls.some((one) => one.id === id);

export const callFaults: ClientFaults = {
  'runs-cut-call-that-parses': changeDecoded((decoded, { calls }) => {
    const { toolCalls, metadata } = decoded.response;
    if (metadata.stopReason !== 'max_tokens') return decoded;
    const more = calls
      .filter((call) => !known(toolCalls, call))
      .flatMap((call) => callFrom(call, JSON.parse));
    return toolCalls.length + more.length === 0 ? decoded : withToolCalls(decoded, [...toolCalls, ...more]);
  }),
  'completes-cut-call': changeDecoded((decoded, { calls }) => {
    const { toolCalls, metadata } = decoded.response;
    const cut = calls.findLast((call) => !known(toolCalls, call));
    if (metadata.stopReason !== 'max_tokens' || cut === undefined) return decoded;
    return withToolCalls(decoded, [...toolCalls, ...callFrom(cut, (text) => JSON.parse(completeJson(text)))]);
  }),
  'runs-cut-call-without-arguments': changeDecoded((decoded, { calls }) => {
    const { toolCalls, metadata } = decoded.response;
    const cut = calls.findLast((call) => !known(toolCalls, call));
    if (metadata.stopReason !== 'max_tokens' || cut === undefined) return decoded;
    return withToolCalls(decoded, [...toolCalls, ...callFrom(cut, () => ({}))]);
  }),
  'mends-commas': changeDecoded((decoded, { calls }) => {
    const { toolCalls, metadata } = decoded.response;
    const mended = calls
      .filter(({ partial }) => withoutCommas(partial) !== partial)
      .flatMap((call) => callFrom(call, (text) => JSON.parse(withoutCommas(text))));
    if (metadata.stopReason !== 'tool_use' || mended.length === 0) return decoded;
    return withToolCalls(decoded, [...toolCalls, ...mended]);
  }),
  'drops-calls-at-limit': changeDecoded((decoded) =>
    decoded.response.metadata.stopReason === 'max_tokens'
      ? withoutError(decoded, { toolCalls: [] })
      : decoded,
  ),
  'completes-lying-call': changeDecoded((decoded, { calls }) => {
    const { toolCalls, metadata } = decoded.response;
    const cut = calls
      .filter(({ partial }) => partial.startsWith('{') && !partial.endsWith('}'))
      .findLast((call) => !known(toolCalls, call));
    if (metadata.stopReason !== 'tool_use' || cut === undefined) return decoded;
    return withToolCalls(decoded, [...toolCalls, ...callFrom(cut, (text) => JSON.parse(completeJson(text)))]);
  }),
  'runs-empty-lying-call': changeDecoded((decoded) => {
    const { emptyCalls: _, ...response } = decoded.response;
    return { ...decoded, response };
  }),
  'chokes-on-no-arguments': changeDecoded((decoded) =>
    decoded.response.emptyCalls === undefined
      ? decoded
      : { ...decoded, error: { kind: 'protocol', message: 'Unexpected end of JSON', retryable: false } },
  ),
  'runs-odd-arguments': changeDecoded((decoded, { calls }) => {
    const { toolCalls } = decoded.response;
    const odd = calls
      .filter((call) => !known(toolCalls, call) && /^\s*[^{\s]/.test(call.partial))
      .flatMap((call) => callFrom(call, JSON.parse));
    return odd.length === 0 ? decoded : withToolCalls(decoded, [...toolCalls, ...odd]);
  }),
  'mixes-parallel-calls': changeDecoded((decoded) => {
    const { toolCalls } = decoded.response;
    const last = toolCalls.at(-1);
    if (last === undefined || toolCalls.length < 2 || decoded.response.metadata.stopReason !== 'tool_use')
      return decoded;
    return withoutError(decoded, { toolCalls: toolCalls.map((call) => ({ ...call, input: last.input })) });
  }),
  'keeps-one-call': changeDecoded((decoded) =>
    decoded.response.metadata.stopReason === 'tool_use'
      ? withoutError(decoded, { toolCalls: decoded.response.toolCalls.slice(0, 1) })
      : decoded,
  ),
  'rounds-numbers': changeDecoded((decoded, { calls }) => {
    const { toolCalls } = decoded.response;
    const rounded = calls
      .filter((call) => !known(toolCalls, call) && /\d{16}/.test(call.partial))
      .flatMap((call) => callFrom(call, JSON.parse));
    return rounded.length === 0 ? decoded : withToolCalls(decoded, [...toolCalls, ...rounded]);
  }),
};
