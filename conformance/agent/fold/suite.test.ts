import { holdToLaw } from '../../suite.test-helper.ts';
import { agentFoldSuite } from './suite.ts';

holdToLaw(agentFoldSuite);
