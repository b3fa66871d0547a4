import { holdToLaw } from '../../suite.test-helper.ts';
import { foldGatewaySuite } from './suite.ts';

holdToLaw(foldGatewaySuite, 'FOLD-G01');
