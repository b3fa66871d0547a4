/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether a value is an object that is neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): value is Record<string, unknown>;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an array. `Array.isArray` does not narrow JSON, whose arrays are readonly. */
export function isArray(value: Json | undefined): value is readonly Json[];
export function isArray(value: unknown): value is readonly unknown[];
export function isArray(value: unknown): boolean {
  return Array.isArray(value);
}

/** Parses JSON. @throws SyntaxError */
export const jsonOf = (text: string): Json => JSON.parse(text) as Json;
