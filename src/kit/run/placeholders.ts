/** What `{address}`, `{listen}` and the like stand for in a target's command, and in its environment. */

/** What is filled in, by name. */
export type Placeholders = { readonly [name: string]: string };

/** A command with its placeholders filled in; what is no placeholder stays as it is. */
export const filledIn = (command: readonly string[], values: Placeholders): readonly string[] =>
  command.map((arg) => arg.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole));

/** The same in the environment: `WIREPROOF_ADDRESS` and so on. */
export const placeholderVariables = (values: Placeholders): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`WIREPROOF_${name.toUpperCase()}`, value]),
  );
