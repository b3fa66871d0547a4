/** Whole programs that speak the dialects of small agents. */
import { describe } from 'vitest';
import { agentDialects } from './llm-programs.test-helper.ts';
import { holdToVerdicts } from './llm-verdicts.test-helper.ts';

describe.each(agentDialects)('a program that speaks %s', (dialect) => holdToVerdicts(dialect));
