/** The completion script, run by bash itself. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { wireproof } from '../run.test-helper.ts';

const { stdout: script } = await wireproof(['completion', 'bash']);

/** The completions of the last word of a command line. */
function completed(...words: readonly string[]): readonly string[] {
  const line = `COMP_WORDS=(wireproof "$@"); COMP_CWORD=$#; _wireproof; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', `${script}\n${line}`, 'bash', ...words], { encoding: 'utf8' });
  return out.split('\n').filter((word) => word !== '');
}

describe('the script for bash', () => {
  it.each([
    [['che'], ['check']],
    [['check', 'toon/c'], ['toon/codec']],
    [['check', 'fold/agent', '--drive', 'pass'], ['passive']],
    [['check', 'llm/server', '--drive', 'oll'], ['ollama']],
    [
      ['simulate', 'llm', '--script', 'max-tokens-mid-t'],
      ['max-tokens-mid-tool', 'max-tokens-mid-text'],
    ],
    [['check', 'fold/agent', '--report', 'ju'], ['junit']],
    [['check', 'fold/agent', '--scenario', 'cancel-mid-too'], ['cancel-mid-tool']],
    [['check', 'fold/agent', '--only', 'FOLD-A15'], ['FOLD-A15']],
    [['check', 'fold/agent', '--timeout-s'], ['--timeout-scale']],
    [['explain', 'FOLD-A15'], ['FOLD-A15']],
    [['explain', 'shi'], ['shim']],
    [['simulate', 'fold/g'], ['fold/gateway']],
    [['report', 'mer'], ['merge']],
    [['report', 'matrix', '--ou'], ['--out']],
    [['fixtures', 'generate', 'too'], ['toon']],
    [['completion', 'z'], ['zsh']],
    [['check', 'fold/agent', '--', './my-a'], []],
  ] as const)('completes %j', (words, expected) => {
    expect(completed(...words)).toEqual(expected);
  });
});

it('is refused for other shells', async () => {
  expect((await wireproof(['completion', 'zsh'])).code).toBe(0);
  const { code, stderr } = await wireproof(['completion', 'fish']);
  expect([code, stderr]).toEqual([2, 'wireproof: completion fish: the shells are bash, zsh\n']);
});
