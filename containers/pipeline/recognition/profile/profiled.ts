import type { Runtime } from '../../models/runtime.ts';
import type { PipelineSettings } from '../../settings.ts';
import { Moonshine } from '../moonshine/moonshine.ts';
import type { RecogniserEngine } from '../recogniser.ts';
import { provideModelFile, readModelFile } from './model-files.ts';
import { readProfile } from './profile.ts';

type ProfileSettings = Pick<PipelineSettings, 'recogniserProfile' | 'modelFolder'>;

/** The recogniser that an operator configures with a profile. @throws SettingError */
export function profiledEngines({ recogniserProfile, modelFolder }: ProfileSettings): RecogniserEngine[] {
  if (recogniserProfile === '') return [];
  const { id, name, languages, longestS, shape, encoder, decoder } = readProfile(recogniserProfile);
  return [
    {
      id,
      name,
      kind: 'profile',
      languages,
      longestS,
      mishearsOtherLanguages: true,
      load: async (runtime: Runtime) => {
        const model = {
          shape,
          encoder: () => readModelFile(encoder, modelFolder),
          decoder: () => readModelFile(decoder, modelFolder),
        };
        try {
          return await Moonshine.load(runtime, { model });
        } catch (cause) {
          throw new Error(`The recogniser ${id} of ASR_PROFILE could not be loaded: ${String(cause)}`, { cause });
        }
      },
    },
  ];
}

/**
 * Makes sure that the files of the profile are on this machine and match their digests. Does nothing without a profile.
 * @throws SettingError, ModelFileFault
 */
export async function provideProfile({ recogniserProfile, modelFolder }: ProfileSettings): Promise<void> {
  if (recogniserProfile === '') return;
  const { encoder, decoder } = readProfile(recogniserProfile);
  for (const file of [encoder, decoder]) await provideModelFile(file, modelFolder);
}
