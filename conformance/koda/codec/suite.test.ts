import { holdToLaw, holdVectorsToMaker } from '../../suite.test-helper.ts';
import { kodaCodecSuite } from './suite.ts';
import { kodaVectors } from './vectors.ts';

holdToLaw(kodaCodecSuite);
holdVectorsToMaker('koda', kodaVectors);
