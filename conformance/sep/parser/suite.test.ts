import { holdToLaw } from '../../suite.test-helper.ts';
import { sepParserSuite } from './suite.ts';

holdToLaw(sepParserSuite);
