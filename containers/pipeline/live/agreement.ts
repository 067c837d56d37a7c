/** Interim text, and the part at its start that will not change. */
export interface InterimText {
  text: string;
  stableText: string;
}

/** A word in the form used for comparison: words that differ only in case and punctuation are the same. */
const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');

/**
 * LocalAgreement-2 (Liu et al., Interspeech 2020; Macháček et al. 2023). A word is stable once two consecutive
 * hypotheses agree on it and on all words before it. A stable word is not withdrawn until the final text.
 */
export class LocalAgreement {
  #stable: string[] = [];
  #previous: string[] = [];

  /** @param hypothesis text of the open speech from its start, as currently recognised. */
  next(hypothesis: string): InterimText {
    const words = hypothesis.split(/\s+/).filter((word) => word !== '');
    let agreed = 0;
    while (agreed < words.length && bare(words[agreed]!) === bare(this.#previous[agreed] ?? '')) agreed++;
    if (agreed > this.#stable.length) this.#stable = [...this.#stable, ...words.slice(this.#stable.length, agreed)];
    this.#previous = words;
    return {
      text: [...this.#stable, ...words.slice(this.#stable.length)].join(' '),
      stableText: this.#stable.join(' '),
    };
  }
}
