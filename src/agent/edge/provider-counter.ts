/** Counts prompts at a provider, as the `TokenCounter` of src/tokens wants it: for a `TokenBudgetManager`, and by hand. */
import type { Clock, Dial, LinkEvents, Timer } from '../../kit/world/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { ClientCall, countingOf } from '../../llm/index.ts';
import type { CallOutput, Decoded, ToolSpec } from '../../llm/index.ts';
import type { TokenCounter } from '../../tokens/index.ts';
import type { ModelOptions } from '../options.ts';

export interface ProviderCounterOptions {
  readonly llm: Pick<ModelOptions, 'baseUrl' | 'dialect' | 'model' | 'headers'>;
  /** Opens the exchanges, such as `dialHttp`. */
  readonly dial: Dial;
  readonly clock: Clock;
  /** The system text and the tools, which count as a part of the prompt. */
  readonly system?: string;
  readonly tools?: readonly ToolSpec[];
  /** The longest silence of the provider (ms); default 5000. */
  readonly idle?: number;
}

const attempts = { attempts: 1, base: 0, most: 0, patience: 0 };

/**
 * A counter at a provider: Anthropic's `POST /v1/messages/count_tokens`, OpenAI's `POST /v1/responses/input_tokens`, Gemini's
 * `:countTokens`, or LM Studio's `countTokens`.
 *
 * @returns undefined when the dialect has no way to count
 */
export function providerCounter(options: ProviderCounterOptions): TokenCounter | undefined {
  const { llm, dial, clock, system, tools = [], idle = 5000 } = options;
  const converse = countingOf(llm.dialect);
  if (converse === undefined) return undefined;
  return {
    async countTokens(messages) {
      const call = new ClientCall({
        baseUrl: llm.baseUrl,
        headers: llm.headers ?? {},
        request: {
          dialect: llm.dialect,
          model: llm.model,
          messages,
          tools,
          stream: false,
          includeUsage: true,
          ...(system === undefined ? {} : { system }),
        },
        retries: attempts,
        random: seededRandom('count'),
        idle,
        converse,
      });
      const { response, error } = await runCall(call, dial, clock);
      return error === undefined ? response.metadata.usage?.inputTokens : undefined;
    },
  };
}

/** Gives the events of a link to a call. */
const eventsFor = (call: ClientCall, act: (outputs: readonly CallOutput[]) => void): LinkEvents => ({
  headers: (metadata) => act(call.headers(metadata)),
  message: (bytes) => act(call.bytes(bytes)),
  halfClose: () => act(call.ended(true)),
  ended: (status) => act(call.ended(status?.code === 0)),
  drained: () => {},
  ping: () => {},
});

/** Runs a call to its end. */
async function runCall(call: ClientCall, dial: Dial, clock: Clock): Promise<Decoded> {
  return await new Promise((resolve) => {
    let link: ReturnType<Dial> | undefined;
    let timer: Timer | undefined;
    const act = (outputs: readonly CallOutput[]): void => outputs.forEach(actOne);
    const events = eventsFor(call, act);
    function actOne(output: CallOutput): void {
      switch (output.do) {
        case 'dial':
          link = dial({ metadata: output.metadata }, events);
          return;
        case 'send':
          return void link?.send(output.bytes);
        case 'half_close':
          return link?.halfClose();
        case 'close':
          return link?.close({ code: 0, message: '' });
        case 'timer':
          timer?.cancel();
          timer = clock.after(output.ms, () => act(call.timer()));
          return;
        case 'no_timer':
          return timer?.cancel();
        case 'done':
          return resolve(output.decoded);
        case 'show':
          return;
        default:
          output satisfies never;
      }
    }
    act(call.start());
  });
}
