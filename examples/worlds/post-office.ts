/** Parcels go into the van of their district; the calls are JSON. */
import { defineEnvironment } from 'agoge';

const vans = 'Falcon Heron Magpie Swift Wren'.split(' ');
const streets = 'Elm Quay Mill Abbey Castle Orchard'.split(' ');

interface State {
  readonly vanOf: ReadonlyMap<number, string>;
  readonly parcels: readonly { readonly number: number; readonly district: number; readonly street: string }[];
  at: number;
}

const label = ({ parcels, at }: State): string => {
  const parcel = parcels[at];
  return parcel ? `Parcel ${parcel.number}: ${parcel.street} Street, district ${parcel.district}` : '';
};

export default defineEnvironment<State>({
  name: 'post-office',
  splits: { train: 2000, validation: 100, test: 100 },
  instructions: 'Sort each parcel into the van of its district.',
  actions: { load: '{"tool": "load", "parcel": {number}, "van": "{van}"}' },
  start(_task, random) {
    const districts = random.shuffle(Array.from({ length: 30 }, (_, i) => i + 10)).slice(0, 4);
    const names = random.shuffle(vans);
    const vanOf = new Map(districts.map((district, i) => [district, names[i] ?? '']));
    const parcels = Array.from({ length: 3 }, () => ({
      number: 100 + random.below(900),
      district: random.pick(districts),
      street: random.pick(streets),
    }));
    const state = { vanOf, parcels, at: 0 };
    return {
      state,
      observation: `${[...vanOf].map(([district, van]) => `District ${district} -> ${van}`).join('\n')}\n\n${label(state)}`,
    };
  },
  step(state, action) {
    const parcel = state.parcels[state.at];
    const [, number, van] = /^\{"tool": "load", "parcel": (\d+), "van": "(\w+)"\}$/.exec(action.trim()) ?? [];
    if (number === undefined || !parcel) return { observation: 'Error: write the call as JSON.' };
    if (Number(number) !== parcel.number || van !== state.vanOf.get(parcel.district))
      return { observation: 'The parcel is lost.', done: true };
    state.at++;
    if (state.at === state.parcels.length) return { observation: 'The vans leave.', reward: 1, done: true };
    return { observation: label(state) };
  },
  solve({ vanOf, parcels, at }) {
    const parcel = parcels[at];
    return parcel ? `{"tool": "load", "parcel": ${parcel.number}, "van": "${vanOf.get(parcel.district) ?? ''}"}` : null;
  },
});
