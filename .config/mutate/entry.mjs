// The parts of the kit that judge, and its suites. rolldown bundles them with the instrumented rules.
export { unchanging } from '../../conformance/sessions/alike.test-helper.ts';
export { edited } from '../../conformance/sessions/edits.test-helper.ts';
export { sessionsOf } from '../../conformance/sessions.test-helper.ts';
export { registry } from '../../bin/registry.ts';
export { Judge } from '../../src/kit/judge/index.ts';
export { unmetNeed } from '../../src/kit/scenario/index.ts';
export { scenariosOf, silentTarget, simulate, suiteRows } from '../../src/kit/suite/index.ts';
