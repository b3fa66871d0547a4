// Empties dist/, so that a renamed source leaves nothing stale behind.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
