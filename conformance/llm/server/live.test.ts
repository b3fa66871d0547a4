/** Checks of servers on real ports: the reference is conformant, and mutants are caught. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/kit/base/index.ts';
import { listenHttp } from '../../../src/kit/transport/index.ts';
import { realClock } from '../../../src/kit/world/index.ts';
import { serveScript } from '../../../src/llm/edge/index.ts';
import { checkedServer } from './check.test-helper.ts';
import { openDrive, serverDrives } from './drives.ts';
import { llmServerSuite } from './suite.ts';
import { openResponsesScript, serverScript } from './target.ts';

/** The requirements with one verdict. */
const of = (report: Report, verdict: string): readonly string[] =>
  report.requirements.filter((row) => row.verdict === verdict).map(({ id }) => id);

describe('a check of a server on a real port', () => {
  it.each([...serverDrives, openDrive])(
    'finds the reference conformant in %s, with every MUST exercised',
    async (drive) => {
      const served = await serveScript({ script: drive === openDrive ? openResponsesScript : serverScript });
      try {
        const report = await checkedServer(served.port, drive);
        expect(of(report, 'fail')).toEqual([]);
        expect(report.verdict).toBe('conformant');
        expect(report.scope.must.exercised).toBe(report.scope.must.applicable);
        expect(report.scenarios.filter(({ outcome }) => outcome === 'ended-early')).toEqual([]);
      } finally {
        await served.close();
      }
    },
  );

  it('judges the requirements of the driven dialect; those of other dialects are not claimed', async () => {
    const served = await serveScript({ script: serverScript });
    try {
      const report = await checkedServer(served.port, 'ollama');
      expect(of(report, 'not-applicable')).toEqual(
        [
          4, 5, 6, 7, 9, 18, 19, 21, 22, 25, 32, 33, 34, 40, 41, 42, 43, 45, 46, 50, 51, 60, 61, 62, 63, 64,
          65, 66,
        ].map((n) => `LLM-S${String(n).padStart(2, '0')}`),
      );
      expect(of(report, 'pass')).toContain('LLM-S08');
    } finally {
      await served.close();
    }
  });

  it.each([
    ['openai-chat-limit-as-tool', 'openai-chat', 'LLM-S10'],
    ['latin-1', 'anthropic', 'LLM-S01'],
    ['lost', 'openai-responses', 'LLM-S02'],
    ['responses-socket-forgets', 'openai-responses-ws', 'LLM-S41'],
    ['open-responses-calls-forbidden-tool', 'open-responses', 'LLM-S66'],
  ])('finds the fault of %s', async (id, dialect, row) => {
    const mutant = llmServerSuite.mutants().find((one) => one.id === id);
    const options = dialect === openDrive ? { profile: openDrive } : {};
    const peer = mutant?.make(options)({ clock: realClock() });
    if (peer === undefined) throw new Error(`no mutant ${id}`);
    const server = await listenHttp({ host: '127.0.0.1', port: 0, accept: peer.accept, maxReceive: 1 << 22 });
    try {
      peer.begin();
      const report = await checkedServer(server.port, dialect);
      expect(of(report, 'fail')).toEqual([row]);
      expect(report.verdict).toBe('not-conformant');
    } finally {
      peer.stop();
      await server.close();
    }
  });

  it('reports errors in mid-stream as untestable when the server never fails in mid-stream', async () => {
    const served = await serveScript({ script: { ...serverScript, turns: serverScript.turns.slice(2) } });
    try {
      const [handle] = llmServerSuite.conditionalRows;
      const untestable = { [handle?.requirement ?? '']: handle?.reason ?? '' };
      const report = await checkedServer(served.port, 'ollama', { untestable });
      expect(of(report, 'untestable')).toEqual(['LLM-S14']);
    } finally {
      await served.close();
    }
  });

  it('finds a server without [DONE] conformant in OpenAI Responses, and not in Open Responses', async () => {
    const served = await serveScript({ script: serverScript });
    try {
      expect(of(await checkedServer(served.port, 'openai-responses'), 'fail')).toEqual([]);
      expect(of(await checkedServer(served.port, openDrive), 'fail')).toEqual(['LLM-S60']);
    } finally {
      await served.close();
    }
  });

  it('refuses to guess the dialect', async () => {
    await expect(checkedServer(1, 'auto')).rejects.toThrow(/--drive anthropic \| openai-chat/);
  });
});
