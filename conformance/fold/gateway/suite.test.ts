import { holdToLaw } from '../../suite.test-helper.ts';
import { foldGatewaySuite } from './suite.ts';

holdToLaw(foldGatewaySuite, { silence: 'FOLD-G01' });
