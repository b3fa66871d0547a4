/** Whole programs that speak the other dialects of small agents. */
import { describe } from 'vitest';
import { agentDialects } from './llm-programs.test-helper.ts';
import { holdToVerdicts } from './llm-verdicts.test-helper.ts';

describe.each(agentDialects.filter((dialect) => dialect !== 'openai-chat'))(
  'a program that speaks %s',
  (dialect) => holdToVerdicts(dialect),
);
