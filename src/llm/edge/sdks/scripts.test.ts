/**
 * Every ready-made script with every SDK: the required result, or the measured behaviour of this SDK version where it
 * differs. Ids of spec/llm/requirements.yaml are in brackets.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../kit/base/index.ts';
import type { JsonObject } from '../../../kit/base/index.ts';
import { packageRoot } from '../../../kit/spec/index.ts';
import { readScript, readyScripts } from '../script-file.ts';
import { dialects } from '../../messages.ts';
import { ask } from './clients.test-helper.ts';
import type { Asking, Handed, SdkDialect } from './clients.test-helper.ts';
import { asked, opened } from './simulated.test-helper.ts';
import type { OpenedLlm } from './simulated.test-helper.ts';

/** The SDK of each dialect, with the version of the facts. */
const sdks: { readonly [dialect in SdkDialect]: readonly [name: string, version: string] } = {
  anthropic: ['@anthropic-ai/sdk', '1.12.0'],
  'openai-chat': ['openai', '6.49.0'],
  'openai-responses': ['openai', '6.49.0'],
  ollama: ['ollama', '0.6.4'],
  lmstudio: ['@lmstudio/sdk', '1.5.0'],
  gemini: ['@google/genai', '1.30.0'],
  bedrock: ['@aws-sdk/client-bedrock-runtime', '3.1164.0'],
};

/** The word for the limit in each dialect (llm.md, Wire facts). */
const limits: { readonly [dialect in SdkDialect]: string } = {
  anthropic: 'max_tokens',
  'openai-chat': 'length',
  'openai-responses': 'max_output_tokens',
  ollama: 'length',
  lmstudio: 'maxPredictedTokensReached',
  gemini: 'MAX_TOKENS',
  bedrock: 'max_tokens',
};

/** The result of one script with one SDK. */
interface Outcome {
  readonly handed: Handed;
  readonly dialect: SdkDialect;
  readonly llm: OpenedLlm;
}

type Shows = (outcome: Outcome) => void | Promise<void>;

/** The measured behaviour of one SDK, where it differs from the requirement. */
interface Fact {
  readonly fact: string;
  readonly shows: Shows;
}

interface Row {
  readonly must: string;
  readonly holds: Shows;
  readonly facts?: { readonly [dialect in SdkDialect]?: Fact };
  /** The options of the request. */
  readonly asking?: () => Omit<Asking, 'url'>;
}

