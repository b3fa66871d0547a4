/** Runs an operator's lines one after another, from a terminal, a pipe or a file: each order waits for the last. */
import type { OperatorReply, OperatorRequest } from '../src/fold/index.ts';
import type { Status } from '../src/kit/base/index.ts';
import { visible } from '../src/kit/report/index.ts';
import { messageLine } from './gateway-lines.ts';
import { parseOrder, terminalHelp } from './gateway-terminal.ts';
import type { Seen } from './gateway-terminal.ts';

/** What a script acts on. */
export interface ScriptStage {
  readonly seen: Seen;
  /** Makes a call; `end` is heard once. */
  ask(request: OperatorRequest, on: { reply(reply: OperatorReply): void; end(status: Status): void }): void;
  /** Says something to whoever typed. */
  say(text: string): void;
  /** Resolves when an event of this name is seen (from the last order on), or false after `ms`. */
  until(what: string, ms: number): Promise<boolean>;
}

/** What a script came to. */
export type ScriptEnd = 'quit' | 'end' | 'late';

/**
 * Runs lines until there are no more, or one says quit.
 *
 * @returns `late` when something that a line waited for did not come: the lines after it are not run
 */
export async function runScript(lines: AsyncIterable<string>, stage: ScriptStage): Promise<ScriptEnd> {
  for await (const line of lines) {
    const order = parseOrder(line, stage.seen);
    if (order.do === 'quit') return 'quit';
    if (order.do === 'help') stage.say(terminalHelp());
    else if (order.do === 'refuse') stage.say(`? ${visible(order.why)}`);
    else if (order.do === 'wait') await new Promise((resolve) => void setTimeout(resolve, order.ms));
    else if (order.do === 'await') {
      if (await stage.until(order.what, order.ms)) continue;
      stage.say(`? no ${visible(order.what)} was seen in ${order.ms} ms`);
      return 'late';
    } else if (order.do === 'call') call(order.request, stage);
  }
  return 'end';
}

/** Makes a call. The events of a `send` are in the traffic; of the others the answer is said. */
function call(request: OperatorRequest, stage: ScriptStage): void {
  const sends = request.send !== undefined;
  stage.ask(request, {
    reply(reply) {
      const worth = !sends && reply.ok === undefined && reply.event === undefined;
      if (worth) for (const line of answerLines(reply)) stage.say(line);
    },
    end({ code, message }) {
      if (code !== 0) stage.say(`? refused: ${visible(message)}`);
    },
  });
}

function answerLines(reply: OperatorReply): string[] {
  if (reply.agents !== undefined) {
    if (reply.agents.length === 0) return ['no agent is there'];
    return reply.agents.map((agent) =>
      visible(`${agent.id}  ${agent.name}  ${agent.capabilities.join(', ')}`),
    );
  }
  if (reply.thread_usage !== undefined) {
    const { usage } = reply.thread_usage;
    return usage.length === 0 ? ['nothing was used'] : usage.map((row) => visible(JSON.stringify(row)));
  }
  if (reply.stats !== undefined) return [visible(JSON.stringify(reply.stats))];
  return [messageLine(JSON.parse(JSON.stringify(reply)) as Parameters<typeof messageLine>[0])];
}
