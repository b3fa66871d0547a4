/** `--drive` and `--provider` choose a route of the statement, with all that it states. */
import { describe, expect, it } from 'vitest';
import { checked, command, program } from '../../conformance/command.test-helper.ts';

const routes = `routes:
  - { client: anthropic, provider: ollama }
  - { client: anthropic, provider: openai-chat, model: stated }
`;

/** A statement whose gateway serves one model for Anthropic's clients. */
const statement = (name: string, model: string): string =>
  program(
    name,
    `suite: llm/gateway
target:
  command:
    - node
    - ${JSON.stringify(command)}
    - simulate
    - llm/gateway
    - --listen
    - '{listen}'
    - --route
    - 'anthropic/${model}=openai-chat@{llm_url}'
${routes}`,
  );

const pair = ['--drive', 'anthropic', '--provider', 'openai-chat', '--only', 'LLM-G01'];
const one = ['--scenario', 'anthropic-over-openai-chat-plain'];

describe('--provider with a statement', () => {
  it('asks for the model that the route of the pair states', async () => {
    const file = statement('route-stated.yaml', 'stated');
    const { code } = await checked(['llm/gateway', '--statement', file, ...pair, ...one], []);
    expect(code).toBe(0);
  });

  it('asks for the model of --model where both name one', async () => {
    const file = statement('route-flagged.yaml', 'flagged');
    const flags = [...pair, ...one, '--model', 'flagged'];
    const { code } = await checked(['llm/gateway', '--statement', file, ...flags], []);
    expect(code).toBe(0);
  });
});
