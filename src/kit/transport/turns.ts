/** Turns in which programs start. */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

/** Runs something when its turn comes. */
export type InTurn = <T>(run: () => Promise<T>) => Promise<T>;

/** One at a time for each processor. Programs that all start together are all slow, and miss their timeouts. */
export const turns = (): InTurn => pLimit(availableParallelism());
