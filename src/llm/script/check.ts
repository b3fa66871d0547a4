/** Turns a document into a script, or refuses it with the reason and its place. */
import { ok, pathOf, refuse, schemaRefusal } from '../../kit/base/index.ts';
import type { Result, Violation } from '../../kit/base/index.ts';
import { script as validator } from '../generated/validators.ts';
import { scriptOf } from './document.ts';
import type { ScriptDocument } from './document.ts';
import { contentFaults, orderFaults, refusal } from './faults.ts';
import type { ScriptFault } from './faults.ts';
import type { Script } from './script.ts';

/**
 * Checks the document of a script: its shape by spec/llm/script.schema.json, then everything that a schema cannot
 * express. Takes any value; refuses with the first fault, its path and the expectation.
 *
 * @example
 * checkScript({ turns: [{ steps: [{ text: 'Hello' }] }] }).ok; // true
 * const bad = checkScript({ turns: [{ steps: [{ txt: 'Hello' }] }] });
 * bad.ok ? '' : bad.error.path; // 'turns[0].steps[0]'
 */
export function checkScript(value: unknown): Result<Script, Violation> {
  const refused = schemaRefusal(validator, value);
  if (refused === undefined) return checkDocument(value as ScriptDocument);
  const { fault, expected, came } = refused;
  return refuse(refusal(codes[fault.keyword] ?? 'bad-shape', pathOf(fault.instancePath), expected, came));
}

/** Checks a document that fits the schema for everything that a schema cannot express. */
export function checkDocument(document: ScriptDocument): Result<Script, Violation> {
  for (const fault of contentFaults(document)) return refuse(fault);
  const script = scriptOf(document);
  for (const fault of orderFaults(script)) return refuse(fault);
  return ok(script);
}

/** The kind of fault that a keyword of the schema finds, where it is not `bad-shape`. */
const codes: { readonly [keyword: string]: ScriptFault } = {
  enum: 'bad-value',
  maxItems: 'too-large',
  maximum: 'bad-value',
  minimum: 'bad-value',
  pattern: 'bad-text',
};
