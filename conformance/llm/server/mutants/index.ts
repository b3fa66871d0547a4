/** Reference servers with one fault each, roughly in the order of the violated requirements. */
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { serverWith } from './mutant.ts';
import { anthropicFaults } from './anthropic.ts';
import { afterEndFaults } from './after-end.ts';
import { argumentFaults } from './arguments.ts';
import { bedrockFaults } from './bedrock.ts';
import { callFaults } from './calls.ts';
import { connectionFaults } from './connections.ts';
import { customFaults } from './custom.ts';
import { errorFaults } from './errors.ts';
import { formFaults } from './forms.ts';
import { framingFaults } from './framing.ts';
import { geminiFaults } from './gemini.ts';
import { geminiInteractionsFaults } from './gemini-interactions.ts';
import { localFaults } from './local.ts';
import { openaiChatFaults } from './openai-chat.ts';
import { openaiResponsesFaults } from './openai-responses.ts';
import { openResponsesFaults } from './open-responses.ts';
import { shapeFaults } from './shapes.ts';
import { socketFaults } from './sockets.ts';
import { terminalFaults } from './terminals.ts';
import { textFaults } from './texts.ts';
import { truthFaults } from './truth.ts';

/** Every mutant of the reference server. */
export const serverMutants: () => readonly Mutant[] = mutantsOf(
  'llm/server',
  [
    framingFaults,
    terminalFaults,
    afterEndFaults,
    anthropicFaults,
    openaiChatFaults,
    openaiResponsesFaults,
    localFaults,
    geminiFaults,
    bedrockFaults,
    geminiInteractionsFaults,
    truthFaults,
    argumentFaults,
    callFaults,
    customFaults,
    formFaults,
    errorFaults,
    connectionFaults,
    shapeFaults,
    textFaults,
    socketFaults,
    openResponsesFaults,
  ],
  serverWith,
);
