/** Finds the processes that a target has started and left, by a variable that they inherit. Only Linux shows it. */
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

/** The environment variable by which the descendants of a target are found. */
const variable = 'WIREPROOF_STARTED_BY';

/**
 * The descendants of one target, whatever process group or session they are in. A program that clears its environment
 * is not found.
 */
export class Descendants {
  readonly #mark: string = randomUUID();

  /** The variables that the target inherits. */
  get environment(): { readonly [name: string]: string } {
    return { [variable]: this.#mark };
  }

  /** Kills those that run at this moment, again and again until no new one is found. */
  kill(): void {
    const killed = new Set<number>();
    for (let found = this.#find(); found.some((pid) => !killed.has(pid)); found = this.#find()) {
      for (const pid of found) {
        killed.add(pid);
        end(pid);
      }
    }
  }

  #find(): readonly number[] {
    if (process.platform !== 'linux') return [];
    const entry = Buffer.from(`${variable}=${this.#mark}\0`);
    return readdirSync('/proc').flatMap((name) => {
      const pid = Number(name);
      return Number.isInteger(pid) && pid !== process.pid && environmentOf(pid)?.includes(entry) === true
        ? [pid]
        : [];
    });
  }
}

/** The environment of a process at its start; undefined when it has ended or belongs to another user. */
function environmentOf(pid: number): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
