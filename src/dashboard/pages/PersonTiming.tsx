import { useLocation } from 'preact-iso';
import { dayName, shortDate } from '../lib/format.ts';
import { Sideways } from '../lib/scrolling.tsx';
import { countOf } from './People.tsx';
import { gapOf, noteOf, type PersonMeasure, type PersonWeek, placesIn, scaleOf } from './person-weeks.ts';

interface TimingProps {
  measures: readonly PersonMeasure[];
  week: string;
  /** @param week the Monday of a week, or an empty text for all */
  choose: (week: string) => void;
}

/** A row for each measure, a column for each week, and a dot for each conversation. */
export function Timing({ measures, week, choose }: TimingProps) {
  const { route } = useLocation();
  const [first] = measures;
  if (!first || measures.every(({ n, unknown }) => n + unknown === 0))
    return (
      <div class="card empty">
        <b>No conversation in these weeks</b>
        <p>Nothing was measured for this person in this time.</p>
      </div>
    );
  const press = (e: MouseEvent, monday: string): void => {
    const { conversation } = (e.target as HTMLElement).dataset;
    if (conversation !== undefined) route(`/app/conversations/${encodeURIComponent(conversation)}`);
    else choose(week === monday ? '' : monday);
  };
  return (
    <Sideways name="Timing by week" kind="timing">
      <table style={{ '--weeks': first.weeks.length }}>
        <thead>
          <tr>
            <th scope="col">
              Usually (own median) <small>conversations of the week</small>
            </th>
            {first.weeks.map(({ monday, n, unknown }) => (
              <th key={monday} scope="col">
                {shortDate(monday)} <small>{n + unknown || 'none'}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measures.map((measure) => (
            <tr key={measure.name}>
              <th scope="row">
                <span class="name2">
                  <b>{measure.name}</b>
                  {measure.own && <b class="num own">{measure.written(measure.own[1])}</b>}
                  <small>{noteOf(measure)}</small>
                </span>
              </th>
              {measure.weeks.map((one, i) => (
                <td key={one.monday}>
                  {i === 0 && measure.n > 0 && <Ends measure={measure} />}
                  <WeekPlot
                    measure={measure}
                    week={one}
                    isChosen={week === one.monday}
                    press={(e) => press(e, one.monday)}
                  />
                  {one.unknown > 0 && (
                    <small class="of1">
                      {one.n} of {one.n + one.unknown}
                    </small>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

/** The ends of the scale. */
function Ends({ measure }: { measure: PersonMeasure }) {
  const [low, high] = scaleOf(measure);
  return (
    <span class="ends" aria-hidden="true">
      <small>{measure.written(high)}</small>
      <small>{measure.written(low)}</small>
    </span>
  );
}

interface WeekPlotProps {
  measure: PersonMeasure;
  week: PersonWeek;
  isChosen: boolean;
  press: (e: MouseEvent) => void;
}

function WeekPlot({ measure, week, isChosen, press }: WeekPlotProps) {
  const [low, high] = scaleOf(measure);
  const { own, written, name } = measure;
  const { monday, n, unknown, points, median } = week;
  const up = (value: number): string => `${(100 * (value - low)) / (high - low)}%`;
  const told = median === null ? points.map(({ value }) => written(value)).join(', ') : `median ${written(median)}`;
  const places = placesIn(week);
  return (
    <button
      type="button"
      class="plot1"
      disabled={n === 0}
      aria-pressed={n === 0 ? undefined : isChosen}
      aria-label={`${name}, week of ${shortDate(monday)}: ${n === 0 ? (unknown === 0 ? 'no conversation' : `not known for ${countOf(unknown)}`) : `${told}, ${countOf(n)}`}`}
      onClick={press}
    >
      <span class="in1" aria-hidden="true" style={{ '--gap': 100 * gapOf(places), '--count': points.length }}>
        {/* A week without conversations has a gap. */}
        {own && n + unknown > 0 && (
          <>
            <i class="band" style={{ bottom: up(own[0]), height: `calc(${up(own[2])} - ${up(own[0])})` }} />
            <i class="mid" style={{ bottom: up(own[1]) }} />
          </>
        )}
        {points.map(({ conversation, value, day, n: many }, i) => (
          <i
            key={conversation ?? `${day}-${i}`}
            data-conversation={conversation ?? undefined}
            title={`${written(value)}, ${dayName(day)}${many > 1 ? `, median of ${many}` : ''}`}
            class={conversation === null ? 'dot many' : median === null ? 'dot hol' : 'dot'}
            style={{
              bottom: up(value),
              '--day': `${100 * places[i]!}%`,
              '--even': `${(100 * (i + 0.5)) / points.length}%`,
            }}
          />
        ))}
        {median !== null && (
          <>
            <i class="bar1" style={{ bottom: up(median) }} />
            <small class="val" style={{ bottom: up(median) }}>
              {written(median)}
            </small>
          </>
        )}
      </span>
    </button>
  );
}
