// Writes spec/commands.md from the help of the built command: npm run pages. bin/pages.test.ts holds that the page is up to date.
import { writeFileSync } from 'node:fs';
import { commandsPage } from './pages/commands.mjs';

writeFileSync('spec/commands.md', await commandsPage());
