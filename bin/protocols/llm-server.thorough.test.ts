/** `wireproof check llm/server` in the dialects that llm-server.test.ts leaves out. */
import { describe } from 'vitest';
import { dialects } from '../../src/llm/index.ts';
import { daily, holdConformantIn } from './llm-server.test-helper.ts';

describe('wireproof check llm/server with a command', () => {
  for (const dialect of dialects.filter((one) => !daily.includes(one))) holdConformantIn(dialect);
});
