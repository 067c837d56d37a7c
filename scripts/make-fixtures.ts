import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixturePath } from '../support/recordings.ts';

// Makes the recordings for the tests with espeak-ng and ffmpeg. The voices are synthetic, so they are free and belong
// to nobody. Run `node scripts/make-fixtures.ts`, and commit the output.

const FOLDER = join(import.meta.dirname, '../test/fixtures');
const RATE = 16_000;

interface Voice {
  name: string;
  pitch: number;
  /** Words per minute. */
  speed: number;
}
const SELLER: Voice = { name: 'en-us+f3', pitch: 60, speed: 160 };
const BUYER: Voice = { name: 'en-us+m7', pitch: 40, speed: 155 };

interface Line {
  voice: Voice;
  /** Silence before the line, s. */
  pause: number;
  text: string;
}

/** A sales call: greeting, need, offer, objection, answer, acceptance, next step, farewell. */
const CALL: Line[] = [
  { voice: SELLER, pause: 0.4, text: 'Good morning, this is Anna. How can I help you today?' },
  { voice: BUYER, pause: 0.6, text: 'Our team is growing, and we need a better way to plan our work.' },
  { voice: SELLER, pause: 0.5, text: 'I can offer you our business plan. It costs twenty dollars a month.' },
  { voice: BUYER, pause: 1.1, text: 'I am worried about the price. That is too expensive for us.' },
  { voice: SELLER, pause: 0.6, text: 'I understand. If you sign today, I can give you a discount.' },
  { voice: BUYER, pause: 0.9, text: 'That sounds great. Yes, we will take it. Please send me the contract.' },
  { voice: SELLER, pause: 0.5, text: 'Wonderful. I will send it to you by Friday.' },
  { voice: BUYER, pause: 0.5, text: 'Thank you very much.' },
];
const SHORT: Line[] = [{ voice: SELLER, pause: 0.3, text: 'Thank you for calling. See you tomorrow.' }];
/** A German voice. The built-in recogniser does not support German. */
const CITIZEN: Voice = { name: 'de+f3', pitch: 55, speed: 155 };
const CLERK: Voice = { name: 'de+m3', pitch: 40, speed: 150 };
const FOREIGN: Line[] = [
  { voice: CLERK, pause: 0.3, text: 'Guten Tag, hier spricht Herr Müller von der Stadtverwaltung.' },
  { voice: CITIZEN, pause: 0.6, text: 'Guten Tag. Es geht um meinen Antrag auf einen neuen Parkausweis.' },
  {
    voice: CLERK,
    pause: 0.6,
    text: 'Leider fehlt uns noch die Kopie Ihres Fahrzeugscheins. Könnten Sie sie schicken?',
  },
  { voice: CITIZEN, pause: 0.6, text: 'Ja, natürlich, das mache ich bis Freitag. Vielen Dank und auf Wiederhören.' },
];
/** A call that reaches an answering machine. */
const MACHINE: Line[] = [
  {
    voice: SELLER,
    pause: 0.4,
    text: 'Hello, you have reached the office of Anna Miller. I cannot take your call now.',
  },
  { voice: SELLER, pause: 0.4, text: 'We can offer you a call back. Please leave a message after the tone.' },
  {
    voice: BUYER,
    pause: 2,
    text: 'Good morning, this is Tom. I am worried about the price. It is too expensive for us.',
  },
  { voice: BUYER, pause: 0.5, text: 'Could we meet on Tuesday instead? I will send you the contract by Friday.' },
];
/** A phone queue with music and announcements. */
const ON_HOLD: Line[] = [
  { voice: SELLER, pause: 4, text: 'Your call is important to us. All our agents are busy. Please stay on the line.' },
  { voice: SELLER, pause: 5, text: 'We can offer you a call back. Press one, and we will call you by Friday.' },
];
/** A telephone number that is asked for, given in groups, and read back. */
const NUMBER_GIVEN: Line[] = [
  { voice: SELLER, pause: 0.4, text: 'Thank you for calling. What is the best number to reach you on?' },
  { voice: BUYER, pause: 0.6, text: 'You can call me back on 303, 875, 5337.' },
  { voice: SELLER, pause: 0.5, text: '303, 875, 5337. Thank you very much, we will call you by Friday.' },
];
/** Silence at the end of a recording, s. */
const END_PAUSE = 0.6;

