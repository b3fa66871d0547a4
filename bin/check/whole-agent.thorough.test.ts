/** `wireproof check fold/agent --drive llm`, in the dialects that whole-agent.test.ts leaves out. */
import { it } from 'vitest';
import { expectConformant } from './whole-agent.test-helper.ts';

it.each(['lmstudio', 'ollama'])(
  'is conformant in the dialect %s, with every MUST exercised',
  expectConformant,
);
