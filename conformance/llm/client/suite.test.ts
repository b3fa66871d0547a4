import { holdToLaw } from '../../suite.test-helper.ts';
import { llmClientSuite } from './suite.ts';

holdToLaw(llmClientSuite);
