/** Gateways that refuse otherwise than FOLD-G05 to G09 say, or not at all. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentMessage, GatewayOptions } from '../../../../src/fold/index.ts';
import { agentsSay, closes, toAgents } from './faults.ts';
import type { GatewayFault, FaultContext, Output } from './faults.ts';
import { wrong } from './mutant.ts';

type Act = (m: AgentMessage, hand: FaultContext, peer: string) => readonly AgentMessage[];

/** What it makes of a first message that is no register. */
const otherFirst = (act: Act) => (): GatewayFault =>
  agentsSay((m, hand, peer) =>
    m.register !== undefined || hand.agentOn(peer) !== undefined ? [m] : act(m, hand, peer),
  );

/** What it makes of a first register of this kind. */
const firstRegister = (fits: (id: string, hand: FaultContext) => boolean, act: Act) => (): GatewayFault =>
  agentsSay((m, hand, peer) => {
    const first = m.register !== undefined && hand.agentOn(peer) === undefined;
    return first && fits(m.register?.agent_id ?? '', hand) ? act(m, hand, peer) : [m];
  });

const emptyId = (act: Act): (() => GatewayFault) => firstRegister((id) => id === '', act);
const takenId = (act: Act): (() => GatewayFault) =>
  firstRegister((id, { gateway }) => gateway.agents.has(id), act);

/** What it makes of a second register. */
const secondRegister = (act: Act) => (): GatewayFault =>
  agentsSay((m, hand, peer) =>
    m.register === undefined || hand.agentOn(peer) === undefined ? [m] : act(m, hand, peer),
  );

/** Ends streams with another status where it says this. */
const endsWith = (says: RegExp, code: number) => (): GatewayFault =>
  closes('agent', (close) =>
    says.test(close.status.message) ? [{ ...close, status: { ...close.status, code } }] : [close],
  );

const nothing: Act = () => [];

const newestWins: Act = (m, hand, peer) => {
  const first = hand.gateway.agents.get(m.register?.agent_id ?? '');
  if (first !== undefined) hand.close(first, 14, 'replaced by a newer connection');
  // Told after the loss of the first.
  hand.tell({ type: 'message', peer, message: m });
  return [];
};

const forgetsTheFirst: Act = (m, { gateway }) => {
  gateway.agents.delete(m.register?.agent_id ?? '');
  return [m];
};

/** The stream that was refused is cleaned up, and the id that it asked for with it. */
const cleansUpTooMuch = (): GatewayFault =>
  closes('agent', (close, { gateway }) => {
    const [, id = ''] = /^agent (.*) already registered$/.exec(close.status.message) ?? [];
    gateway.agents.delete(id);
    return [close];
  });

/** After a RegistrationError, something else than the end of the stream. */
const afterError =
  (instead: (close: Output, hand: FaultContext) => readonly Output[]) => (): GatewayFault => {
    const refused = new Set<string>();
    return {
      output(output, hand) {
        if (output.type === 'send' && 'registration_error' in output.message) refused.add(output.peer);
        return output.type === 'close' && refused.has(output.peer) ? instead(output, hand) : [output];
      },
    };
  };

/** Where it refuses by RegistrationError, it goes on under the id that it suggests. */
const helpsItself = ({ duplicates }: Partial<GatewayOptions>): GatewayFault =>
  duplicates !== 'registration_error'
    ? {}
    : takenId((m, hand, peer) => {
        const id = m.register?.agent_id ?? '';
        const suggested_id = `${id}-2`;
        hand.send(peer, { registration_error: { reason: `agent ${id} already registered`, suggested_id } });
        return [{ register: { ...m.register, agent_id: suggested_id } }];
      })();

const welcomesAgain: Act = (_, hand, peer) => {
  const { listing, token = '' } = hand.agentOn(peer) ?? {};
  if (listing === undefined) return [];
  const { id: agent_id, instance_id } = listing;
  hand.send(peer, { welcome: { server_id: 'wireproof-gateway', agent_id, instance_id, mcp_token: token } });
  return [];
};

