/** A to-do service: projects with tasks, drawn from a seed, that can be read and changed. Ids are texts of digits, as Todoist's. */
import { dateOf, dayNumber } from '../core/calendar.ts';
import type { Random } from '../../../core/random/random.ts';
import type { Side } from '../core/kit.ts';

export interface TodoTask {
  readonly id: string;
  readonly project: string;
  readonly order: number;
  readonly content: string;
  readonly description: string;
  readonly priority: number;
  readonly minutes: number;
  due: string;
  completed: boolean;
}

export interface TodoProject {
  readonly id: string;
  readonly order: number;
  readonly name: string;
  favourite: boolean;
}

export interface Account {
  readonly date: string;
  readonly location: string;
  readonly projects: readonly TodoProject[];
  readonly tasks: readonly TodoTask[];
}

const projectNames: Readonly<Record<Side, readonly string[]>> = {
  train: [
    'Garden Renewal',
    'School Work',
    'Household Chores',
    'Choir Concert',
    'Summer Journey',
    'Bicycle Workshop',
    'Book Club',
    'Flat Hunting',
    'Family Reunion',
    'Language Course',
    'Photo Exhibition',
    'Marathon Training',
  ],
  validation: ['Kitchen Repair', 'Theatre Evening', 'Evening Classes', 'Charity Bazaar', 'Winter Journey', 'Boat Workshop'],
  test: [
    'Attic Clearing',
    'Wedding Plans',
    'Chess Tournament',
    'Mountain Hike',
    'Radio Programme',
    'Beekeeping',
    'Science Evening',
  ],
};
const verbs = ['Prepare', 'Review', 'Order', 'Sort', 'Discuss', 'Repair', 'Collect', 'Draft', 'Check', 'Pack'];
const things: Readonly<Record<Side, readonly string[]>> = {
  train: [
    'the invitations',
    'the tool box',
    'the reading list',
    'the tickets',
    'the flower beds',
    'the front door',
    'the budget',
    'the song sheets',
    'the spare parts',
    'the address book',
    'the posters',
    'the luggage',
    'the essay',
    'the old photos',
  ],
  validation: [
    'the stage lights',
    'the shelves',
    'the guest list',
    'the raffle prizes',
    'the sails',
    'the homework',
    'the snow chains',
  ],
  test: [
    'the boxes',
    'the seating plan',
    'the chess clocks',
    'the route map',
    'the interview',
    'the beehives',
    'the microscopes',
    'the rain gear',
    'the rings',
  ],
};
const rooms = ['Library', 'Kitchen', 'Town Hall', 'Community Centre', 'Workshop', 'Study', 'Garden House', 'Main Hall'];
const people = ['Ada', 'Bruno', 'Clara', 'Dmitri', 'Elena', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas'];
const tips = ['Start early.', 'Take breaks.', 'Write everything down.', 'Ask twice.', 'Keep the receipts.'];
const cities = ['New York', 'Chicago', 'London', 'Paris', 'Oslo', 'Tokyo'];

export function drawAccount(side: Side, random: Random): Account {
  const today = random.between(dayNumber('2023-02-01') ?? NaN, dayNumber('2023-11-30') ?? NaN);
  const ids = new Set<string>();
  while (ids.size < 40) ids.add(String(2_200_000_000 + random.below(100_000_000)));
  const [...free] = ids;
  const next = (): string => free.pop() ?? '';
  const names = random.shuffle(projectNames[side]).slice(0, random.between(3, 5));
  const projects = names.map((name, at): TodoProject => ({ id: next(), order: at + 1, name, favourite: false }));
  const contents = random.shuffle(things[side].flatMap((thing) => verbs.map((verb) => `${verb} ${thing}`)));
  const tasks = projects.flatMap(({ id: project }) =>
    Array.from({ length: random.between(2, 5) }, (_, at): TodoTask => {
      const [room, person, tip] = [random.pick(rooms), random.pick(people), random.pick(tips)];
      return {
        id: next(),
        project,
        order: at + 1,
        content: contents.pop() ?? '',
        description: `- Place: ${room}\n- Contact: ${person}\n- Tips: ${tip}`,
        priority: random.between(1, 4),
        minutes: 5 * random.between(2, 24),
        due: dateOf(today + random.between(-4, 20)),
        completed: false,
      };
    }),
  );
  return { date: dateOf(today), location: random.pick(cities), projects, tasks };
}

/** A copy that can be changed. */
export function copyOf(account: Account): Account {
  return {
    ...account,
    projects: account.projects.map((project) => ({ ...project })),
    tasks: account.tasks.map((task) => ({ ...task })),
  };
}
