/** Reads an implementer's statement (`wireproof.yaml`): of one target, or of several by name. */
import { dirname, resolve } from 'node:path';
import { WireproofError, isObject } from '../base/index.ts';
import type { Json } from '../base/index.ts';
import { checkDocument, readDocument } from './document.ts';
import { statement as validator } from './generated/validators.ts';

/** A known failure of the target. */
export interface ExpectedFailure {
  readonly id: string;
  readonly reason: string;
  readonly issue?: string;
  /** After this day (YYYY-MM-DD) the failure counts again. */
  readonly expires?: string;
  /** Only a failure whose message contains this is expected. */
  readonly message?: string;
  /** A deviation of a profile: it is not stale when it does not show. */
  readonly known?: true;
}

/** A tool of the agent under test. */
export interface StatedTool {
  readonly name: string;
  /** The input with which it is called. */
  readonly input?: Json;
  /** A text that the result of such a call contains. It shows that the tool ran. */
  readonly shows?: string;
  /** A file that such a call makes. It shows that the tool ran. */
  readonly makes?: string;
}

/** The window of an agent's model, and the part of it that the agent keeps free for the answer (tokens). */
export interface StatedModel {
  readonly window: number;
  readonly max_tokens?: number;
}

/** How the kit plays the operator of a target that listens. Each protocol reads more members of its own. */
export interface StatedOperator {
  /** One of the suite's drivers. */
  readonly driver?: string;
  readonly url?: string;
  /** The environment variable with a bearer token. */
  readonly token_env?: string;
  readonly [member: string]: unknown;
}

/** Credentials by the names of a protocol. A member whose name ends in `_file` names a file. */
export interface StatedAuth {
  readonly [member: string]: string;
}

/** One way through a target that asks others: who asks it, and whom it asks. */
export interface StatedRoute {
  readonly client: string;
  readonly provider: string;
  /** The model that clients ask for to get this route. */
  readonly model?: string;
  /** The start of its paths, such as `/anthropic`. */
  readonly base?: string;
  /** Further header fields of its requests. */
  readonly headers?: { readonly [name: string]: string };
}

/** What a target that asks others does on purpose, though its requirements say otherwise. */
export interface StatedClaims {
  /** What it holds until it is whole. */
  readonly buffers?: readonly ('all' | 'tool_arguments')[];
  /** How often it asks again after a failure. */
  readonly retries?: number;
  /** Whether it asks a second server when the first one cannot answer. */
  readonly fallback?: boolean;
  /** Whether it asks for the rest of an answer that broke off. */
  readonly continues?: boolean;
  /** For how long (a time in words) its own request goes on after the client has left. */
  readonly on_leave?: { readonly drain: string };
  /** Whether the client's key goes further. */
  readonly credentials?: 'forwarded';
  readonly thinking?: 'inline';
  /** Whether it answers without asking. */
  readonly cache?: boolean;
  readonly system?: 'hoist';
  /** What it adds to requests. */
  readonly adds?: readonly ('max_tokens' | 'cache_control')[];
}

/** The claims of an implementer, and how the target is reached. */
export interface Statement {
  readonly suite: string;
  /** The folder of its file. Its commands run there. Absent: the folder of this process. */
  readonly folder?: string;
  readonly target?: {
    readonly command?: readonly string[];
    readonly listen?: string;
    readonly connect?: string;
    /** A file with certificates to trust (PEM). */
    readonly ca?: string;
    /** The environment variable with a bearer token for what is dialled. */
    readonly token_env?: string;
    /** Where servers of the kit listen (host:port), by their variables, such as `llm_url`. */
    readonly serve?: { readonly [variable: string]: string };
  };
  readonly drive?: string;
  readonly features?: readonly string[];
  readonly service?: string;
  readonly carrier?: 'tcp' | 'stdio' | 'ws' | 'http';
  readonly profile?: string;
  /** The agent's own tools by meaning, such as `slow`; a text is the name alone. */
  readonly tools?: { readonly [meaning: string]: string | StatedTool };
  /** The model as the agent is set up for it, in tokens. */
  readonly model?: StatedModel;
  readonly operator?: StatedOperator;
  /** The credentials that the target demands of its peers. Each protocol reads its own members. */
  readonly auth?: StatedAuth;
  /** The ways through a target that asks others. */
  readonly routes?: readonly StatedRoute[];
  /** What a target that asks others does on purpose. */
  readonly claims?: StatedClaims;
  /** How many processes of the target may run at the same time. */
  readonly parallel?: number;
  /** Whether something else starts the target again when its process ends. */
  readonly supervised?: boolean;
  /** Times in words. */
  readonly timeouts?: { readonly [name: string]: string };
  readonly expected_failures?: readonly ExpectedFailure[];
  readonly env?: { readonly [name: string]: string };
}

