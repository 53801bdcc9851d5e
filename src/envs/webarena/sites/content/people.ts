/** The people of Merrow Bay: the shop's customers, the forum's members and the repository host's users are the same persons. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly street: string;
  readonly joined: string;
  readonly about: string;
}

/** The person whose accounts an episode is signed in with. */
export const self = 'maren';

const rows = `
maren|Maren Holt|14 Quay Street|2024-02-11|Keeps bees on a roof and maintains two small libraries.
tobias|Tobias Reyes|3 Tannery Row|2023-11-02|Repairs bicycles. Rides most of them.
ines|Ines Okafor|27 Orchard Lane|2024-05-19|Sourdough, slow mornings, long walks.
caleb|Caleb Winters|8 Chapel Hill|2023-09-30|Photographs the harbour at six in the morning.
priya|Priya Raman|41 Orchard Lane|2024-01-08|Teaches chemistry, collects maps.
jonas|Jonas Lind|5 Ferry Road|2023-12-14|Sails badly and often.
amara|Amara Nwosu|19 Quay Street|2024-07-03|Runs the reading circle on Thursdays.
felix|Felix Brandt|62 Mill Street|2024-03-27|Writes compilers for fun, bakes for money.
noor|Noor Haddad|11 Garden Walk|2024-06-22|Grows far too many tomatoes.
silas|Silas Park|33 Mill Street|2023-10-17|Choir, chess and cold water.
lena|Lena Kowalski|7 Lighthouse Road|2024-08-15|Keeper of the lighthouse museum.
otis|Otis Marsh|2 Ferry Road|2024-04-04|Drives the number 6 bus.
yuki|Yuki Tanabe|25 Chapel Hill|2024-09-09|Ceramics, mostly lopsided.
dario|Dario Conti|16 Tannery Row|2023-08-21|Coffee roaster and early riser.
greta|Greta Solberg|9 Garden Walk|2024-02-28|Knits jumpers for children and one dog.
hugo|Hugo Almeida|48 Mill Street|2024-10-05|Library assistant, quiz host.
rosa|Rosa Delgado|30 Quay Street|2023-07-12|Paints shop signs by hand.
emil|Emil Novak|12 Lighthouse Road|2024-05-01|Counts birds for the county.
fiona|Fiona Byrne|21 Ferry Road|2024-11-18|Plays the fiddle at the Anchor.
marcus|Marcus Webb|6 Orchard Lane|2024-01-30|Allotment number 14, the one with the gnomes.
`;

export const people: readonly Person[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [id = '', name = '', street = '', joined = '', about = ''] = row.split('|');
    return { id, name, email: `${name.toLowerCase().replace(' ', '.')}@mail.example`, street, joined, about };
  });

const byId = new Map(people.map((person) => [person.id, person]));

export function person(id: string): Person {
  const found = byId.get(id);
  if (!found) throw new RangeError(`nobody is called ${id}`);
  return found;
}

/** Accounts are for trying things out: everybody's password is their own name and a year. */
export function passwordOf(id: string): string {
  return `${id}-2026`;
}
