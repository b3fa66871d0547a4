/** What a statement says about a gateway: its operator, and the credentials that it demands. */
import type { Statement } from '../../../src/kit/spec/index.ts';
import type { OperatorDriverRequest, StatedAuth } from '../../../src/fold/edge/index.ts';

/** The members that only the suite of gateways reads. */
type GatewayStatement = Omit<Statement, 'operator' | 'auth'> &
  NonNullable<OperatorDriverRequest['statement']> & { readonly auth?: StatedAuth };

/** A statement as a gateway's. The schema of statements has checked its members. */
export const gatewayStatement = (statement: Statement | undefined): GatewayStatement | undefined => statement;
