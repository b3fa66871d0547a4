import { holdToLaw } from '../../suite.test-helper.ts';
import { sampleCodecSuite } from './suite.ts';

holdToLaw(sampleCodecSuite);
