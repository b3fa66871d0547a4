/** A token manager with a fault that a test can mend: it turns the order of the calls that survive around (TOK-09). */
import { command, program } from './command.test-helper.ts';

/** The argv of the manager, which has the fault while `broken` exists. */
export const reversing = (broken: string): readonly string[] => [
  process.execPath,
  program(
    'reversing.mjs',
    `import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [broken, command] = process.argv.slice(2);
const manager = spawn(process.execPath, [command, 'testee', 'tokens/manager'], { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(manager.stdin);
for await (const line of createInterface({ input: manager.stdout })) {
  const answer = JSON.parse(line);
  if (existsSync(broken)) answer.ok?.response?.toolCalls?.reverse();
  console.log(JSON.stringify(answer));
}
`,
  ),
  broken,
  command,
];
