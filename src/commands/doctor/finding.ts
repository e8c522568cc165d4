import type { Config } from '../../config.ts';

/** `warn`: it works, but the operator should know. */
export type Finding = { verdict: 'ok' | 'warn' | 'fail'; text: string };

export const ok = (text: string): Finding => ({ verdict: 'ok', text });
export const warn = (text: string): Finding => ({ verdict: 'warn', text });
export const fail = (text: string): Finding => ({ verdict: 'fail', text });

/** `send`: test messages. */
export type Examined = { config: Config; send: boolean };

/** Of one part. What it throws fails like a finding. */
export type Examination = (examined: Examined) => AsyncGenerator<Finding>;

/** For an answer of another server. */
export const askTimeoutMs = 5_000;
