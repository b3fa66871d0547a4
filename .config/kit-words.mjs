// The kit knows no protocol: finds words of protocols in its names and texts. Comments may have them, as examples.
import { readFileSync } from 'node:fs';

// The names of protocols, of their dialects, and words that only they have. `sep` is missing: it is Node's word, too.
const words = [
  ...['fold', 'coven', 'koda', 'llm', 'toon'],
  ...['anthropic', 'openai', 'ollama', 'lmstudio', 'gemini'],
  ...['gateway', 'subagent', 'orchestrator', 'executor'],
  ...['jwt', 'ssh', 'principal'],
];
const capital = words.map((word) => word[0].toUpperCase() + word.slice(1));

// A word alone, or as a part of a name in camelCase or with underscores.
const foreign = new RegExp(
  `(?<![A-Za-z])(?:${words.join('|')})(?![a-z])|(?<![A-Z])(?:${capital.join('|')})(?![a-z])`,
);
const comment = /\/\*[^]*?\*\/|(?<![:'"`\w\\])\/\/.*/g;

/** The lines of the kit's modules with a word of a protocol, as `file:line: word`. */
export const foreignWords = (files) =>
  files
    .filter((file) => file.startsWith('src/kit/') && !/\/generated\/|\.test(?:-helper)?\.ts$/.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .replace(comment, (text) => text.replace(/[^\n]/g, ''))
        .split('\n')
        .flatMap((line, i) => {
          const [word] = foreign.exec(line) ?? [];
          return word === undefined ? [] : [`${file}:${i + 1}: ${word}`];
        }),
    );
