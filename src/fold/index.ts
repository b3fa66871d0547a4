/**
 * Fold: the control stream between an agent and its gateway, over gRPC (published as Coven).
 *
 * Messages are their protobuf JSON mapping with the schema's own field names. Codecs turn them into bytes and back,
 * without exceptions. The machine keeps the state of one stream and finds violations. The roles play an agent or a
 * gateway as pure functions that any host can run. spec/fold/README.md describes the protocol.
 *
 * @example
 * import { agentCodec } from 'wireproof/fold';
 *
 * const bytes = agentCodec.encode({ response: { request_id: 'r1', text: 'hello' } });
 * const decoded = agentCodec.decode(bytes);
 * if (decoded.ok) console.log(decoded.value.message); // { response: { request_id: 'r1', text: 'hello' } }
 */
export { answerScript } from './generated/validators.ts';
export type { ScriptedAnswer } from './directive.ts';
export { agent, defaultAgentOptions } from './agent/agent.ts';
export type { AgentOptions, AgentRole, AgentState } from './agent/agent.ts';
export { settleShell, stepShell } from './agent/shell.ts';
export type { AgentWorker } from './agent/shell.ts';
export { ShellOutputs, doneOf, newShellState } from './agent/shell-state.ts';
export type { ShellOptions, ShellRequest, ShellState, Terminal } from './agent/shell-state.ts';
export { agentCodec, codecOf, messageNames, serverCodec } from './codec.ts';
export type { MessageName, MessageOf } from './codec.ts';
export { directive, parseDirective, stepNames } from './directive.ts';
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
export { controlServices, servicePath } from './services.ts';
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
  foldSecrets,
  protocolFeatures,
  terminalEvents,
  usageCounts,
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
export { agentPaths, gatewayCodecs, packRegisterPath, packResultPath, wireOf } from './stream-codecs.ts';
export type {
  GatewayIn,
  GatewayOut,
  PackMessage,
  PackOrder,
  StreamCodecs,
  WireKind,
} from './stream-codecs.ts';
export { gateway } from './gateway/gateway.ts';
export { defaultGatewayOptions, gatewayLimits } from './gateway/options.ts';
export type { GatewayCommand, GatewayRole } from './gateway/gateway.ts';
export type { GatewayAuth, GatewayOptions, GatewayTimeouts, PrincipalStatus } from './gateway/options.ts';
export type {
  ActiveRequest,
  AgentLink,
  Approval,
  GatewayState,
  Link,
  OperatorLink,
  PackCall,
  PackLink,
  PackTool,
  Question,
  ResultLink,
  SendCall,
} from './gateway/state.ts';
export { ledgerEffects, memoryLedger } from './gateway/ledger.ts';
export type { Ledger, LedgerEffect, UsageEntry } from './gateway/ledger.ts';
export { encodeUnknownFields } from './unknown-field.ts';
