// Whether dist/ is a whole build of the sources as they are: no source is newer than the last file of a build.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** .config/documents.mjs writes it. */
const last = 'dist/documents.json';

const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'generated' ? 0 : newest(path);
      return /\.(c?ts|css|proto|json|yaml)$/.test(entry.name) && !/\.test[.-]/.test(entry.name)
        ? statSync(path).mtimeMs
        : 0;
    }),
  );

/** Whether dist/ needs no build. */
export const isBuilt = () =>
  existsSync(last) &&
  Math.max(...['src', 'conformance', 'bin', 'spec'].map(newest)) <= statSync(last).mtimeMs;
