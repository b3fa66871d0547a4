import { holdToLaw } from '../../suite.test-helper.ts';
import { llmServerSuite } from './suite.ts';

holdToLaw(llmServerSuite, 'LLM-S02');
