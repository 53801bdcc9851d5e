/** The forum's boards, posts and comments. */
import { Random } from '../../../../core/random/random.ts';
import { people } from './people.ts';
import { date, slug } from './products.ts';

export interface Board {
  readonly id: string;
  readonly line: string;
  readonly members: number;
}

export interface Post {
  readonly number: number;
  readonly board: string;
  readonly author: string;
  readonly title: string;
  readonly text: string;
  readonly votes: number;
  readonly date: string;
}

export interface Comment {
  readonly number: number;
  readonly post: number;
  readonly author: string;
  readonly text: string;
  readonly votes: number;
  readonly date: string;
}

const boardRows = `
merrowbay|News, lost cats and opinions about the ferry.|2140
books|What are you reading?|1312
gardening|Soil under every fingernail.|1688
cycling|Routes, repairs and headwinds.|904
cooking|Recipes that somebody has really cooked.|1975
photography|Light, and what it fell on.|1203
programming|Small programs, large arguments.|1551
birds|Seen, heard, or hoped for.|642
`;

export const boards: readonly Board[] = boardRows
  .trim()
  .split('\n')
  .map((row) => {
    const [id = '', line = '', members = '0'] = row.split('|');
    return { id, line, members: Number(members) };
  });

const postRows = `
merrowbay|The night ferry is running again from Friday|After four months of repairs the Petrel sails at 22:40, every day but Sunday.
merrowbay|Lost: grey cat near Tannery Row|Answers to Button, or to the sound of a tin being opened.
merrowbay|Market moves to Chapel Hill for the summer|The quay will be dug up from May, so the stalls climb the hill.
merrowbay|Who painted the benches on Quay Street?|Each one a different blue. I would like to thank them.
merrowbay|Library opens on Sundays from April|Ten to four, with volunteers at the desk. They still need two more.
merrowbay|Petition for a bus shelter at Lighthouse Road|Otis signed it first, and he drives the bus.
merrowbay|Storm damage at the north pier|Three planks are gone and the railing leans. The council sends someone on Tuesday.
books|Reading circle: The Lighthouse Keeper's Logbook|We meet on Thursday at seven. Read up to the winter of 1889.
books|A novel with a map in the front, please|Any genre. The map has to be needed.
books|Poems for the Night Ferry is out|Amara has copies and will sign them on the ferry.
books|What did you give up on this month?|I stopped at page 90 and feel lighter.
books|Best book about the sea that has no storm in it|They must exist.
books|Swap shelf at the library: new rules|One in, one out, no encyclopaedias.
gardening|Slugs ate my lettuce again|Copper tape, beer, prayer: what works near the coast?
gardening|When do you sow tomatoes here?|The seed box says March and my window says no.
gardening|Free bamboo stakes on Garden Walk|Twenty of them, take what you need.
gardening|Wildflower strip along the mill stream|First year report, with a list of what came up.
gardening|My compost is too wet|It smells like low tide.
gardening|Pruning an old apple tree|It has not been touched since the nineties.
cycling|Coast path after the rain: rideable?|I have thin tyres and a soft heart.
cycling|Bottom bracket creaks only uphill|I replaced the pedals and the saddle. It still creaks.
cycling|Saturday ride to the lighthouse and back|Twenty-two kilometres, one hill, cake at the top.
cycling|New bike lane on Mill Street|It ends at the bakery. I am not complaining.
cycling|Which lock do you trust?|Mine was cut in a minute.
cycling|Night ride on the longest day|Lights on at eleven, breakfast at four.
cooking|My sourdough will not rise in February|The kitchen has sixteen degrees. Where do you keep yours?
cooking|Fish stew as the ferry cook makes it|Onion, fennel, tomato, and whatever the boat brought.
cooking|One pan for everything: skillet or sauteuse?|I have room for one.
cooking|What to do with nine kilos of courgettes|Marcus, stop leaving them on my step.
cooking|Coffee: grind finer or brew longer?|Dario says both. Dario always says both.
cooking|Salt cod, twenty-four hours or forty-eight?|My grandmother and the book disagree.
photography|Fog over the harbour, three frames|Taken from the north pier at a quarter past six.
photography|Film or digital for the regatta?|It will be bright and I will be nervous.
photography|How do you photograph a white gull on a white sky?|Mine are grey.
photography|Darkroom evening at the community hall|Bring a negative, leave with a print.
photography|Critique my first long exposure|Forty seconds, the ferry became a ribbon.
photography|Old camera found in a drawer|It still has a film inside.
programming|I wrote a tide table generator|It fits in two hundred lines and is right to four minutes.
programming|Tabs or spaces in a shared repository?|We have lost a friend over this already.
programming|Compilers Over Coffee, chapter four|Does anybody else get stuck on register allocation?
programming|What is the smallest useful web server?|Mine is a shell script. Do not do this.
programming|Test first, or test at last?|I keep changing my mind.
programming|Looking for a reviewer for tide-tables|The merge request is small and the tests are green.
birds|First swallow of the year at the mill|Two of them, on the tenth of March.
birds|Owl box on Chapel Hill is taken|A pair of barn owls, seen at dusk.
birds|Winter count: results from the estuary|Four thousand two hundred birds in three hours.
birds|Which gull is this?|Yellow legs, dark back, a look of contempt.
birds|Quiet places to watch waders|Without dogs, if possible.
birds|A kingfisher at the mill pond|Gone before the camera was out.
`;

const votesOf = (random: Random): number => random.between(1, 40) + (random.below(4) === 0 ? random.between(20, 160) : 0);

export const posts: readonly Post[] = postRows
  .trim()
  .split('\n')
  .map((row, at) => {
    const [board = '', title = '', text = ''] = row.split('|');
    const random = Random.of(21, 'post', at);
    return {
      number: 301 + at,
      board,
      author: random.pick(people).id,
      title,
      text,
      votes: votesOf(random),
      date: date(random.between(0, 120)),
    };
  });

const remarks = [
  'I had the same thing last year and waiting helped.',
  'Thank you for writing this down.',
  'Ask Tobias, he knows everything about it.',
  'I would like to hear how it ends.',
  'Not in my experience, but I may be doing it wrong.',
  'Yes. A hundred times yes.',
  'Could you post a picture?',
  'The library has a good book on this, second floor.',
  'My neighbour swears by vinegar. I do not know why.',
  'Count me in for Saturday.',
  'This is the kindest corner of the internet.',
  'I tried it this morning and it works.',
  'Careful, the tide is earlier than the table says.',
  'Somebody should put this in the wiki.',
  'I disagree, politely.',
  'You can get one at the market, third stall on the left.',
  'It depends on the wind, like everything here.',
  'Following, because I want to know as well.',
];

export const comments: readonly Comment[] = posts.flatMap((post, at) => {
  const random = Random.of(21, 'comments', at);
  const texts = random.shuffle(remarks).slice(0, random.between(1, 6));
  const authors = random.shuffle(people);
  return texts.map((text, n) => ({
    number: 5000 + at * 10 + n,
    post: post.number,
    author: authors[n]?.id ?? 'otis',
    text,
    votes: random.between(0, 24),
    date: post.date,
  }));
});

export const postSlug = ({ title }: { readonly title: string }): string => slug(title).slice(0, 48);
