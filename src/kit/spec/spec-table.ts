/** Reads a table of a protocol that is data: `spec/<protocol>/<path>`. */
import { join } from 'node:path';
import type { Json, Validator } from '../base/index.ts';
import { readDocument } from './document.ts';
import { packageRoot } from './root.ts';

/**
 * The checked value of a table.
 *
 * @param path - below the protocol's folder, such as `translation/ends.yaml`
 * @throws WireproofError 'usage' with file, line and column
 */
export const readSpecTable = (protocol: string, path: string, validator: Validator): Json =>
  readDocument<Json>(join(packageRoot(), 'spec', protocol, path), validator, 'table').value;
