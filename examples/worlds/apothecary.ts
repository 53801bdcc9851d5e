/** Patients come one after another; the book in the prompt says which remedy is for which complaint. */
import { defineEnvironment } from 'agoge';

const complaints = 'cough fever rash hiccups cramp toothache dizziness burn'.split(' ');
const remedies = 'sage mint thyme camphor willow arnica ginger chamomile'.split(' ');
const patients = 'Otto Bea Karim Lena Ravi Sofia Emil Yara'.split(' ');

interface State {
  readonly book: ReadonlyMap<string, string>;
  readonly coming: readonly (readonly [string, string])[];
  at: number;
}

const says = ({ coming, at }: State): string => `${coming[at]?.[0] ?? ''} comes in with a ${coming[at]?.[1] ?? ''}.`;

export default defineEnvironment<State>({
  name: 'apothecary',
  splits: { train: 2000, validation: 100, test: 100 },
  instructions: 'You are an apothecary. Give every patient the remedy that the book names for the complaint.',
  actions: { give: 'give {remedy} to {patient}' },
  start(_task, random) {
    const known = random.shuffle(complaints).slice(0, 5);
    const stock = random.shuffle(remedies);
    const book = new Map(known.map((complaint, i) => [complaint, stock[i] ?? '']));
    const coming = random
      .shuffle(patients)
      .slice(0, 3)
      .map((patient) => [patient, random.pick(known)] as const);
    const state = { book, coming, at: 0 };
    const lines = [...book].map(([complaint, remedy]) => `${complaint}: ${remedy}`);
    return { state, observation: `The book:\n${lines.join('\n')}\n\n${says(state)}` };
  },
  step(state, action) {
    const [patient = '', complaint = ''] = state.coming[state.at] ?? [];
    if (!/^give \w+ to \w+$/.test(action.trim())) return { observation: 'Give a remedy to the patient.' };
    if (action.trim() !== `give ${state.book.get(complaint) ?? ''} to ${patient}`)
      return { observation: `${patient} feels worse.`, done: true };
    state.at++;
    if (state.at === state.coming.length) return { observation: 'Everybody is well.', reward: 1, done: true };
    return { observation: `${patient} feels better. ${says(state)}` };
  },
  solve: ({ book, coming, at }) => `give ${book.get(coming[at]?.[1] ?? '') ?? ''} to ${coming[at]?.[0] ?? ''}`,
});