/** The way to a target. In a list of targets, it may be next to the other keys. */
type Way = NonNullable<Statement['target']>;

type WrittenStatement = Omit<Statement, 'folder'> & Way;

/** A statement, and its name in a file with several targets. */
export interface NamedStatement {
  readonly name: string | undefined;
  readonly statement: Statement;
  /** The file, line and column of the part at a JSON pointer into the statement. */
  at(pointer: string): string;
}

type StatementFile = WrittenStatement & { readonly targets?: { readonly [name: string]: WrittenStatement } };

/**
 * Reads the statement of a file with one target.
 *
 * @throws WireproofError 'usage' with file, line and column, or the names of the targets when there are several
 */
export function readStatement(file: string): Statement {
  const [first, ...more] = readStatements(file);
  if (first === undefined || more.length > 0)
    throw new WireproofError(
      'usage',
      `${file}: expected a statement of one target; came ${[first, ...more].map((one) => one?.name).join(', ')}`,
    );
  return first.statement;
}

/**
 * Reads the statements of a file: one, or one for each of its targets. Paths in them are made absolute.
 *
 * @throws WireproofError 'usage' with file, line and column
 */
export function readStatements(file: string): readonly NamedStatement[] {
  const read = readDocument<StatementFile>(file, validator, 'statement');
  const folder = dirname(resolve(file));
  const { targets, ...one } = read.value;
  const at = (pointer: string): string => `${file}:${read.at(pointer)}`;
  if (targets === undefined) return [{ name: undefined, statement: located(one, folder), at }];
  const [other] = Object.keys(one);
  if (other !== undefined)
    throw new WireproofError(
      'usage',
      `${at(`/${other}`)}: not a statement: beside targets, expected no other key; came ${other}: write it into each target that needs it`,
    );
  return Object.entries(targets).map(([name, written]) => {
    const statement = withTarget(written, () => `${at(`/targets/${name}`)}: targets.${name}`);
    return {
      name,
      statement: located(statement, folder),
      at: (pointer) => at(`/targets/${name}${pointer}`),
    };
  });
}

/**
 * Checks a statement that a program made: of one target. Paths in it are made absolute when it names its folder.
 *
 * @param name - its name in refusals
 * @throws WireproofError 'usage' when it is no statement
 */
export function statementOfValue(value: Statement, name: string): Statement {
  if (!isObject(value)) throw new WireproofError('usage', `${name}: expected an object`);
  const { folder, ...written } = value;
  const text = JSON.stringify(written, null, 2);
  const { targets, ...one } = checkDocument<StatementFile>(text, name, validator, 'statement').value;
  if (targets !== undefined) throw new WireproofError('usage', `${name}: expected a statement of one target`);
  return folder === undefined ? one : located(one, folder);
}

/** The keys of the way to a target. */
const ways = ['command', 'listen', 'connect'] as const;

/** A statement whose way to the target is under `target`. `where` looks for the place of a refusal. */
function withTarget(
  { command, listen, connect, ca, token_env, serve, ...rest }: WrittenStatement,
  where: () => string,
): Statement {
  const way: Way = {
    ...(command === undefined ? {} : { command }),
    ...(listen === undefined ? {} : { listen }),
    ...(connect === undefined ? {} : { connect }),
    ...(ca === undefined ? {} : { ca }),
    ...(token_env === undefined ? {} : { token_env }),
    ...(serve === undefined ? {} : { serve }),
  };
  const given = Object.keys(way);
  if (given.length === 0) return rest;
  const refuse = (expected: string): WireproofError =>
    new WireproofError('usage', `${where()}: expected ${expected}; came ${given.join(', ')}`);
  if (rest.target !== undefined) throw refuse('no way to the target beside target');
  if (ways.filter((key) => way[key] !== undefined).length !== 1)
    throw refuse(`exactly one of ${ways.join(', ')}`);
  if ((ca ?? token_env) !== undefined && connect === undefined)
    throw refuse('connect beside ca and token_env');
  return { ...rest, target: way };
}

/** A statement with its folder, and with the paths of its files made absolute. */
function located({ target, auth, ...rest }: WrittenStatement, folder: string): Statement {
  const path = (file: string): string => resolve(folder, file);
  const absolute = Object.entries(auth ?? {}).map(([key, value]): [string, string] => [
    key,
    key.endsWith('_file') ? path(value) : value,
  ]);
  return {
    ...rest,
    folder,
    ...(target === undefined
      ? {}
      : { target: target.ca === undefined ? target : { ...target, ca: path(target.ca) } }),
    ...(auth === undefined ? {} : { auth: Object.fromEntries(absolute) }),
  };
}
