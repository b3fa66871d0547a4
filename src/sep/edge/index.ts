/** Files of SEP for the kit's own command. */
export { filesSource, mostFileCharacters, mostFiles, mostLookedAt } from './files-source.ts';
export type { FilesSourceOptions } from './files-source.ts';
export { parseManifest, readManifest } from './manifest-file.ts';
export type { ManifestFile } from './manifest-file.ts';
export { sepManifestTestee } from './manifest-testee.ts';
export { readProviders, readRunScript } from './script-file.ts';
export type { PacedScript } from './script-file.ts';
