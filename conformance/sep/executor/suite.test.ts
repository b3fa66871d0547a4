import { holdToLaw } from '../../suite.test-helper.ts';
import { sepExecutorSuite } from './suite.ts';

holdToLaw(sepExecutorSuite);
