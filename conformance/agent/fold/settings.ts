/** Reads the settings of a simulated whole agent from its flags, before it dials. */
import { WireproofError } from '../../../src/kit/base/index.ts';
import type { Flags } from '../../../src/kit/simulate/index.ts';
import { pureTools, readFileTool, runTool } from '../../../src/agent/index.ts';
import type { AgentTool, ModelOptions, WholeAgentOptions } from '../../../src/agent/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { askUser, deferTools, firstOf, switchModel } from '../../../src/tokens/index.ts';
import type { FallbackPolicy } from '../../../src/tokens/index.ts';
import { writeTool } from './target.ts';

const usage = (message: string): WireproofError => new WireproofError('usage', message);

/** The options that flags give, without the Fold side and the randomness. @throws WireproofError 'usage' */
export function agentSettings(flags: Flags): Omit<WholeAgentOptions, 'fold' | 'random'> {
  const window = tokensOf(flags, 'window');
  const maxTokens = tokensOf(flags, 'max-tokens');
  const fallback = fallbackOf(flags, window);
  return {
    llm: modelOf(flags),
    tools: toolsOf(flags),
    gated: gatedOf(flags),
    ...(window === undefined ? {} : { window }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

const tokensOf = (flags: Flags, name: string): number | undefined =>
  flags.read(name, 'a number of tokens above 0', (text) =>
    /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined,
  );

/** The model that the flags name. @throws WireproofError 'usage' */
function modelOf(flags: Flags): ModelOptions {
  const baseUrl = flags.text('llm');
  if (baseUrl === undefined || !URL.canParse(baseUrl) || !/^https?:\/\//.test(baseUrl))
    throw usage(
      `--llm ${baseUrl ?? ''}`.trimEnd() +
        ': expected the URL of a model provider, such as http://127.0.0.1:11434',
    );
  const dialect = dialects.find((name) => name === flags.text('dialect')) ?? 'openai-chat';
  const key = flags.variable('key-env');
  const headers =
    key === undefined
      ? {}
      : { headers: dialect === 'anthropic' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` } };
  const idle = flags.time('idle');
  const patience = idle === undefined ? {} : { idle };
  return { baseUrl, dialect, model: flags.text('model') ?? 'wireproof-1', ...headers, ...patience };
}

/** The tools that the flags offer. Those that touch the machine are offered by a flag alone. */
function toolsOf(flags: Flags): readonly AgentTool[] {
  const reads = flags.folder('root') === undefined ? [] : [readFileTool];
  return [...pureTools, writeTool, ...reads, ...(flags.on('run') ? [runTool] : [])];
}

const known: readonly string[] = [...pureTools, writeTool, readFileTool, runTool].map(({ name }) => name);

function gatedOf(flags: Flags): readonly string[] {
  const names = (flags.text('approve') ?? '').split(',').map((name) => name.trim());
  const gated = names.filter((name) => name !== '');
  const unknown = gated.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw usage(`--approve ${unknown}: no such tool; the tools are ${known.join(', ')}`);
  return gated;
}

function fallbackOf(flags: Flags, window: number | undefined): FallbackPolicy | undefined {
  const texts = flags.list('fallback');
  const policies = texts.map((text) => policyOf(text, flags, window));
  return policies.length === 0 ? undefined : firstOf(...policies);
}

function policyOf(text: string, flags: Flags, window = 0): FallbackPolicy {
  if (text === 'defer-tools') return deferTools();
  if (text === 'ask-user') return askUser();
  const [, name] = /^switch-model=(.+)$/.exec(text) ?? [];
  if (name === undefined)
    throw usage(`--fallback ${text}: expected switch-model=NAME, defer-tools or ask-user`);
  const larger = tokensOf(flags, 'fallback-window') ?? 0;
  if (larger <= window)
    throw usage(
      `--fallback-window ${larger}: expected more than the ${window} tokens of --window; ${name} would not help`,
    );
  return switchModel([{ name, window: larger }]);
}
