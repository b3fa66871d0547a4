/** Clients that tell requests apart by something else than the text of their ids, or want certain ids, tools or args. */
import { editIncoming, editOutgoing } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { isObject } from '../../../../src/kit/base/index.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import { asLatin1 } from '../../shared/mutants/spellings.ts';
import { mutant } from './mutant.ts';

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
export const idFaults: readonly Mutant[] = [
  mutant('KODA-55', 'lower-case-ids', 'It writes ids in lower case.', () =>
    respells((id) => id.toLowerCase()),
  ),
  mutant('KODA-55', 'short-ids', 'It cuts ids to the length of a UUID.', () =>
    respells((id) => id.slice(0, 36)),
  ),
  mutant('KODA-55', 'latin-1-ids', 'It reads the UTF-8 of its events as Latin-1.', () => respells(asLatin1)),
  mutant('KODA-55', 'needs-uuids', 'It ignores an approval whose id is no UUID.', () =>
    takesOnly((id) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)),
  ),
  mutant('KODA-55', 'folds-case', 'It takes two ids for one that differ in case alone.', foldsCase),
  mutant(
    'KODA-55',
    'needs-object-args',
    'It ignores an approval whose call has no object as args.',
    needsObjects,
  ),
  mutant('KODA-55', 'approves-once', 'It takes two approvals of one tool and detail for one.', approvesOnce),
  mutant('KODA-55', 'knows-tools', 'It ignores an approval of a tool that it does not know.', knowsTools),
];
