/** Ids as providers make them (`msg_…`, `toolu_…`, `call_…`), from a seed. */
import type { Random } from '../../kit/world/index.ts';

/** Makes a fresh id with this prefix. */
export type Ids = (prefix: string) => string;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Ids of 24 letters and digits after their prefix: the same randomness gives the same ids. */
export const seededIds =
  (random: Random): Ids =>
  (prefix) => {
    let id = prefix;
    for (let i = 0; i < 24; i++) id += alphabet.charAt(random.below(alphabet.length));
    return id;
  };