function ffmpeg(args: string[], input: Uint8Array): Buffer {
  return execFileSync('ffmpeg', ['-v', 'error', '-y', ...args], { input, maxBuffer: 1 << 28 });
}

function spoken({ voice, text }: Line): Int16Array {
  const options = ['-v', voice.name, '-p', String(voice.pitch), '-s', String(voice.speed), '--stdout'];
  const wav = execFileSync('espeak-ng', [...options, text], { maxBuffer: 1 << 26 });
  const pcm = ffmpeg(['-i', 'pipe:0', '-ac', '1', '-ar', String(RATE), '-f', 's16le', 'pipe:1'], wav);
  return new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
}

/** Chords of hold music, Hz. */
const CHORDS = [
  [262, 330, 392],
  [220, 262, 330],
  [349, 440, 523],
  [196, 247, 294],
];
/** Length of a chord and of a beep, s, in this order. */
const CHORD_S = 0.8;
const BEEP_S = 0.5;

/** A sum of sines, faded in and out. @param seconds length */
function tones(seconds: number, hz: readonly number[]): Int16Array {
  const length = Math.round(seconds * RATE);
  return Int16Array.from({ length }, (_, i) => {
    const fade = Math.min(1, i / 400, (length - i) / 400);
    return (4000 * fade * hz.reduce((sum, f) => sum + Math.sin((2 * Math.PI * f * i) / RATE), 0)) / hz.length;
  });
}

const music = (seconds: number): Int16Array => {
  const chords = Array.from({ length: Math.ceil(seconds / CHORD_S) }, (_, i) => tones(CHORD_S, CHORDS[i % 4]!));
  return Int16Array.from(chords.flatMap((chord) => [...chord])).subarray(0, Math.round(seconds * RATE));
};

/** The lines in sequence. With two channels, each voice has its own. @param filled the audio of a pause, s */
function recorded(lines: Line[], channels: 1 | 2, filled?: (pause: number) => Int16Array): Int16Array {
  const parts: { at: number; channel: number; samples: Int16Array }[] = [];
  let at = 0;
  for (const line of lines) {
    if (filled) parts.push({ at, channel: 0, samples: filled(line.pause) });
    at += Math.round(line.pause * RATE);
    const samples = spoken(line);
    parts.push({ at, channel: channels === 2 && line.voice === BUYER ? 1 : 0, samples });
    at += samples.length;
  }
  const whole = new Int16Array((at + Math.round(END_PAUSE * RATE)) * channels);
  for (const { at: from, channel, samples } of parts)
    for (const [i, sample] of samples.entries()) whole[(from + i) * channels + channel] = sample;
  return whole;
}

/** The recording that readers of the documentation send first: every program reads PCM. */
const FIRST = 'call.wav';

/** The others have 4 bits per sample (8 kB per second and channel), so that the repository stays small. */
function write(name: string, samples: Int16Array, channels: 1 | 2): void {
  const raw = ['-f', 's16le', '-ar', String(RATE), '-ac', String(channels), '-i', 'pipe:0'];
  const wav = ['-c:a', name === FIRST ? 'pcm_s16le' : 'adpcm_ima_wav', '-bitexact', fixturePath(name)];
  ffmpeg([...raw, ...wav], new Uint8Array(samples.buffer));
}

mkdirSync(FOLDER, { recursive: true });
write(FIRST, recorded(CALL, 1), 1);
write('call-stereo.wav', recorded(CALL, 2), 2);
write('short.wav', recorded(SHORT, 1), 1);
write('number-given.wav', recorded(NUMBER_GIVEN, 1), 1);
write('foreign.wav', recorded(FOREIGN, 1), 1);
const beep = (pause: number) => (pause > 1 ? tones(BEEP_S, [1000]) : new Int16Array(0));
write('answering-machine.wav', recorded(MACHINE, 1, beep), 1);
write('on-hold.wav', recorded(ON_HOLD, 1, music), 1);
write('music.wav', music(4), 1);
const onlySeller = recorded(CALL.slice(0, 6), 2).map((sample, i) => (i % 2 === 0 ? sample : 0));
write('one-sided.wav', onlySeller, 2);
write('silence.wav', new Int16Array(3 * RATE), 1);
writeFileSync(join(FOLDER, 'call.txt'), `${CALL.map(({ text }) => text).join('\n')}\n`);
