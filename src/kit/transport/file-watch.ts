/** Watches for files that a target makes: the side effect that shows that a tool ran. */
import { existsSync } from 'node:fs';

/** Texts by name. */
interface Named {
  readonly [name: string]: string;
}

/** A running watch. */
export interface FileWatch {
  /** Looks for the files now. */
  look(): void;
  /** Ends the watch. */
  stop(): void;
}

/** The time between two looks (ms). */
const interval = 50;

/**
 * Calls `made` once for each file that appears, with the name of the file.
 *
 * @param files - paths by name, with placeholders; absent: nothing is watched
 */
export function fileWatch(files: Named | undefined, places: Named, made: (name: string) => void): FileWatch {
  const missing = new Map(
    Object.entries(files ?? {}).map(([name, path]): [string, string] => [
      name,
      path.replace(/\{(\w+)\}/g, (whole, place: string) => places[place] ?? whole),
    ]),
  );
  const look = (): void => {
    for (const [name, path] of missing) {
      if (!existsSync(path)) continue;
      missing.delete(name);
      made(name);
    }
  };
  const timer = missing.size === 0 ? undefined : setInterval(look, interval).unref();
  return { look, stop: () => clearInterval(timer) };
}
