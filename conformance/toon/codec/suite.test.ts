import { holdToLaw } from '../../suite.test-helper.ts';
import { toonCodecSuite } from './suite.ts';

holdToLaw(toonCodecSuite);
