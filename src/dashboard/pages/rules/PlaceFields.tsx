import type { ComponentChildren } from 'preact';
import type { RulePlaceInput } from '../../../sdk/wire.ts';
import { Icon } from '../../lib/icons.tsx';
import { Amount, CATEGORIES, Choices, defined } from './condition-inputs.tsx';
import { PLACES } from './rule-draft.ts';

type Place = keyof RulePlaceInput;

/** The parts of the conversation that a condition is limited to. All of them must hold. */
export function Where(p: { where: RulePlaceInput | undefined; set: (where: RulePlaceInput | undefined) => void }) {
  const where = p.where ?? {};
  const given = (Object.keys(where) as Place[]).filter((place) => where[place] !== undefined);
  const put = (place: Place, value: unknown): void => {
    const changed = defined<RulePlaceInput>({ ...where, [place]: value });
    p.set(Object.keys(changed).length === 0 ? undefined : changed);
  };
  return (
    <p class="line1 where">
      {given.map((place) => (
        <span key={place} class="place">
          <PlaceFields place={place} where={where} put={put} />
          <button
            type="button"
            class="btn sm icon ghost"
            aria-label={`Remove: ${PLACES[place].label}`}
            title="Remove this place"
            onClick={() => put(place, undefined)}
          >
            <Icon name="close" size={13} />
          </button>
        </span>
      ))}
      <select
        class="pill add"
        aria-label="Where"
        value=""
        onChange={(e) => {
          const place = e.currentTarget.value as Place | '';
          if (place !== '') put(place, PLACES[place].value);
        }}
      >
        <option value="">{given.length === 0 ? 'anywhere in the conversation' : 'and …'}</option>
        {(Object.keys(PLACES) as Place[])
          .filter((place) => !given.includes(place))
          .map((place) => (
            <option key={place} value={place}>
              {PLACES[place].label}
            </option>
          ))}
      </select>
    </p>
  );
}

interface PlaceProps {
  place: Place;
  where: RulePlaceInput;
  put: (place: Place, value: unknown) => void;
}

function PlaceFields({ place, where, put }: PlaceProps): ComponentChildren {
  const { after, in_question: inQuestion } = where;
  if (place === 'in_question')
    return (
      <button type="button" class="pill" onClick={() => put(place, !inQuestion)}>
        {inQuestion ? 'in a question' : 'not in a question'}
      </button>
    );
  if (place === 'after' && after)
    return (
      <>
        within{' '}
        <Amount
          name="Seconds after"
          value={after.within_seconds ?? 60}
          set={(within_seconds) => put(place, { ...after, within_seconds })}
        />{' '}
        s after
        <Choices
          name="After"
          all={CATEGORIES}
          chosen={after.categories}
          set={(categories) => categories.length > 0 && put(place, { ...after, categories })}
        />
      </>
    );
  const isShare = place.endsWith('share');
  const factor = isShare ? 100 : 1;
  const unit = isShare ? '%' : 's';
  const value = where[place];
  if (Array.isArray(value))
    return (
      <>
        from{' '}
        {value.map((one, i) => (
          <span key={i}>
            {i === 1 && 'to '}
            <Amount
              name={i === 0 ? 'From' : 'To'}
              value={Math.round(one * factor)}
              set={(put1) => put(place, value.with(i, put1 / factor))}
            />
          </span>
        ))}{' '}
        {unit}
      </>
    );
  return (
    <>
      in the {place.startsWith('first') ? 'first' : 'last'}{' '}
      <Amount
        name={PLACES[place].label}
        value={Math.round(Number(value) * factor)}
        set={(given) => put(place, given / factor)}
      />{' '}
      {unit}
    </>
  );
}
