/** The protocols that the command knows. */
import * as protocols from '../conformance/index.ts';
import { Registry } from '../src/kit/suite/index.ts';

/** Every protocol of conformance/index.ts, in the order of their names. */
export const registry: Registry = new Registry(Object.values(protocols));
