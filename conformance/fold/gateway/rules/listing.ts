/** FOLD-G61: the list of agents. Agents that are not the kit's are not judged. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { JsonObject, TraceEvent } from '../../../../src/kit/base/index.ts';
import { isLive } from '../calls.ts';
import { agentIdOf, membersOf, textOf } from '../model.ts';
import type { GatewayView, StreamView } from '../model.ts';

/** Whether an entry says that its agent is not connected. */
const isOffline = ({ connected, online, status }: JsonObject): boolean =>
  connected === false ||
  online === false ||
  (typeof status === 'string' && !/^(online|connected|ready|idle|busy|active)$/i.test(status));

/** Agents that were connected before a call and still are, and ids whose streams ended long before. */
function expected(
  view: GatewayView,
  seq: number,
  at: number,
): { there: StreamView[]; gone: Map<string, StreamView> } {
  const there: StreamView[] = [];
  const gone = new Map<string, StreamView>();
  const present = new Set<string>();
  for (const stream of view.streams.values()) {
    const id = agentIdOf(stream);
    if (id === undefined || stream.kind !== 'agent') continue;
    const { ended, session } = stream;
    if (ended !== undefined && at - ended.at > view.timeouts.prompt) gone.set(id, stream);
    else present.add(id);
    if (isLive(stream) && (session.welcome?.seq ?? Infinity) < seq && session.shutdown === undefined)
      there.push(stream);
  }
  for (const id of present) gone.delete(id);
  return { there, gone };
}

const listed = rule({
  requirement: 'FOLD-G61',
  listens: ['op.reply.agents'],
  start: () => null,
  step(_, event: TraceEvent, view: GatewayView): Findings {
    const { call } = view;
    const { agents } = event.data;
    if (call?.verb !== 'agents' || !Array.isArray(agents) || view.stop !== undefined) return undefined;
    const entries = agents.map(membersOf);
    const ids = new Set(entries.filter((one) => !isOffline(one)).map((one) => textOf(one['id'])));
    const { there, gone } = expected(view, call.seq, call.at);
    const found: Finding[] = [];
    for (const stream of there) {
      const id = agentIdOf(stream) ?? '';
      // FOLD-G03 judges an agent that is listed by the id that it asked for.
      const asked = stream.session.register?.message.agent_id ?? '';
      if (ids.has(id) || ids.has(asked) || stream.secondRegister !== undefined || stream.rival !== undefined)
        continue;
      found.push(
        violated(event, `expected ${id}, which is connected, in the list of agents; it is not there`, [
          stream.seq,
        ]),
      );
    }
    for (const [id, { ended }] of gone)
      if (ids.has(id))
        found.push(
          violated(
            event,
            `expected no agent in the list that left over ${view.timeouts.prompt} ms ago; came ${id}`,
            [ended?.seq ?? event.seq],
          ),
        );
    return found.length > 0 ? found : there.length > 0 && gone.size > 0 ? [exercised(event)] : undefined;
  },
});

export const listingRules: readonly Rule<GatewayView>[] = [listed];
