/** Options of the report formats; each format uses its own. */
export interface ReportOptions {
  /** Colour the console report with SGR codes. The caller knows the terminal, NO_COLOR and CI. */
  readonly color: boolean;
  /** Give every requirement and every scenario a line in the console report. */
  readonly verbose?: boolean | undefined;
  /** Columns to wrap the console report at; 100 when absent, never below 40. */
  readonly width?: number | undefined;
  /** The time of the end of the run for formats that give one (Unix ms). */
  readonly now?: number | undefined;
}
