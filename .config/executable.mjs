// The command as npm would have it, also after a build that npm did not start: npx runs it from dist/.
import { chmodSync } from 'node:fs';

chmodSync('dist/bin/wireproof.cjs', 0o755);
