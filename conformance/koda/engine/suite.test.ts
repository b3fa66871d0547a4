import { holdToLaw } from '../../suite.test-helper.ts';
import { kodaEngineSuite } from './suite.ts';

holdToLaw(kodaEngineSuite);
