/** The page GET /metrics: how many answers the simulated provider is sending, in the text format of Prometheus. */
import type { StreamerState } from './state.ts';

/** The page's path. */
export const metricsPath = '/metrics';

/**
 * The page of a streamer. `wireproof_requests_running` counts the answers that are being sent; those whose client has left
 * are not among them.
 */
export const metricsOf = ({ exchanges }: Pick<StreamerState, 'exchanges'>): string =>
  [
    '# HELP wireproof_requests_running Answers that are being sent.',
    '# TYPE wireproof_requests_running gauge',
    `wireproof_requests_running ${exchanges.size}`,
    '',
  ].join('\n');
