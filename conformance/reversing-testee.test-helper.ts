/** A token manager with a fault that a test can mend: it turns the order of the calls that survive around (TOK-09). */
import { command, program } from './command.test-helper.ts';

/** The argv of the manager, which has the fault while `broken` exists. */
export const reversing = (broken: string): readonly string[] => [
  process.execPath,
  program(
    'reversing.mjs',
    `import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { StringDecoder } from 'node:string_decoder';
const [broken, command] = process.argv.splice(1).slice(1);
const decoder = new StringDecoder();
const write = process.stdout.write.bind(process.stdout);
let rest = '';
const turned = (line) => {
  // An answer that stays as it is keeps the digits of its integers.
  const answer = JSON.parse(line);
  const calls = answer.ok?.response?.toolCalls ?? [];
  if (!existsSync(broken) || calls.length < 2) return line + '\\n';
  calls.reverse();
  return JSON.stringify(answer) + '\\n';
};
process.stdout.write = (bytes, ...more) => {
  const lines = (rest + decoder.write(Buffer.from(bytes))).split('\\n');
  rest = lines.pop();
  return write(lines.map(turned).join(''), ...more);
};
process.argv.push(command, 'testee', 'tokens/manager');
createRequire(import.meta.url)(command);
`,
  ),
  broken,
  command,
];
