import { holdToLaw } from '../../suite.test-helper.ts';
import { foldAgentSuite } from './suite.ts';

holdToLaw(foldAgentSuite);
