/** Drives the machine of a turn with a scripted provider and scripted tools, on a clock of its own. */
import type {
  Json,
  JsonObject,
  ProviderMessage,
  ProviderResponse,
  ToolCall,
  ToolOutcome,
} from '../../kit/base/index.ts';
import { turnMachine } from '../machine/machine.ts';
import type { TurnAction, TurnInput } from '../machine/state.ts';
import { readAnswer, readConfig, readList, readMessages, readTools } from './document-cursor.ts';
import type { FlatResponse, ScriptedAnswer, ScriptedTool } from './document-cursor.ts';
import { readStopReason } from '../manager/stop-reasons.ts';
import { normalUsage } from '../manager/usage.ts';
import type { AnyUsage } from '../manager/usage.ts';

/** `tokens.turn`: the actions of a turn in their order, and the conversation after it. */
export function playTurn(request: JsonObject): JsonObject {
  const history = readMessages(request['history'], 'history');
  const tools = readTools(request['tools'] ?? [], 'tools');
  const answers = readList(request['provider'], 'provider', readAnswer);
  const machine = turnMachine({ config: readConfig(request['config'] ?? {}, 'config'), tools });
  const script = { answers: answers.values(), tools: new Map(tools.map((tool) => [tool.name, tool])) };
  const actions: TurnAction[] = [];
  let now = 0;
  let state = machine.start();
  let input: TurnInput | undefined = { type: 'begin', now, history };
  while (input !== undefined) {
    const stepped = machine.step(state, input);
    state = stepped.state;
    actions.push(...stepped.actions);
    const last = stepped.actions.at(-1);
    if (last?.do === 'retry') now += last.delay;
    input = reactionTo(last, now, script);
  }
  return { actions: actions.map(shownAction), history: shownMessages(state.messages) };
}

interface Script {
  readonly answers: Iterator<ScriptedAnswer>;
  readonly tools: ReadonlyMap<string, ScriptedTool>;
}

/** What comes of the last action of a step; nothing when the turn is over, or the provider's script. */
function reactionTo(
  action: TurnAction | undefined,
  now: number,
  { answers, tools }: Script,
): TurnInput | undefined {
  if (action?.do === 'retry') return { type: 'waited', now };
  if (action?.do === 'run_tools')
    return { type: 'ran', now, results: action.calls.map((call) => runTool(call, tools)) };
  if (action?.do !== 'send') return undefined;
  const next = answers.next();
  if (next.done === true) return undefined;
  if ('error' in next.value) return { type: 'failed', now, failure: next.value.error };
  const { response } = next.value;
  const { stopReason: word } = response;
  return {
    type: 'response',
    now,
    response: providerResponse(response),
    ...(word === undefined ? {} : { word }),
  };
}

function runTool({ id, name }: ToolCall, tools: ReadonlyMap<string, ScriptedTool>): ToolOutcome {
  const tool = tools.get(name);
  if (tool === undefined) return { id, content: `There is no tool ${name}.`, isError: true };
  return { id, content: tool.output ?? 'done', isError: false };
}

/** A response as the machine takes it; a total that came stands as it is. */
export function providerResponse({
  content,
  toolCalls,
  stopReason,
  open,
  usage,
}: FlatResponse): ProviderResponse {
  return {
    content,
    toolCalls,
    metadata: {
      stopReason: readStopReason(stopReason).stopReason,
      ...(usage === undefined ? {} : { usage: totalled(usage) }),
    },
    ...(open === undefined ? {} : { open }),
  };
}

/** With a total, what is not input is output: so the total is kept in the plan's two numbers. */
function totalled(usage: AnyUsage): ReturnType<typeof normalUsage> {
  const { inputTokens, outputTokens } = normalUsage(usage);
  const total = Math.max(0, usage.totalTokens ?? 0);
  if (total === 0) return { inputTokens, outputTokens };
  return { inputTokens: Math.min(inputTokens, total), outputTokens: total - Math.min(inputTokens, total) };
}

function shownAction(action: TurnAction): JsonObject {
  if (action.do === 'run_tools') return { do: action.do, ids: action.calls.map(({ id }) => id) };
  if ('messages' in action) return { do: action.do, messages: shownMessages(action.messages) };
  return { ...action };
}

/** Messages as the answers have them: without empty lists. */
export const shownMessages = (messages: readonly ProviderMessage[]): readonly JsonObject[] =>
  messages.map(shownMessage);

/** A message as the answers have it, with the members that the kit does not know. */
export const shownMessage = ({
  role,
  content,
  toolCalls = [],
  toolResults = [],
  ...others
}: ProviderMessage): JsonObject => ({
  ...others,
  role,
  content,
  ...(toolCalls.length > 0 ? { toolCalls: toolCalls.map(shownCall) } : {}),
  ...(toolResults.length > 0 ? { toolResults: toolResults.map((result) => ({ ...result })) } : {}),
});

/** A call as the answers have it: without `input` when none came. */
function shownCall(call: ToolCall): JsonObject {
  const shown: Record<string, Json> = { id: call.id, name: call.name };
  if ('input' in call) shown['input'] = call.input;
  return shown;
}
