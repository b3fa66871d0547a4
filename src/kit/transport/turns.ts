/** Turns in which programs start. */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

/** Runs something when its turn comes. */
export type InTurn = <T>(run: () => Promise<T>) => Promise<T>;

/** One at a time for each processor: a crowd of programs that start together are each late for what is expected of them. */
export const turns = (): InTurn => pLimit(availableParallelism());
