import type { JobStatus } from '../../sdk/wire.ts';

/** Whether an analysis is queued or running. */
export const isOpen = ({ status }: { status: JobStatus }): boolean => status === 'queued' || status === 'running';
