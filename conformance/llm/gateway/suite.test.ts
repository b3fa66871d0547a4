import { holdToLaw } from '../../suite.test-helper.ts';
import { llmGatewaySuite } from './suite.ts';

holdToLaw(llmGatewaySuite, { silence: 'LLM-G01' });
