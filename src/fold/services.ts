/** The gRPC services of a gateway: the published ones, and the same under other names (spec/fold/README.md, "Carrier"). */

/** The services by which agents may reach a gateway, in the order in which the kit tries them. */
export const controlServices: readonly string[] = ['coven.CovenControl', 'fold.FoldControl'];

/**
 * The path of a published method at a gateway whose agents call `service` (`package.Name`, or `package.Name/Method`).
 * The other services of the gateway, such as PackService, have the same package. Other paths stay as they are.
 *
 * @example
 * servicePath('/coven.PackService/Register', 'fold.FoldControl'); // '/fold.PackService/Register'
 */
export function servicePath(path: string, service: string): string {
  const [, name = '', method = ''] = /^\/coven\.(\w+)\/(\w+)$/.exec(path) ?? [];
  if (name === '') return path;
  const [control = '', stream = method] = service.split('/');
  if (name === 'CovenControl') return `/${control}/${stream}`;
  return `/${control.slice(0, control.lastIndexOf('.') + 1)}${name}/${method}`;
}
