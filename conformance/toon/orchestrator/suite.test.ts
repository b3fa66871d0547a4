import { holdToLaw } from '../../suite.test-helper.ts';
import { toonOrchestratorSuite } from './suite.ts';

holdToLaw(toonOrchestratorSuite);
