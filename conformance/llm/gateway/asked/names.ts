/** The names of tools that a dialect can carry. Another one is renamed. */
import type { GatewayDialect } from '../../../../src/llm/index.ts';
import { requestTable } from '../tables.ts';

export const isCarried = (dialect: GatewayDialect, name: string): boolean =>
  new RegExp(requestTable().names[dialect].pattern, 'u').test(name);
