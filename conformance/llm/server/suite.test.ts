import { holdToLaw } from '../../suite.test-helper.ts';
import { llmServerSuite } from './suite.ts';

holdToLaw(llmServerSuite, { silence: 'LLM-S02' });
