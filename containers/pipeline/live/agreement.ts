/** Interim text and the part at its beginning that will not change. */
export interface InterimText {
  text: string;
  stableText: string;
}

/** Words count as the same when they differ only in case and punctuation. */
const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');

/**
 * LocalAgreement-2 (Liu et al., Interspeech 2020; Macháček et al. 2023). A word is stable once two consecutive
 * hypotheses agree on it and on all words before it. A stable word is not withdrawn until the final text.
 */
export class LocalAgreement {
  #stable: string[] = [];
  #previous: string[] = [];

  /** @param hypothesis the text of the open speech from its start, as it is currently recognised. */
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
