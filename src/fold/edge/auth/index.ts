/**
 * The credentials of Fold's peers: makes and verifies HS256 tokens and SSH signatures, and makes invalid credentials of
 * each kind that a gateway must refuse.
 *
 * @example
 * import { jwtVerifier, signJwt } from './index.ts';
 *
 * jwtVerifier('a secret')(signJwt('a secret', { sub: 'me' }))?.sub; // 'me'
 */
export { peerCredentials } from './credentials.ts';
export type { CredentialKind, CredentialOptions, PeerCredentials, RandomBytes } from './credentials.ts';
export { jwtVerifier, signJwt } from './jwt.ts';
export type { JwtIdentity } from './jwt.ts';
export { sshVerifier } from './ssh.ts';
export { sshSigner } from './ssh-signer.ts';
export type { SshSigner } from './ssh-signer.ts';
