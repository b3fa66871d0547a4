import { holdToLaw } from '../../suite.test-helper.ts';
import { sampleResponderSuite } from './suite.ts';

holdToLaw(sampleResponderSuite, 'SAMPLE-12');
