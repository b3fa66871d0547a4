import { holdToLaw, holdVectorsToMaker } from '../../suite.test-helper.ts';
import { sampleCodecSuite } from './suite.ts';
import { sampleVectors } from './vectors.ts';

holdToLaw(sampleCodecSuite);
holdVectorsToMaker('sample', sampleVectors);
