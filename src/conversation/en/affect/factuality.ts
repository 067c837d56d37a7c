import type { FactualityMarker } from '../../affect-lexicon.ts';

export const FACTUALITY: readonly FactualityMarker[] = [
  { label: 'states a number', pattern: /\b\d[\d,.]*\b|\b(hundred|thousand|million|percent)\b/ },
  {
    label: 'names a source',
    pattern: /\b(according to|the report|the data|the study|research shows|the contract says|on record|the numbers)\b/,
  },
  {
    label: 'states as fact',
    pattern: /\b(in fact|the fact is|definitely|certainly|i know|we know|of course|clearly)\b/,
  },
  { label: 'opinion marked', pattern: /\b(i think|i believe|in my opinion|i feel|i guess|i'd say)\b/ },
  { label: 'possibility marked', pattern: /\b(maybe|perhaps|might|possibly|could be|probably|may be)\b/ },
  { label: 'hearsay marked', pattern: /\b(apparently|supposedly|i heard|they say|i've been told|allegedly)\b/ },
  { label: 'denial', pattern: /\b(not true|isn't true|never happened|didn't happen|that's wrong|incorrect)\b/ },
];
