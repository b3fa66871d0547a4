/**
 * Proof of who a Fold peer is, outside the pure core: HS256 tokens and SSH signatures, made and judged, and
 * the credentials, good and bad, that a peer shows.
 *
 * @example
 * const gatewayAuth = { jwt: jwtVerifier('s3cret'), ssh: sshVerifier() };
 * const agent = peerCredentials({ sshKey: readFileSync('id_ed25519', 'utf8') });
 * dial({ ...metadata, ...agent.of('valid', Date.now()) });
 */
export { peerCredentials } from './credentials.ts';
export type { CredentialKind, CredentialOptions, PeerCredentials, RandomBytes } from './credentials.ts';
export { jwtVerifier, signJwt } from './jwt.ts';
export type { JwtIdentity } from './jwt.ts';
export { sshVerifier } from './ssh.ts';
export { sshSigner } from './ssh-signer.ts';
export type { SshSigner } from './ssh-signer.ts';
