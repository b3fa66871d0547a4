/** Mutants that place injections wrongly: AGENT-06 to AGENT-08, and FOLD-A42. */
import { allFaults, member, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { LlmRequest } from '../../../../src/llm/index.ts';
import type { AgentFault } from '../target.ts';
import { onResponse } from './mutant.ts';
import type { MutantFault, WholeAgentFaults } from './mutant.ts';

/** Notes the contents of injections. */
const notes = (injected: Set<string>): AgentFault =>
  onReceive(
    member('inject_context', ({ content }) => {
      if (content !== undefined) injected.add(content);
    }),
  );

/** A fault in model requests that knows the contents of all injections so far. */
function knowing(edit: (request: LlmRequest, injected: ReadonlySet<string>) => LlmRequest): MutantFault {
  const injected = new Set<string>();
  return {
    parts: { request: (request) => edit(request, injected) },
    fault: notes(injected),
  };
}

/** Changes the contents of the user's messages. */
const editUser = (request: LlmRequest, edit: (content: string) => string): LlmRequest => ({
  ...request,
  messages: request.messages.map((message) =>
    message.role === 'user' ? { ...message, content: edit(message.content) } : message,
  ),
});

const saysTwice = (): MutantFault =>
  knowing((request, injected) =>
    editUser(request, (content) =>
      [...injected].reduce((text, one) => text.replaceAll(one, `${one} ${one}`), content),
    ),
  );

function forgets(): MutantFault {
  /** Injections that have stood in a model request. */
  const stood = new Set<string>();
  return knowing((request, injected) => {
    const had = [...stood];
    for (const one of injected)
      if (request.messages.some(({ content }) => content.includes(one))) stood.add(one);
    return editUser(request, (content) => had.reduce((text, one) => text.replaceAll(one, '…'), content));
  });
}

/** Forgets the injections that the model was not told of when a request fails. */
function loses(): MutantFault {
  const [injected, lost] = [new Set<string>(), new Set<string>()];
  return {
    parts: {
      request(request) {
        const told = editUser(request, (content) =>
          [...lost].reduce((text, one) => text.replaceAll(one, '…'), content),
        );
        for (const one of injected)
          if (told.messages.some(({ content }) => content.includes(one))) injected.delete(one);
        return told;
      },
    },
    fault: allFaults(
      notes(injected),
      onResponse(({ error }) => {
        if (error !== undefined) for (const one of injected) lost.add(one);
      }),
    ),
  };
}

const refuses = (): AgentFault =>
  onSend(
    member('injection_ack', (ack) =>
      ack.accepted === true ? [{ ...ack, accepted: false, reason: 'busy' }] : undefined,
    ),
  );

export const injectionFaults: WholeAgentFaults = {
  'says-injections-twice': saysTwice,
  'forgets-injections': forgets,
  'refuses-and-takes': () => ({ fault: refuses() }),
  'deferred-at-once': () => ({ parts: { takes: ({ oldest }) => oldest } }),
  'normal-later': () => ({
    parts: {
      takes: ({ priority, oldest, first, owner }) =>
        owner === 'none' || priority === 'INJECTION_PRIORITY_IMMEDIATE' ? oldest : owner === 'over' && first,
    },
  }),
  'loses-injections': loses,
  'garbles-injections': () =>
    knowing((request, injected) =>
      editUser(request, (content) =>
        [...injected].reduce(
          (text, one) => text.replaceAll(one, one.replaceAll(/[^\0-\x7f]/g, '?')),
          content,
        ),
      ),
    ),
};
