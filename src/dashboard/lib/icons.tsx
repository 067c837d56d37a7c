/** Paths with 1.6 px strokes on a 24 px grid, drawn for these pages. */
const PATHS = {
  list: 'M4 7h11M4 12h16M4 17h8',
  up: 'M12 16V4m0 0L7 9m5-5 5 5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3',
  mic: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5 11a7 7 0 0 0 14 0M12 18v3',
  key: 'M12 15a4 4 0 1 1-8 0 4 4 0 0 1 8 0Zm-1-3 9-9m-4 4 3 3',
  pulse: 'M3 12h4l3-8 4 16 3-8h4',
  pause: 'M8 5v14M16 5v14',
  search: 'M17 11a6 6 0 1 1-12 0 6 6 0 0 1 12 0Zm3 9-4.5-4.5',
  close: 'M6 6l12 12M18 6 6 18',
  left: 'm14 6-6 6 6 6',
  right: 'm10 6 6 6-6 6',
  down: 'm6 10 6 6 6-6',
  upward: 'm6 14 6-6 6 6',
  previous: 'M18 6v12L9 12l9-6ZM6 6v12',
  next: 'M6 6v12l9-6-9-6ZM18 6v12',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  download: 'M12 4v12m0 0 5-5m-5 5-5-5M4 20h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5Z',
  sun: 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM12 3v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  info: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Zm-9-1v5M12 8h.01',
  warning: 'M12 4 2.8 20h18.4L12 4Zm0 6v4m0 3h.01',
  check: 'm5 12.5 4.5 4.5L19 7',
  copy: 'M11 9h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM5 15V6a2 2 0 0 1 2-2h9',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.500 2h-15L6 16Zm4 4.500a2 2 0 0 0 4 0',
  bellOn: 'M6 16V11a6 6 0 0 1 12 0v5l1.500 2h-15L6 16Zm4 4.500a2 2 0 0 0 4 0M3 9a8 8 0 0 1 3-5M21 9a8 8 0 0 0-3-5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM14.6 12a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0Z',
  rotate: 'M4 12a8 8 0 0 1 13.7-5.6L20 9M20 4v5h-5M20 12a8 8 0 0 1-13.7 5.6L4 15m0 5v-5h5',
  trash: 'M5 7h14M10 7V4.5h4V7m-7.5 0 1 13h9l1-13',
  pen: 'm4 20 1-4L16 5l3 3L8 19l-4 1Z',
  comment: 'M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Z',
  file: 'M6 3h8l4 4v14H6V3ZM14 3v4h4',
  book: 'M12 7c-2-1.500-4.500-2-8-2v13c3.500 0 6 .500 8 2 2-1.500 4.500-2 8-2V5c-3.500 0-6 .500-8 2Zm0 0v13',
  clock: 'M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0ZM12 7.5V12l3 2',
  keyboard: 'M5 6h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2Zm2 4h.01M11 10h.01M15 10h.01M8 14h8',
  shield: 'M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6l-7-3Z',
  person: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM4.5 20.5c1-4 4-5.5 7.5-5.5s6.500 1.500 7.500 5.500',
  share:
    'M17 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM7 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Zm10 6.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM9.200 10.800l5.600-4.100M9.200 13.200l5.600 4.100',
  print: 'M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7v-6Z',
  compare: 'M4 6h16M4 10h9M4 15h16M4 19h12',
  flag: 'M6 21V4m0 1h11l-2.500 4L17 13H6',
  people:
    'M13 8a3.500 3.500 0 1 1-7 0 3.500 3.500 0 0 1 7 0ZM2.500 19.500c.800-3.500 3.500-5 7-5s6.200 1.500 7 5M16 5a3.200 3.200 0 0 1 0 6m2 4c2 .600 3.100 2 3.500 4',
  rule: 'M4 7h16M4 12h9M4 17h6m5-2 5 5m0-5-5 5',
  columns: 'M5 20v-6M10 20V8M15 20v-9M20 20V4',
  thumbUp:
    'M7 11v9H4v-9h3Zm0 0 4-7.500a2 2 0 0 1 2.500 2.500L13 9h5.500a2 2 0 0 1 2 2.400l-1.400 7a2 2 0 0 1-2 1.600H7',
  thumbDown:
    'M7 13V4H4v9h3Zm0 0 4 7.500a2 2 0 0 0 2.500-2.500L13 15h5.500a2 2 0 0 0 2-2.400l-1.400-7a2 2 0 0 0-2-1.600H7',
  silent: 'M4 9.500v5h3l5 4v-13l-5 4H4Zm12.500 0 5 5m0-5-5 5',
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
} as const;
const PLAY = 'M8 5.5v13a.7.7 0 0 0 1.06.6l10.5-6.5a.7.7 0 0 0 0-1.2L9.06 4.9A.7.7 0 0 0 8 5.5Z';

export type IconName = keyof typeof PATHS | 'play';

export function Icon({ name, size = 18, width = 1.6 }: { name: IconName; size?: number; width?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={name === 'pause' ? 3.2 : name === 'more' ? 2.6 : width}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {name === 'play' ? <path d={PLAY} fill="currentColor" stroke="none" /> : <path d={PATHS[name]} />}
    </svg>
  );
}

export function Logo() {
  return (
    <svg class="logo" width="30" height="30" viewBox="0 0 30 30" fill="none" role="img" aria-label="Undertone">
      <path d="M3 9.5h24" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
      <path
        d="M3 19c3 0 3-4.5 6-4.5s3 8.5 6 8.5 3-6 6-6 3 2 6 2"
        stroke="currentColor"
        stroke-width="2.6"
        stroke-linecap="round"
      />
    </svg>
  );
}
