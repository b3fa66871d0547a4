// What a stranger writes against the types of the package.
export const useText = `import { WireproofError, verdicts } from 'wireproof';
import type { Report } from 'wireproof';
import { agent, agentCodec } from 'wireproof/fold';
import type { AgentMessage } from 'wireproof/fold';
import { VirtualClock, rule, violated } from 'wireproof/kit';
import { MessageType, TOONDecoder, TOONEncoder } from 'wireproof/toon';
import { script } from 'wireproof/llm';
import { simulateLlm } from 'wireproof/llm/simulate';
import { StopReasonHandler } from 'wireproof/tokens';

const message: AgentMessage = { response: { request_id: 'r1', text: 'hello' } };
const decoded = agentCodec.decode(agentCodec.encode(message));
if (!decoded.ok) throw new WireproofError('internal', decoded.error.message);
const text: string | undefined = decoded.value.message.response?.text;
const frame = new TOONDecoder().decode(new TOONEncoder().encode(MessageType.HEARTBEAT, {}, 1));
if (!frame.ok || frame.header.sequenceId !== 1) throw new WireproofError('internal', 'no heartbeat');
const failed = (report: Report): string[] => report.requirements.filter((r) => r.verdict === 'fail').map((r) => r.id);
const llm = await simulateLlm(script().text('hi'));
if (!llm.url.startsWith('http://127.0.0.1:') || typeof StopReasonHandler !== 'function') throw new WireproofError('internal', llm.url);
await llm.close();
const clock = new VirtualClock();
clock.after(10_000, () => console.log(text, verdicts.length, typeof failed, agent().name));
clock.run(() => false);
rule({ requirement: 'X-01', listens: ['response'], start: () => null, step: (_state, event) => violated(event, 'expected nothing; came this') });
`;
