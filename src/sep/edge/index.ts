/** Files of SEP for the kit's own command. */
export { readProviders, readRunScript } from './script-file.ts';
export type { PacedScript } from './script-file.ts';
