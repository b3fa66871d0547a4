/** The answers of a script in a dialect, as the simulated provider sends them when nobody disturbs it. */
import type { Json } from '../../kit/base/index.ts';
import type { Random } from '../../kit/world/index.ts';
import { dialectOf } from '../dialects/index.ts';
import { wrap } from '../dialects/lmstudio/server-messages.ts';
import { unitsOfGeneration } from '../dialects/shared/render.ts';
import type { DialectName, Generation, LlmRequest, RenderContext, Unit, Variants } from '../messages.ts';
import type { Script } from '../script/script.ts';
import { scriptPlayer } from '../streamer/player.ts';

/** One answer. */
export interface PlayedAnswer {
  /** The units of the stream, without comments. */
  readonly units: readonly Unit[];
  /** Whether the stream has its end. */
  readonly isWhole: boolean;
  /** The same answer as one body; undefined where the dialect has none. */
  readonly body: Json | undefined;
}

/** The answers to one request after the other, one a turn; a turn that is an error instead of a stream has none. */
export function playedAnswers(
  script: Script,
  dialect: DialectName,
  random: (label: string) => Random,
): readonly PlayedAnswer[] {
  const player = scriptPlayer(script, { random });
  const request = requestIn(dialect);
  let state = player.start();
  return script.turns.flatMap(() => {
    const played = player.answer(state, request);
    state = played.state;
    return 'generation' in played ? [answerOf(request, played.generation, played.turn.variants)] : [];
  });
}

const requestIn = (dialect: DialectName): LlmRequest => ({
  dialect,
  model: 'wireproof-1',
  messages: [{ role: 'user', content: 'hello' }],
  tools: [],
  maxTokens: 4096,
  stream: true,
  includeUsage: true,
});

function answerOf(request: LlmRequest, generation: Generation, variants: Variants): PlayedAnswer {
  const { name, renderer, ping, features, whole } = dialectOf[request.dialect];
  const { blocks, end, steps } = generation;
  let ids = 0;
  const context: RenderContext = {
    request,
    blocks,
    end,
    variants,
    now: 0,
    id: (prefix) => `${prefix}${ids++}`,
  };
  const units = unitsOfGeneration(steps, renderer(context), ping).flatMap(({ data, event, comment }) =>
    comment === true ? [] : [named(name === 'lmstudio' ? wrap(1, { data }) : data, event)],
  );
  const body = features.whole ? whole(generation, context).body : undefined;
  return { units, isWhole: end.transport === 'clean', body };
}

const named = (data: Json, event: string | undefined): Unit =>
  event === undefined ? { data } : { event, data };
