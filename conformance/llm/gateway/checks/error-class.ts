/** The class of a provider's error, by its status and its type: LLM-G30. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import type { GatewayDialect } from '../../../../src/llm/gateway/index.ts';
import { broken, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { errorClass, isErrorWord } from '../tables.ts';
import type { Answered } from './answered.ts';

/** The type and the code of an error, as they stand in a body. */
function wordsIn(body: Json | undefined): readonly string[] {
  const error = isObject(body) ? body['error'] : undefined;
  if (!isObject(error)) return [];
  return [error['code'], error['type']].filter((word) => typeof word === 'string');
}

/** The word that names the kind of an error in a dialect; undefined: it has none. */
function typeIn(dialect: GatewayDialect, body: Json | undefined): string | undefined {
  const error = isObject(body) ? body['error'] : undefined;
  if (dialect === 'ollama' || !isObject(error)) return undefined;
  const type = error['type'];
  return typeof type === 'string' ? type : undefined;
}

/** LLM-G30: the status is one of the table, and the type does not name another class. */
export function errorClassFacts({ above, below }: Answered): readonly GatewayFact[] {
  const sent = below.sent.status;
  const due = errorClass(sent, wordsIn(below.sent.body));
  if (due === undefined) return [];
  const { status } = above.heard;
  if (!due.undecided && !due.statuses.includes(status))
    return [
      broken(
        'LLM-G30',
        `expected a status ${due.statuses.join(' or ')} for the provider's ${sent}; came ${status}`,
      ),
    ];
  const type = typeIn(above.dialect, above.heard.body);
  const own = due.types(above.dialect);
  if (type === undefined || own.includes(type) || !isErrorWord(above.dialect, type)) return [kept('LLM-G30')];
  return [
    broken(
      'LLM-G30',
      `expected a type such as ${own.join(' or ')} for the provider's ${sent}; came ${quoted(type)}`,
    ),
  ];
}
