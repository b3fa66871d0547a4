/** Clients that tell requests apart by something else than the text of their ids, or want certain ids, tools or args. */
import { editIncoming, editOutgoing } from '../../../../src/kit/suite/index.ts';
import { isObject } from '../../../../src/kit/base/index.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import { asLatin1 } from '../../shared/mutants/spellings.ts';
import type { ClientFaults } from './mutant.ts';

/** Writes the ids of its approvals in another way. */
const respells = (spell: (id: string) => string): ClientFault =>
  editOutgoing((command) => [
    command.type === 'approval_response' ? { ...command, id: spell(command.id) } : command,
  ]);

/** Ignores the approvals whose id it does not take. */
const takesOnly = (takes: (id: string) => boolean): ClientFault =>
  editIncoming((event) => (event.type === 'approval_request' && !takes(event.id) ? [] : [event]));

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
  return editIncoming((event) => {
    if (event.type !== 'approval_request') return [event];
    const key = JSON.stringify([event.tool_name, event.detail]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew ? [event] : [];
  });
};

/** Ignores the approvals of tools that it does not know. */
const knowsTools = (): ClientFault =>
  editIncoming((event) =>
    event.type === 'approval_request' && !['Bash', 'Edit', 'Write', 'Delete'].includes(event.tool_name)
      ? []
      : [event],
  );

/** Ignores the approval that follows a call whose args are no object. */
const needsObjects = (): ClientFault => {
  let fails = false;
  return editIncoming((event) => {
    if (event.type === 'tool_call_start') fails = !isObject(event.args);
    return event.type === 'approval_request' && fails ? [] : [event];
  });
};

/** The mutants of this theme. */
export const idFaults: ClientFaults = {
  'lower-case-ids': () => respells((id) => id.toLowerCase()),
  'short-ids': () => respells((id) => id.slice(0, 36)),
  'latin-1-ids': () => respells(asLatin1),
  'needs-uuids': () => takesOnly((id) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)),
  'folds-case': foldsCase,
  'needs-object-args': needsObjects,
  'approves-once': approvesOnce,
  'knows-tools': knowsTools,
};
