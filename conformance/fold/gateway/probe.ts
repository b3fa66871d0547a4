/**
 * Reads the probe of a gateway's set-up: the kit registers an agent and sends it one message as the operator. What the
 * user has to set right is said here, with the words of the gateway or the driver, and is never a verdict.
 */
import { addressText } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { ProbeFinding, ProbeSetup, TargetProbe } from '../../../src/kit/suite/index.ts';
import { gatewayStatement } from './statement.ts';

/** The names of gRPC status codes, by code. */
const codeNames = (
  'OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED ' +
  'RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS ' +
  'UNAUTHENTICATED'
).split(' ');
const unimplemented = 12;
const unavailable = 14;
const credentialCodes = [7, 16];
/** Codes of a gateway that may still be starting: too late, unknown agent, limit, no agent. */
const earlyCodes = [4, 5, 8, unavailable];

/** The message of a gRPC client whose connection began with bytes that are not HTTP/2. */
const noHttp2 = /No connection established.*Protocol error/;

/** The end of a stream; `code` undefined: the connection was lost. */
interface StreamEnd {
  readonly at: number;
  readonly code: number | undefined;
  readonly message: string;
}

const isEnd = ({ from, kind }: TraceEvent): boolean =>
  from === 'target' && (kind === 'end' || kind === 'reset');

/** The first end of a peer's streams. */
function endOf(events: readonly TraceEvent[], peer: string): StreamEnd | undefined {
  const at = events.findIndex((event) => isEnd(event) && event.to === peer);
  const event = events[at];
  if (event === undefined) return undefined;
  const { code, message } = event.data;
  return {
    at,
    code: typeof code === 'number' ? code : undefined,
    message: typeof message === 'string' ? message.slice(0, 300) : '',
  };
}

/** The place of the first message of a kind to the kit's agent; -1 without one. */
const messageAt = (events: readonly TraceEvent[], name: string): number =>
  events.findIndex(({ from, to, data }) => from === 'target' && to === 'agent' && data[name] !== undefined);

function statusText({ code, message }: StreamEnd): string {
  if (code === undefined) return 'the loss of the connection';
  return `${code} ${codeNames[code] ?? ''} ${JSON.stringify(message)}`;
}

const addressOf = ({ place }: ProbeSetup): string => addressText(place);

/** The reason why the kit's agent did not come in, as far as the set-up has it. */
function agentFinding(end: StreamEnd | undefined, setup: ProbeSetup): ProbeFinding {
  if (end?.code === unimplemented) {
    const tried = setup.services.join(' or ');
    return {
      is: 'no-service',
      why: `expected the gRPC service ${tried} at ${addressOf(setup)}; came ${statusText(end)}; name the gateway's service for agents: --service my.Control, or service in the statement`,
    };
  }
  if (!setup.started && end?.code === unavailable && noHttp2.test(end.message))
    return {
      is: 'wrong',
      why: `expected a gRPC server at ${addressOf(setup)}; came an answer that is not HTTP/2; give the gateway's gRPC port (and https:// if it uses TLS)`,
    };
  // Another program may have its port, or the gateway may be starting.
  const lost = end !== undefined && (end.code === undefined || end.code === unavailable);
  if (lost) return { is: 'not-yet', why: `an agent of the kit met ${statusText(end)}`, judged: true };
  if (end?.code === undefined || !credentialCodes.includes(end.code)) return { is: 'usable' };
  return {
    is: 'wrong',
    why: `expected the gateway to let in an agent of the kit; came ${statusText(end)}; ${agentAdvice(setup)}`,
  };
}

/** The advice on credentials of agents that a gateway refused. */
function agentAdvice({ statement, place }: ProbeSetup): string {
  const {
    ssh_key_file,
    jwt_secret_env,
    principal = 'wireproof',
    auto_register,
  } = gatewayStatement(statement)?.auth ?? {};
  if (ssh_key_file !== undefined)
    return `approve the key of auth.ssh_key_file (${ssh_key_file}) at the gateway, or state another key`;
  if (jwt_secret_env !== undefined)
    return `auth.jwt_secret_env (${jwt_secret_env}) has to hold the gateway's secret, and the principal ${JSON.stringify(principal)} has to be approved there`;
  if (auto_register === 'approved')
    return 'auth.auto_register: approved says that the gateway lets in unknown keys; give auth.ssh_key_file of an approved one instead';
  if (place.token !== undefined) return 'give a token that the gateway accepts in target.token_env';
  return 'state the credentials of agents: auth.jwt_secret_env or auth.ssh_key_file';
}

