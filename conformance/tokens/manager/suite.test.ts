import { holdToLaw } from '../../suite.test-helper.ts';
import { tokensManagerSuite } from './suite.ts';

holdToLaw(tokensManagerSuite);
