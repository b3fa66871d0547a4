/**
 * Fold: the control stream between an agent and its gateway, over gRPC (published as Coven).
 *
 * Messages are their protobuf JSON mapping with the schema's own field names; codecs turn them into bytes and
 * back without throwing; the machine says what a stream's messages add up to; the roles play an agent or a
 * gateway as pure functions that any host can run. spec/fold/README.md is the protocol in a page.
 *
 * @example
 * import { agentCodec } from 'wireproof/fold';
 *
 * const bytes = agentCodec.encode({ response: { request_id: 'r1', text: 'hello' } });
 * const decoded = agentCodec.decode(bytes);
 * if (decoded.ok) console.log(decoded.value.message); // { response: { request_id: 'r1', text: 'hello' } }
 */
export { agent, defaultAgentOptions } from './agent/agent.ts';
export type { AgentOptions, AgentRole, AgentState } from './agent/agent.ts';
export { agentCodec, serverCodec } from './codec.ts';
export { directive, parseDirective, stepNames, usageCounts } from './directive.ts';
export type { Step, ToolStep, UsageStep } from './directive.ts';
export { scriptedAgent, scriptedRegister } from './simulated/agent.ts';
export type { ScriptedAgentOptions, ScriptedAgentRole, ScriptedAgentState } from './simulated/agent.ts';
export { scriptedGateway } from './simulated/gateway.ts';
export type {
  Refusal,
  ScriptedGatewayCommand,
  ScriptedGatewayOptions,
  ScriptedGatewayRole,
  ScriptedGatewayState,
} from './simulated/gateway.ts';
export {
  operatorCallCodec,
  operatorPath,
  operatorReplyCodec,
  operatorTerminals,
  operatorVerbs,
} from './operator.ts';
export type {
  AgentListing,
  OperatorAnswers,
  OperatorCalls,
  OperatorEventName,
  OperatorEvents,
  OperatorReply,
  OperatorRequest,
  OperatorVerb,
  RequestUsage,
  UsageStats,
} from './operator.ts';
export { scriptedOperator } from './simulated/operator.ts';
export type { ScriptedOperatorRole, ScriptedOperatorState } from './simulated/operator.ts';
export { scriptedPack } from './simulated/pack.ts';
export type { ScriptedPackOptions, ScriptedPackRole, ScriptedPackState } from './simulated/pack.ts';
export { observeAgent, observeEnd, observeGateway, remembered, sessionMachine } from './machine/machine.ts';
export type { Injection, Moment, Request, Session, SessionInput, Tool } from './machine/machine.ts';
export {
  AgentMessage_payloadNames,
  InjectionPriorityNames,
  MessageResponse_eventNames,
  ServerMessage_payloadNames,
  ToolStateNames,
  eventOf,
  finalStates,
  protocolFeatures,
  terminalEvents,
} from './messages.ts';
export type {
  AgentMessage,
  CancelRequest,
  EventName,
  ExecutePackTool,
  InjectContext,
  InjectionPriority,
  MessageResponse,
  PackToolResult,
  RegisterAgent,
  RegistrationError,
  SendMessage,
  ServerMessage,
  TokenUsage,
  ToolApprovalResponse,
  ToolState,
  ToolUse,
  Welcome,
} from './messages.ts';
export { agentPaths, packRegisterPath, packResultPath, wireOf } from './stream-codecs.ts';
export type {
  GatewayIn,
  GatewayOut,
  PackMessage,
  PackOrder,
  StreamCodecs,
  WireKind,
} from './stream-codecs.ts';
export { defaultGatewayOptions, gateway, gatewayLimits } from './gateway/gateway.ts';
export type {
  GatewayAuth,
  GatewayCommand,
  GatewayOptions,
  GatewayRole,
  GatewayState,
  GatewayTimeouts,
  PrincipalStatus,
} from './gateway/gateway.ts';
export { memoryLedger } from './gateway/ledger.ts';
export type { Ledger, LedgerEffect, UsageEntry } from './gateway/ledger.ts';
export { gatewayCodecs, ledgerEffects } from './gateway/host.ts';
export type { GatewayCodecs } from './gateway/host.ts';
export type {
  ActiveRequest,
  AgentLink,
  Approval,
  Link,
  OperatorLink,
  PackCall,
  PackLink,
  PackTool,
  Question,
  ResultLink,
  SendCall,
} from './gateway/gateway.ts';
export { encodeUnknownFields } from './unknown-field.ts';
