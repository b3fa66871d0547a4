/** Reference roles that are wrong in one named way each. */
export { orchestratorMutants } from './orchestrator.ts';
export { subagentMutants } from './subagent.ts';
