/** Clients that tell requests apart by something else than the text of their ids, or want certain ids, tools or args. */
import { onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import { isObject } from '../../../../src/kit/base/index.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import { asLatin1 } from '../../shared/mutants/spellings.ts';
import type { ClientFaults } from './mutant.ts';

/** Writes the ids of its approvals in another way. */
const respells = (spell: (id: string) => string): ClientFault =>
  onSend('approval_response', (command) => [{ ...command, id: spell(command.id) }]);

/** Ignores the approvals whose id it does not take. */
const takesOnly = (takes: (id: string) => boolean): ClientFault =>
  onReceive('approval_request', ({ id }) => (takes(id) ? undefined : []));

/** Takes two ids for one that differ in case alone. */
const foldsCase = (): ClientFault => {
  const seen = new Set<string>();
  return takesOnly((id) => {
    const isNew = !seen.has(id.toLowerCase());
    seen.add(id.toLowerCase());
    return isNew;
  });
};

/** Takes two approvals of one tool with one detail for one. */
const approvesOnce = (): ClientFault => {
  const seen = new Set<string>();
  return onReceive('approval_request', ({ tool_name, detail }) => {
    const key = JSON.stringify([tool_name, detail]);
    const again = seen.has(key);
    seen.add(key);
    return again ? [] : undefined;
  });
};

const knownTools = ['Bash', 'Edit', 'Write', 'Delete'];

/** Ignores the approval that follows a call whose args are no object. */
const needsObjects = (): ClientFault => {
  let fails = false;
  return onReceive(['tool_call_start', 'approval_request'], (event) => {
    if (event.type === 'approval_request') return fails ? [] : undefined;
    fails = !isObject(event.args);
    return;
  });
};

export const idFaults: ClientFaults = {
  'lower-case-ids': () => respells((id) => id.toLowerCase()),
  'short-ids': () => respells((id) => id.slice(0, 36)),
  'latin-1-ids': () => respells(asLatin1),
  'needs-uuids': () => takesOnly((id) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)),
  'folds-case': foldsCase,
  'needs-object-args': needsObjects,
  'approves-once': approvesOnce,
  'knows-tools': () =>
    onReceive('approval_request', ({ tool_name }) => (knownTools.includes(tool_name) ? undefined : [])),
};
