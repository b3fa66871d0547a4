/** Reads an implementer's statement (`wireproof.yaml`). */
import { WireproofError } from '../base/index.ts';
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

/** The claims of an implementer, and how the target is reached. */
export interface Statement {
  readonly suite: string;
  readonly target?: {
    readonly command?: readonly string[];
    readonly listen?: string;
    readonly connect?: string;
    /** A file with certificates to trust (PEM). */
    readonly ca?: string;
    /** The environment variable with a bearer token for what is dialled. */
    readonly token_env?: string;
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
  readonly operator?: {
    readonly driver?: string;
    readonly url?: string;
    readonly token_env?: string;
    /** The model that a model server is asked for. */
    readonly model?: string;
    /** Paths of the HTTP face that differ from the published ones, by call. */
    readonly paths?: { readonly [verb: string]: string };
    /** An argv by call. Beside another driver, these calls are made by command. */
    readonly commands?: { readonly [verb: string]: readonly string[] };
  };
  readonly auth?: {
    readonly jwt_secret_env?: string;
    readonly ssh_key_file?: string;
    readonly principal?: string;
    readonly revoked_principal?: string;
    /** The private key file of a principal that the gateway has revoked. */
    readonly revoked_ssh_key_file?: string;
    /** The private key file of a principal that waits for approval. */
    readonly pending_ssh_key_file?: string;
    /** How the gateway treats an SSH key that it does not know. */
    readonly auto_register?: 'approved' | 'pending';
  };
  /** How many processes of the target may run at the same time. */
  readonly parallel?: number;
  /** Whether something else starts the target again when its process ends. */
  readonly supervised?: boolean;
  /** Times in words. */
  readonly timeouts?: { readonly [name: string]: string };
  readonly expected_failures?: readonly ExpectedFailure[];
  readonly env?: { readonly [name: string]: string };
}

/** Reads a statement. @throws WireproofError 'usage' with file, line and column */
export const readStatement = (file: string): Statement =>
  readDocument<Statement>(file, validator, 'statement').value;

/**
 * Checks a statement that a program made.
 *
 * @param name - its name in refusals
 * @throws WireproofError 'usage' when it is no statement
 */
export function statementOfValue(value: Statement, name: string): Statement {
  const text = JSON.stringify(value, null, 2) as string | undefined;
  if (text === undefined) throw new WireproofError('usage', `${name}: expected an object`);
  return checkDocument<Statement>(text, name, validator, 'statement').value;
}
