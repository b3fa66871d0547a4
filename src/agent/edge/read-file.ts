/** The tool `read_file`: a text file inside a root, and nothing outside of it. */
import { open, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { ToolEnd } from '../options.ts';

/** The most bytes that are read of a file. */
const mostBytes = 1 << 18;

const failed = (output: string): ToolEnd => ({ outcome: 'failed', output });

/** Reads a file; a path that leads out of the root, also by a link, is refused. Never throws. */
export async function readFileIn(root: string, path: string): Promise<ToolEnd> {
  try {
    const inside = await realpath(root);
    const file = await realpath(resolve(inside, path));
    if (!`${file}${sep}`.startsWith(inside.endsWith(sep) ? inside : `${inside}${sep}`))
      return failed('the path leads out of the working directory');
    // Opening a pipe or a device would wait for its other side.
    if (!(await stat(file)).isFile()) return failed('this is not a file');
    return { outcome: 'completed', output: await firstOf(file) };
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return failed(code === 'ENOENT' ? 'there is no such file' : `the file cannot be read: ${code}`);
  }
}

async function firstOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(mostBytes);
    const { bytesRead } = await handle.read(buffer, 0, mostBytes, 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await handle.close();
  }
}
