/** Clients that run forbidden calls, lose calls, or mix them up. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { completeJson, withoutCommas } from './repair.ts';
import { changeDecoded, withoutError, callFrom, mutant, withToolCalls } from './mutant.ts';

const known = (calls: readonly { readonly id: string }[], { id }: { readonly id: string }): boolean =>
  calls.some((one) => one.id === id);

/** The mutants about calls. */
export const callMutants: readonly Mutant[] = [
  mutant(
    'LLM-C01',
    'runs-cut-call-that-parses',
    'runs a call that the limit cut after its last brace',
    changeDecoded((decoded, { calls }) => {
      const { toolCalls, metadata } = decoded.response;
      if (metadata.stopReason !== 'max_tokens') return decoded;
      const more = calls
        .filter((call) => !known(toolCalls, call))
        .flatMap((call) => callFrom(call, JSON.parse));
      return toolCalls.length + more.length === 0 ? decoded : withToolCalls(decoded, [...toolCalls, ...more]);
    }),
  ),
  mutant(
    'LLM-C01',
    'completes-cut-call',
    'closes the brackets of a call that the limit cut, and runs it',
    changeDecoded((decoded, { calls }) => {
      const { toolCalls, metadata } = decoded.response;
      const cut = calls.findLast((call) => !known(toolCalls, call));
      if (metadata.stopReason !== 'max_tokens' || cut === undefined) return decoded;
      return withToolCalls(decoded, [
        ...toolCalls,
        ...callFrom(cut, (text) => JSON.parse(completeJson(text))),
      ]);
    }),
  ),
  mutant(
    'LLM-C01',
    'runs-cut-call-without-arguments',
    'runs a call that the limit cut, with an empty input',
    changeDecoded((decoded, { calls }) => {
      const { toolCalls, metadata } = decoded.response;
      const cut = calls.findLast((call) => !known(toolCalls, call));
      if (metadata.stopReason !== 'max_tokens' || cut === undefined) return decoded;
      return withToolCalls(decoded, [...toolCalls, ...callFrom(cut, () => ({}))]);
    }),
  ),
  mutant(
    'LLM-C02',
    'mends-commas',
    'removes a comma that makes arguments invalid JSON, and runs the call',
    changeDecoded((decoded, { calls }) => {
      const { toolCalls, metadata } = decoded.response;
      const mended = calls
        .filter(({ partial }) => withoutCommas(partial) !== partial)
        .flatMap((call) => callFrom(call, (text) => JSON.parse(withoutCommas(text))));
      if (metadata.stopReason !== 'tool_use' || mended.length === 0) return decoded;
      return withToolCalls(decoded, [...toolCalls, ...mended]);
    }),
  ),
  mutant(
    'LLM-C03',
    'drops-calls-at-limit',
    'drops complete calls when the limit cut the next call',
    changeDecoded((decoded) =>
      decoded.response.metadata.stopReason === 'max_tokens'
        ? withoutError(decoded, { toolCalls: [] })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C05',
    'completes-lying-call',
    'closes the brackets of a cut call when the stop signal says tool use, and runs it',
    changeDecoded((decoded, { calls }) => {
      const { toolCalls, metadata } = decoded.response;
      const cut = calls
        .filter(({ partial }) => partial.startsWith('{') && !partial.endsWith('}'))
        .findLast((call) => !known(toolCalls, call));
      if (metadata.stopReason !== 'tool_use' || cut === undefined) return decoded;
      return withToolCalls(decoded, [
        ...toolCalls,
        ...callFrom(cut, (text) => JSON.parse(completeJson(text))),
      ]);
    }),
  ),
  mutant(
    'LLM-C05',
    'runs-empty-lying-call',
    'runs a call whose arguments came as no text, although its tool requires some',
    changeDecoded((decoded) => {
      const { emptyCalls: _, ...response } = decoded.response;
      return { ...decoded, response };
    }),
  ),
  mutant(
    'LLM-C30',
    'chokes-on-no-arguments',
    'parses the arguments of a call without parameters, which come as no text',
    changeDecoded((decoded) =>
      decoded.response.emptyCalls === undefined
        ? decoded
        : { ...decoded, error: { kind: 'protocol', message: 'Unexpected end of JSON', retryable: false } },
    ),
  ),
  mutant(
    'LLM-C16',
    'runs-odd-arguments',
    'runs calls whose arguments are not an object',
    changeDecoded((decoded, { calls }) => {
      const { toolCalls } = decoded.response;
      const odd = calls
        .filter((call) => !known(toolCalls, call) && /^\s*[^{\s]/.test(call.partial))
        .flatMap((call) => callFrom(call, JSON.parse));
      return odd.length === 0 ? decoded : withToolCalls(decoded, [...toolCalls, ...odd]);
    }),
  ),
  mutant(
    'LLM-C17',
    'mixes-parallel-calls',
    'gives the arguments of the last call to all calls',
    changeDecoded((decoded) => {
      const { toolCalls } = decoded.response;
      const last = toolCalls.at(-1);
      if (last === undefined || toolCalls.length < 2 || decoded.response.metadata.stopReason !== 'tool_use')
        return decoded;
      return withoutError(decoded, { toolCalls: toolCalls.map((call) => ({ ...call, input: last.input })) });
    }),
  ),
  mutant(
    'LLM-C17',
    'keeps-one-call',
    'keeps only the first of several calls',
    changeDecoded((decoded) =>
      decoded.response.metadata.stopReason === 'tool_use'
        ? withoutError(decoded, { toolCalls: decoded.response.toolCalls.slice(0, 1) })
        : decoded,
    ),
  ),
  mutant(
    'LLM-C20',
    'rounds-numbers',
    'runs calls with integers that were rounded to the nearest double',
    changeDecoded((decoded, { calls }) => {
      const { toolCalls } = decoded.response;
      const rounded = calls
        .filter((call) => !known(toolCalls, call) && /\d{16}/.test(call.partial))
        .flatMap((call) => callFrom(call, JSON.parse));
      return rounded.length === 0 ? decoded : withToolCalls(decoded, [...toolCalls, ...rounded]);
    }),
  ),
];
