import address from './call-stereo.wav?url';

/** The short sales call that comes with the service, with one person on each channel. */
export async function sampleCall(): Promise<File> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error('The sample call is missing');
  return new File([await answer.blob()], 'sample-call.wav', { type: 'audio/wav' });
}
