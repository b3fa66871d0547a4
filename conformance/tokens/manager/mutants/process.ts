/** Testees that remember what concerns one request only. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { onRequest, json, listAt, objectAt, textAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';
import { removeWarnings } from './turn-mutant.ts';

const handle = 'tokens.handle_response';

/** The option of a request holds until another request has it. */
function keepsOptions(): AnswerFault {
  let options: JsonObject = {};
  return onRequest(handle, (request) => {
    options = { ...options, ...objectAt(request, 'options') };
    return { options };
  });
}

/** The first schema of a name stays. */
function keepsSchemas(): AnswerFault {
  const tools = new Map<string, JsonObject>();
  return onRequest(handle, (request) => ({
    tools: json(
      listAt(request, 'tools').map((tool) => {
        const first = tools.get(textAt(tool, 'name')) ?? tool;
        tools.set(textAt(tool, 'name'), first);
        return first;
      }),
    ),
  }));
}

/** After a turn whose attempts ran out, no request is tried again. */
function countsOn(): AnswerFault {
  let left = 10;
  return onRequest('tokens.turn', (request) => {
    const provider = listAt(request, 'provider');
    const exhausted = left <= 0;
    const failures = provider.filter((answer) => 'error' in answer).length;
    left = failures === provider.length ? 10 - failures : 10;
    return exhausted ? { provider: json(provider.map(fatal)) } : undefined;
  });
}

const fatal = (answer: JsonObject): JsonObject =>
  'error' in answer ? { error: { kind: 'http', status: 400 } } : answer;

/** It warns near the limit once in its life. */
function warnsOnce(): AnswerFault {
  const silent = removeWarnings('near-limit');
  let warned = false;
  return (request) => {
    const usages = listAt(request, 'provider').some((answer) => 'usage' in objectAt(answer, 'response'));
    if (request['op'] !== 'tokens.turn' || !usages) return undefined;
    const before = warned;
    warned = true;
    return before ? silent(request) : undefined;
  };
}

/** The mutants with a memory. */
export const processFaults: ManagerFaults = {
  'keeps-options': { ofRun: keepsOptions },
  'keeps-schemas': { ofRun: keepsSchemas },
  'counts-attempts-on': { ofRun: countsOn },
  'warns-once': { ofRun: warnsOnce },
};