/** The operator's face, in words. */
function faceOf({ driver, place, statement }: ProbeSetup): string {
  if (driver === 'http') return `the HTTP face ${statement?.operator?.url ?? place.url}`;
  if (driver === 'command')
    return `the command ${JSON.stringify(gatewayStatement(statement)?.operator?.commands?.['send']?.[0] ?? '')}`;
  return `ClientService at ${addressText(place)}`;
}

/** The advice on an operator's face that does not answer, or does not belong to the gateway. */
function faceAdvice(setup: ProbeSetup): string {
  const { driver, statement } = setup;
  if (driver === 'http' && statement?.operator?.url === undefined)
    return 'let the gateway serve its HTTP face on {http_port}, or state operator.url';
  if (driver === 'http') return `operator.url has to be the HTTP face of the gateway at ${addressOf(setup)}`;
  if (driver === 'command') return 'see that operator.commands.send works by hand';
  return 'see wireproof explain operator for other ways to send';
}

/** The advice on a send that the gateway does not take. */
const sendAdvice =
  'the kit sends {agent_id, sender, content}: let the gateway take that (spec/fold/README.md, "The operator"), or send by command';

/** The reason why the operator's message did not reach the agent. */
function operatorFinding(events: readonly TraceEvent[], setup: ProbeSetup): ProbeFinding {
  const { driver, statement, patience } = setup;
  const end = endOf(events, 'operator');
  const sent = `the operator's message by ${faceOf(setup)}`;
  if (end === undefined || end.code === 0)
    return {
      is: 'wrong',
      why: `expected ${sent} at an agent of the kit; came ${lastReply(events)}; ${faceAdvice(setup)}`,
    };
  const came = statusText(end);
  if (end.code === unimplemented) {
    const { url, paths } = gatewayStatement(statement)?.operator ?? {};
    if (driver === 'http' && (url !== undefined || paths?.['send'] !== undefined))
      return {
        is: 'wrong',
        why: `expected a send at ${faceOf(setup)}; came ${came}; correct operator.url and operator.paths`,
      };
    const note = `no operator: ${end.message}; requirements that need one are untestable (wireproof explain operator)`;
    return { is: 'usable', ...(driver === 'none' ? {} : { note }) };
  }
  if (end.code !== undefined && credentialCodes.includes(end.code))
    return {
      is: 'wrong',
      why: `expected ${faceOf(setup)} to accept the operator's credential; came ${came}; ${credentialAdvice(setup)}`,
    };
  const may = end.code === undefined || earlyCodes.includes(end.code) || driver === 'command';
  return {
    is: may ? 'not-yet' : 'wrong',
    why: `expected ${sent} to be accepted${may ? ` within ${patience} ms (--timeout handshake)` : ''}; came ${came}; ${may ? faceAdvice(setup) : sendAdvice}`,
  };
}

/** The advice on the credential of an operator that a gateway refused. */
function credentialAdvice({ driver, statement, place }: ProbeSetup): string {
  if (driver === 'command') return 'give operator.commands the credential of an operator';
  const { token_env } = statement?.operator ?? {};
  if (token_env === undefined && place.token === undefined)
    return "state operator.token_env: the environment variable with an operator's bearer token; without an operator: --operator none";
  return `the token of ${token_env === undefined ? 'target.token_env' : `operator.token_env (${token_env})`} has to be an operator's`;
}

/** The last reply that the operator received, in words. */
function lastReply(events: readonly TraceEvent[]): string {
  const reply = events.findLast((e) => e.from === 'target' && e.to === 'operator' && e.kind === 'message');
  return reply === undefined ? 'nothing' : `only ${JSON.stringify(reply.data).slice(0, 200)}`;
}

/** The probe of a gateway's set-up. */
export const gatewayProbe: TargetProbe = {
  scenario: 'gateway-operator-probe',
  finding(events, setup) {
    const arrived = messageAt(events, 'send_message');
    const end = endOf(events, 'operator');
    const refused = end !== undefined && end.code !== 0 && end.at < arrived;
    if (arrived >= 0 && !refused) return { is: 'usable' };
    if (messageAt(events, 'welcome') < 0) return agentFinding(endOf(events, 'agent'), setup);
    return operatorFinding(events, setup);
  },
};
