import { holdToLaw } from '../../suite.test-helper.ts';
import { toonSubagentSuite } from './suite.ts';

holdToLaw(toonSubagentSuite);