/** The calls that look complete: their input is an object, or text that parses to an object. */
const readable = ({ calls }: Handed): unknown[] =>
  calls.flatMap(({ name, input }) => {
    const value = typeof input === 'string' ? parsed(input) : input;
    return isObject(value) ? [[name, value]] : [];
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const short = ['write_file', { path: 'a.txt', body: 'short' }];

const throwsAtOnce: Fact = {
  fact: 'sends one request, and throws the server’s error',
  shows({ handed, llm }) {
    expect(String(handed.error)).toContain('Overloaded');
    expect(asked(llm)).toBe(1);
  },
};

/** The caller aborts long after the set timeout, which is long enough for headers on a busy machine. */
const patience = { set: 1000, callers: 2500 };

const endsWhenLetGo: Fact = {
  fact: 'waits beyond its option `timeout`, until the caller aborts (LLM-C15, LLM-C23)',
  shows: ({ handed: { error, text } }) => {
    expect(String(error)).toContain('Request was aborted');
    expect(text).toBe('Let me think about thi');
  },
};

const rows: { readonly [script: string]: Row } = {
  hello: {
    must: 'reads the text',
    holds: ({ handed }) => {
      expect(handed).toMatchObject({ text: 'Hello, world! Grüße aus dem Draht 👋', calls: [] });
      expect(handed.error).toBeUndefined();
    },
  },
  'tool-call': {
    must: 'returns the call',
    holds: ({ handed }) => {
      expect(handed.text).toBe('Let me look.');
      expect(readable(handed)).toEqual([['get_weather', { city: 'Vienna', units: 'metric' }]]);
      expect(handed.error).toBeUndefined();
    },
  },
  'parallel-tools': {
    must: 'distinguishes the calls (LLM-C17)',
    holds: ({ handed }) =>
      expect(readable(handed)).toEqual([
        ['read_file', { path: 'a.txt' }],
        ['read_file', { path: 'b.txt' }],
        ['get_weather', { city: 'Wien', days: 3 }],
      ]),
  },
  thinking: {
    must: 'keeps thoughts separate from text',
    holds: ({ handed }) => {
      expect(handed).toMatchObject({
        thinking: 'The user wants the weather. I should look it up.',
        text: '',
      });
      expect(readable(handed)).toEqual([['get_weather', { city: 'Vienna' }]]);
    },
    facts: {
      'openai-chat': {
        fact: 'has the call, and no thoughts, because the official API streams none',
        shows({ handed }) {
          expect(handed).toMatchObject({ thinking: '', text: '' });
          expect(readable(handed)).toEqual([['get_weather', { city: 'Vienna' }]]);
        },
      },
    },
  },
  'max-tokens-mid-text': {
    must: 'reports that the limit ended it (LLM-C04)',
    holds: ({ handed, dialect }) => {
      expect(handed.stop).toBe(limits[dialect]);
      expect(handed.text).toMatch(/^Once upon a time, (and then )+/);
    },
  },
  'max-tokens-mid-tool': {
    must: 'returns the call before the cut; the cut call does not look complete (LLM-C01, LLM-C03)',
    holds: ({ handed, dialect }) => {
      expect(handed.stop).toBe(limits[dialect]);
      expect(readable(handed)).toEqual([short]);
    },
    facts: {
      anthropic: {
        fact: 'returns the cut call with its received parameters; only stop_reason shows the cut',
        shows({ handed }) {
          expect(handed.stop).toBe('max_tokens');
          expect(readable(handed)).toEqual([short, ['write_file', { path: 'b.txt' }]]);
        },
      },
    },
  },
  'lying-finish': {
    must: 'returns no call that looks complete (LLM-C05)',
    holds: ({ handed }) => expect(readable(handed)).toEqual([]),
    facts: {
      anthropic: {
        fact: 'repairs the cut call and returns it without a sign of the cut (LLM-C02, LLM-C05)',
        shows({ handed }) {
          expect(handed.stop).toBe('tool_use');
          expect(readable(handed)).toEqual([['write_file', { path: 'a.txt' }]]);
        },
      },
    },
  },
  'error-mid-stream': {
    must: 'throws after the text, and returns no call (LLM-C07, LLM-C21)',
    holds: ({ handed }) => {
      expect(handed.error).toBeDefined();
      expect(handed).toMatchObject({ text: 'Here is the first half of', calls: [] });
    },
    facts: {
      lmstudio: {
        fact: 'executes the call before it throws the error (LLM-C07)',
        shows({ handed }) {
          expect(String(handed.error)).toContain('Overloaded');
          expect(readable(handed)).toEqual([['write_file', { path: 'a.txt', body: 'done' }]]);
        },
      },
      gemini: {
        fact: 'reads the error as a chunk without candidates, and ends as if the answer were whole (LLM-C06, LLM-C07)',
        shows({ handed }) {
          expect(handed.error).toBeUndefined();
          expect(handed.stop).toBeUndefined();
          expect(handed.text).toBe('Here is the first half of');
        },
      },
    },
  },
  'reset-mid-tool': {
    must: 'throws after the text, and returns no call (LLM-C06)',
    holds: ({ handed }) => {
      expect(handed.error).toBeInstanceOf(Error);
      expect(handed).toMatchObject({ text: 'I will write it.', calls: [] });
    },
  },
  'overloaded-then-ok': {
    must: 'retries, and not sooner than the server asks (LLM-C09, LLM-C22)',
    holds: ({ handed, llm }) => {
      expect(handed.text).toBe('Here I am.');
      const [first, second, third, ...more] = llm.trace
        .filter(({ kind }) => kind === 'open')
        .map(({ at }) => at);
      expect(more).toEqual([]);
      // The script's retry_after is 500 ms, then 1 s; timers and sockets may take a few from each.
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(450);
      expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(950);
    },
    // Bedrock's SDK tries 500, 502, 503 and 504 again, and not the script's 529.
    facts: {
      ollama: throwsAtOnce,
      lmstudio: throwsAtOnce,
      gemini: throwsAtOnce,
      bedrock: throwsAtOnce,
    },
  },
  stall: {
    must: 'throws after its own timeout (LLM-C15)',
    holds: ({ handed }) => expect(handed.error).toBeInstanceOf(Error),
    asking: () => ({ timeout: patience.set, signal: AbortSignal.timeout(patience.callers) }),
    facts: {
      anthropic: endsWhenLetGo,
      'openai-chat': endsWhenLetGo,
      'openai-responses': endsWhenLetGo,
      ollama: {
        fact: 'has no timeout option, and waits until the caller aborts (LLM-C15)',
        shows: ({ handed }) => expect(handed.error).toMatchObject({ name: 'AbortError' }),
      },
    },
  },
};

/** Asks for the first answer of a script. */
async function outcome(name: string, dialect: SdkDialect, { asking }: Row): Promise<Outcome> {
  const llm = await opened(readScript(name));
  const handed = await ask(dialect, { url: llm.url, ...asking?.() });
  return { handed, dialect, llm };
}

describe('the facts', () => {
  const installed = (name: string): unknown => {
    const file = readFileSync(`${packageRoot()}/node_modules/${name}/package.json`, 'utf8');
    return (JSON.parse(file) as JsonObject)['version'];
  };

  it('are about the installed versions', () => {
    for (const [name, version] of Object.values(sdks))
      expect([name, installed(name)]).toEqual([name, version]);
  });

  it('of spec/llm/SDKS.md are about packages that are installed here, in no older versions', () => {
    const page = readFileSync(`${packageRoot()}/spec/llm/SDKS.md`, 'utf8');
    const named = [...page.matchAll(/`(@?[a-z][\w/-]*)`(?: +\|)? +(\d+\.\d+\.\d+)/g)];
    expect(new Set(named.map(([, name]) => name)).size).toBeGreaterThanOrEqual(10);
    const partsOf = (version: unknown): readonly number[] => String(version).split('.').map(Number);
    for (const [, name = '', version] of named) {
      const [major = 0, minor = 0] = partsOf(version);
      const [least = 0, leastMinor = 0] = partsOf(installed(name));
      expect([name, major > least || (major === least && minor >= leastMinor)]).toEqual([name, true]);
    }
  });

  it('cover every ready-made script', () => {
    expect(Object.keys(rows).toSorted()).toEqual(readyScripts());
  });
});

/** Outside the table: LM Studio's client waits for the server's answer even when it is aborted. */
const apart = (name: string, dialect: SdkDialect): boolean => name === 'stall' && dialect === 'lmstudio';

describe.each(Object.entries(rows))('%s', (name, row) => {
  it.each(
    dialects
      .filter((dialect) => dialect !== 'gemini-interactions')
      .filter((dialect) => !apart(name, dialect))
      .map((dialect) => {
        const [sdk, version] = sdks[dialect];
        const fact = row.facts?.[dialect];
        const says = fact === undefined ? row.must : `FACT of ${version}: ${fact.fact}`;
        return [`${dialect}: ${sdk} ${says}`, dialect, fact?.shows ?? row.holds] as const;
      }),
  )('%s', async (_, dialect, shows) => {
    await shows(await outcome(name, dialect, row));
  });
});

describe('stall', () => {
  it('lmstudio: @lmstudio/sdk FACT of 1.5.0: waits for the server even when it is aborted (LLM-C15, LLM-C10)', async () => {
    const llm = await opened(readScript('stall'));
    const letGo = new AbortController();
    const asking = ask('lmstudio', { url: llm.url, signal: letGo.signal }).then(() => 'over');
    await llm.until(() => llm.requests[0]?.answer?.outcome === 'stall');
    letGo.abort();
    const cancelled = (): boolean =>
      llm.trace.some(({ from, data }) => from === 'target' && JSON.stringify(data).includes('"cancel"'));
    await llm.until(cancelled);
    // The server has received the cancel, but it stalls and does not answer. The caller still waits.
    const soon = new Promise((resolve) => void setTimeout(resolve, patience.callers, 'waiting'));
    expect(await Promise.race([asking, soon])).toBe('waiting');
  });
});
