/** The version of the kit, read from package.json. */
import { existsSync, readFileSync } from 'node:fs';

/** Such as `0.1.0`. */
export function version(): string {
  for (const above of ['../package.json', '../../package.json', '../../../package.json']) {
    const file = new URL(above, import.meta.url);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  return '0.0.0';
}
