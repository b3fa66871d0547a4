/** The root of the package, which holds spec/ and fixtures/: next to src/ in a checkout, next to dist/ when installed. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WireproofError } from '../base/index.ts';

/** The package's folder: the nearest one above this file that has spec/formats. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (existsSync(join(folder, 'spec', 'formats')) && existsSync(join(folder, 'package.json')))
      return folder;
    const above = dirname(folder);
    if (above === folder) {
      throw new WireproofError(
        'internal',
        'the package is incomplete: no folder above has spec/formats; reinstall it',
      );
    }
    folder = above;
  }
}
