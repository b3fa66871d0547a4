/** The Python client of model providers is conformant, judged by the built command as a stranger would judge it. */
import { describe, expect, it } from 'vitest';
import { checked } from '../command.test-helper.ts';
import { changed, python38 } from './python.test-helper.ts';

const { path, why } = python38();

describe('llm_client.py', () => {
  // What clients in the field do: a limit is taken for a stop like any other, and what is left of a call is run.
  it('fails when it runs what the limit cut', async (context) => {
    if (path === undefined) return context.skip(why);
    const wrong = changed('llm_client.py', [
      ["'length': 'max_tokens'", "'length': 'tool_use'"],
      ['if isinstance(value, dict) else None', 'if isinstance(value, dict) else {}'],
      ['except (ValueError, RecursionError): return None', 'except (ValueError, RecursionError): return {}'],
    ]);
    const args = ['llm/client', '--only', 'LLM-C01', '--only', 'LLM-C05'];
    const { failed, code } = await checked(args, [path, '-c', wrong]);
    expect({ code, failed }).toEqual({ code: 1, failed: ['LLM-C01', 'LLM-C05'] });
  });
});