/** The agent goes by the id of its last register. */
const renames: Act = (m, hand, peer) => {
  const agent = hand.agentOn(peer);
  const id = m.register?.agent_id ?? '';
  if (agent?.listing === undefined) return [];
  hand.gateway.agents.delete(agent.listing.id);
  hand.gateway.agents.set(id, peer);
  agent.listing = { ...agent.listing, id };
  return [];
};

const refusesAgain: Act = (m, hand, peer) => {
  const id = m.register?.agent_id ?? '';
  hand.send(peer, { registration_error: { reason: `agent ${id} is registered already` } });
  return [];
};

const ends =
  (code: number, message: string): Act =>
  (_, hand, peer) => {
    hand.close(peer, code, message);
    return [];
  };

/** Mutants of this theme. */
export const refusalMutants: readonly Mutant[] = [
  wrong(
    'FOLD-G05',
    'waits-for-register',
    'It passes over what comes before a register.',
    otherFirst(nothing),
  ),
  wrong(
    'FOLD-G05',
    'welcomes-anyone',
    'It welcomes an agent whose first message is a heartbeat.',
    otherFirst((m, _, peer) => [{ register: { agent_id: `agent on ${peer}` } }, m]),
  ),
  wrong(
    'FOLD-G05',
    'first-message-precondition',
    'It refuses a first message that is no register with FAILED_PRECONDITION (9).',
    endsWith(/^the first message must be register$/, 9),
  ),
  wrong(
    'FOLD-G05',
    'first-message-ok',
    'It ends a stream whose first message is no register with OK.',
    endsWith(/^the first message must be register$/, 0),
  ),
  wrong(
    'FOLD-G06',
    'gives-an-id',
    'It welcomes an agent without an agent_id under one of its own.',
    emptyId((m, _, peer) => [{ register: { ...m.register, agent_id: `agent on ${peer}` } }]),
  ),
  wrong(
    'FOLD-G06',
    'empty-id-unanswered',
    'It never answers a register without an agent_id.',
    emptyId(nothing),
  ),
  wrong(
    'FOLD-G06',
    'empty-id-ok',
    'It ends the stream of a register without an agent_id with OK.',
    endsWith(/^agent_id is required$/, 0),
  ),
  wrong(
    'FOLD-G07',
    'newest-wins',
    'It ends the stream of an agent when another comes under its id.',
    takenId(newestWins),
  ),
  wrong('FOLD-G07', 'both-welcomed', 'It welcomes two agents under one id.', takenId(forgetsTheFirst)),
  wrong(
    'FOLD-G07',
    'cleans-up-too-much',
    'It refuses the second agent of an id, and no longer finds the first.',
    cleansUpTooMuch,
  ),
  wrong(
    'FOLD-G07',
    'duplicate-unanswered',
    'It never answers a register under an id that is taken.',
    takenId(nothing),
  ),
  wrong(
    'FOLD-G07',
    'duplicate-unavailable',
    'It refuses an id that is taken with UNAVAILABLE (14).',
    endsWith(/ already registered$/, 14),
  ),
  wrong('FOLD-G08', 'no-reason', 'Its RegistrationError has no reason.', (): GatewayFault =>
    toAgents((m) => [
      m.registration_error === undefined
        ? m
        : { registration_error: { ...m.registration_error, reason: '' } },
    ]),
  ),
  wrong(
    'FOLD-G08',
    'stays-open',
    'It leaves the stream open after a RegistrationError.',
    afterError(() => []),
  ),
  wrong(
    'FOLD-G08',
    'helps-itself',
    'It welcomes an agent after a RegistrationError, under the id that it suggested.',
    helpsItself,
  ),
  wrong(
    'FOLD-G09',
    'welcomes-again',
    'It answers a second register by another Welcome.',
    secondRegister(welcomesAgain),
  ),
  wrong(
    'FOLD-G09',
    'second-register-closes',
    'It ends the stream at a second register.',
    secondRegister(ends(3, 'this stream is registered already')),
  ),
  wrong(
    'FOLD-G09',
    'renames',
    'It finds an agent under the id of its second register.',
    secondRegister(renames),
  ),
  wrong(
    'FOLD-G09',
    'second-register-error',
    'It answers a second register by a RegistrationError.',
    secondRegister(refusesAgain),
  ),
];
