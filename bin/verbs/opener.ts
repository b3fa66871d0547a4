/** Opens a page in the browser of the person at the terminal. */
import { spawn } from 'node:child_process';

/** The program that opens a file on a platform, with its arguments. None of them runs in a shell. */
export function openerOf(platform: NodeJS.Platform, path: string): readonly [string, string] {
  switch (platform) {
    case 'darwin':
      return ['open', path];
    case 'win32':
      return ['explorer.exe', path];
    default:
      return ['xdg-open', path];
  }
}

/** Whether a person sits there: at a terminal, and not in CI. */
export const isAttended = (
  stream: { readonly isTTY?: boolean },
  env: { readonly [name: string]: string | undefined },
): boolean => stream.isTTY === true && (env['CI'] ?? '') === '';

/** Opens a file. @returns whether the platform's opener could be started */
export function openFile(path: string): Promise<boolean> {
  const [command, argument] = openerOf(process.platform, path);
  const opener = spawn(command, [argument], { detached: true, stdio: 'ignore' });
  return new Promise((resolve) => {
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}
