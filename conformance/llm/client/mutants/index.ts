/** All mutants of clients: the reference with one fault each. */
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { clientWith } from './mutant.ts';
import { bedrockFaults } from './bedrock.ts';
import { callFaults } from './calls.ts';
import { customFaults } from './custom.ts';
import { keptFaults } from './kept.ts';
import { newsFaults } from './news.ts';
import { geminiFaults } from './gemini.ts';
import { geminiInteractionsFaults } from './gemini-interactions.ts';
import { programFaults } from './program.ts';
import { providerFaults } from './providers.ts';
import { refusedFaults } from './refused.ts';
import { requestFaults } from './requests.ts';
import { resultFaults } from './results.ts';
import { shapeFaults } from './shapes.ts';
import { streamFaults } from './streams.ts';
import { socketFaults } from './sockets.ts';
import { timeFaults } from './time.ts';

export const clientMutants: () => readonly Mutant[] = mutantsOf(
  'llm/client',
  [
    callFaults,
    customFaults,
    newsFaults,
    keptFaults,
    geminiFaults,
    bedrockFaults,
    geminiInteractionsFaults,
    programFaults,
    providerFaults,
    resultFaults,
    requestFaults,
    refusedFaults,
    timeFaults,
    socketFaults,
    streamFaults,
    shapeFaults,
  ],
  clientWith,
);
