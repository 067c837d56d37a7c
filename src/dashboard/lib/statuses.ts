import type { JobStatus } from '../../sdk/wire.ts';

/** Whether an analysis waits or runs. */
export const isOpen = ({ status }: { status: JobStatus }): boolean => status === 'queued' || status === 'running';
