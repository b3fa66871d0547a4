/**
 * Throws where Node.js is older than the kit needs. It is loaded before all else, by the command and by each door of the
 * package. It is CommonJS without new syntax, so that an old Node.js reads it.
 */

/** The oldest major and minor version; package.json has the same in `engines`. */
const [leastMajor, leastMinor] = [20, 19];

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
if (major < leastMajor || (major === leastMajor && minor < leastMinor))
  throw new Error(
    `wireproof needs Node ${leastMajor}.${leastMinor} or newer; this is ${process.versions.node}`,
  );
