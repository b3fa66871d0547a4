/** The flags of `wireproof simulate sep/feeds`, beside `--listen` and `--manifest`. */
import type { Flag } from '../../../src/kit/suite/index.ts';

export const feedServerFlags: readonly Flag[] = [
  {
    flags: '--token-env <name>',
    text: 'the environment variable with the bearer token that every request needs',
  },
  {
    flags: '--allow-origin <origins>',
    text: 'web pages that may call, beside those of this machine: origins with commas between, or *',
  },
];
