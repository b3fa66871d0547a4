import { holdToLaw } from '../../suite.test-helper.ts';
import { sampleResponderSuite } from './suite.ts';

holdToLaw(sampleResponderSuite, { silence: 'SAMPLE-12' });
