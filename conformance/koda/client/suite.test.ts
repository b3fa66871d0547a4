import { holdToLaw } from '../../suite.test-helper.ts';
import { kodaClientSuite } from './suite.ts';

holdToLaw(kodaClientSuite, { withdrawing: ['client-cap-ends-first', 'client-turn-ends-first'] });
