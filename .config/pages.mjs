// Writes the pages that are made: npm run pages. bin/repository/pages.test.ts holds that they are up to date.
import { writeFileSync } from 'node:fs';
import { commandsPage } from './pages/commands.mjs';
import { lawfulPages } from './pages/lawful.mjs';

writeFileSync('spec/commands.md', await commandsPage());
for (const [path, text] of Object.entries(await lawfulPages())) writeFileSync(path, text);
