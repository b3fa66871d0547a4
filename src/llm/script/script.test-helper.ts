/** Writes the scripts of `anyScript` as documents, independently of the builder. */
import type { Json } from '../../kit/base/index.ts';
import type { Script, Step, ScriptTurn } from './script.ts';

/** The document of a script that `anyScript` made. */
export function written({ model, tokenizer, turns }: Script): Json {
  return { model, tokenizer, turns: turns.map(writtenTurn) };
}

function writtenTurn({ steps, chunk, delay, jitter, pings, cut }: ScriptTurn): Json {
  return {
    steps: steps.map(writtenStep),
    chunk,
    delay: `${delay}ms`,
    jitter: `${jitter}ms`,
    pings,
    ...(cut && { cut: { step: cut.step, at: { ...cut.at } } }),
  };
}

function writtenStep(step: Step): Json {
  switch (step.do) {
    case 'thinking':
      return {
        thinking: { text: step.text, ...(step.signature !== undefined && { signature: step.signature }) },
      };
    case 'text':
      return { text: step.text };
    case 'tool_call':
      return {
        tool_call: {
          ...(step.id !== undefined && { id: step.id }),
          name: step.name,
          arguments: step.arguments,
        },
      };
    case 'server_tool':
    case 'provider_block':
    case 'provider_end':
      throw new Error('anyScript makes nothing of the provider');
    case 'barrier':
      return { barrier: step.at === undefined ? step.name : { name: step.name, at: { ...step.at } } };
    case 'wait':
      return { wait: `${step.ms}ms` };
    case 'ping':
      return { ping: true };
    case 'comment':
      return { comment: step.text };
    case 'usage': {
      const { cacheReadTokens, cacheWriteTokens } = step.usage;
      return {
        usage: {
          ...(cacheReadTokens !== undefined && { cache_read: cacheReadTokens }),
          ...(cacheWriteTokens !== undefined && { cache_write: cacheWriteTokens }),
        },
      };
    }
    case 'stop':
      return { stop: step.reason };
    case 'error':
      return { error: { type: step.error.type, message: step.error.message } };
  }
}
