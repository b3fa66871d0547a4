/** Whole programs that speak OpenAI's chat dialect; the other dialects are in llm-programs.thorough.test.ts. */
import { describe } from 'vitest';
import { holdToVerdicts } from './llm-verdicts.test-helper.ts';

describe('a program that speaks openai-chat', () => holdToVerdicts('openai-chat'));
