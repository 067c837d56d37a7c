import address from './call-stereo.wav?url';

const NAME = 'sample-call.wav';

/** Whether a recording is the sample call, by the name under which these pages send it. */
export const isSample = ({ filename }: { filename: string }): boolean => filename === NAME;

/** The short sales call that comes with the service, with one person on each channel. */
export async function sampleCall(): Promise<File> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error('The sample call is missing');
  return new File([await answer.blob()], NAME, { type: 'audio/wav' });
}
