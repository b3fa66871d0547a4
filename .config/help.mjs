// Renders the root help from the program itself, so that the command can print it without loading commander.
// Not to a terminal, so 80 columns wide.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

writeFileSync('dist/bin/help.txt', execFileSync(process.execPath, ['dist/bin/program.cjs', '--help']));
