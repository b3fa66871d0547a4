/** Reference servers with one fault each, roughly in the order of the violated requirements. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { anthropicMutants } from './anthropic.ts';
import { afterEndMutants } from './after-end.ts';
import { argumentMutants } from './arguments.ts';
import { callMutants } from './calls.ts';
import { connectionMutants } from './connections.ts';
import { errorMutants } from './errors.ts';
import { framingMutants } from './framing.ts';
import { localMutants } from './local.ts';
import { openaiChatMutants } from './openai-chat.ts';
import { openaiResponsesMutants } from './openai-responses.ts';
import { shapeMutants } from './shapes.ts';
import { terminalMutants } from './terminals.ts';
import { textMutants } from './texts.ts';
import { truthMutants } from './truth.ts';

/** Every mutant of the reference server. */
export const serverMutants: readonly Mutant[] = [
  ...framingMutants,
  ...terminalMutants,
  ...afterEndMutants,
  ...anthropicMutants,
  ...openaiChatMutants,
  ...openaiResponsesMutants,
  ...localMutants,
  ...truthMutants,
  ...argumentMutants,
  ...callMutants,
  ...errorMutants,
  ...connectionMutants,
  ...shapeMutants,
  ...textMutants,
];
