// Prints a code block of README.md, counted from 1: .config/first-block.mjs NUMBER
import { readFileSync } from 'node:fs';

const blocks = [...readFileSync('README.md', 'utf8').matchAll(/^```\w*\n([^]*?)^```$/gm)];
const [, block] = blocks[Number(process.argv[2]) - 1] ?? [];
if (block === undefined) throw new Error(`README.md has no code block ${process.argv[2]}`);
process.stdout.write(block);
