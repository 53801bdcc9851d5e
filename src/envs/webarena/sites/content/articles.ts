/** The encyclopaedia's articles. Facts are what its boxes show; `[[…]]` in a text is a link to another article. */
import { slug } from './products.ts';

export interface Article {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly text: readonly string[];
  readonly facts: readonly (readonly [string, string])[];
}

const rows = `
Merrow Bay|Places|Merrow Bay is a harbour town on the west coast, known for its [[Merrow Lighthouse]] and its [[Night Ferry]].~The town grew around the salt trade, of which the [[Old Salt House]] is left. Since the closing of the [[Bay Foundry]]'s shipyard most people work in schools, workshops and on the water.|Founded=1284;Population=8,412;Mayor=Ada Fenwick;Area=14 square kilometres
Merrow Lighthouse|Buildings|The Merrow Lighthouse stands on the cape north of [[Merrow Bay]] and was designed by [[Isolde Marchetti]].~Its light was turned by clockwork until 1962. The keeper's house is a museum today.|Built=1871;Height=34 metres;Range=19 nautical miles;Architect=Isolde Marchetti
Night Ferry|Transport|The Night Ferry connects [[Merrow Bay]] with [[Sandwick]] on the other side of the sound. Its ship is the [[Petrel]].~It has run every night but Sunday since its first crossing, with a pause during the repairs of last winter.|First crossing=1926;Crossing time=95 minutes;Ship=Petrel
Petrel|Transport|The Petrel is the ship of the [[Night Ferry]], built by the [[Bay Foundry]].~It carries twenty-two cars and two hundred people, and one piano.|Launched=1958;Length=48 metres;Builder=Bay Foundry
Bay Foundry|Companies|The Bay Foundry of [[Merrow Bay]] casts pans, bells and, until 1983, the parts of ships. It was founded by [[Tomas Quill]].~Its skillets are sold far beyond the coast.|Founded=1839;Founder=Tomas Quill;Employees=61
Sandwick|Places|Sandwick is a fishing village across the sound from [[Merrow Bay]], reached by the [[Night Ferry]].~It is known for its herring and for its [[Tidal Mill of Sandwick|tidal mill]].|Founded=1402;Population=1,930;Mayor=Piet Larsson;Area=6 square kilometres
Tidal Mill of Sandwick|Buildings|The tidal mill of [[Sandwick]] ground flour with the fall of the tide.~Its wheel turns again since the restoration led by [[Nora Achterberg]].|Built=1766;Height=12 metres;Architect=Unknown
Old Salt House|Buildings|The Old Salt House on the quay of [[Merrow Bay]] stored salt for the whole county.~It is the oldest building of the town and holds the Harbour Museum.|Built=1593;Height=17 metres;Architect=Giles Ferrand
St Brannoc Chapel|Buildings|St Brannoc Chapel stands on the hill above [[Merrow Bay]].~Its bell was cast by the [[Bay Foundry]].|Built=1348;Height=29 metres;Architect=Unknown
Mill Pond|Nature|The Mill Pond lies in the north of [[Merrow Bay]] and is fed by the Merrow stream.~Herons and the [[Kingfisher]] are seen on its banks.|Depth=3 metres;Area=2 hectares;Created=1510
Isolde Marchetti|People|Isolde Marchetti was an engineer of lighthouses. Her best known work is the [[Merrow Lighthouse]].~She wrote a manual on lenses that was in use for sixty years.|Born=1829;Died=1903;Profession=Engineer
Tomas Quill|People|Tomas Quill was a smith who founded the [[Bay Foundry]] with two apprentices.~He is said to have cast his first bell in a garden.|Born=1801;Died=1877;Profession=Smith
Nora Achterberg|People|Nora Achterberg is a carpenter and restorer. She led the work on the [[Tidal Mill of Sandwick]].~She teaches in [[Merrow Bay]].|Born=1974;Profession=Carpenter
Ada Fenwick|People|Ada Fenwick is the mayor of [[Merrow Bay]] since 2019.~Before that she was captain of the [[Petrel]].|Born=1966;Profession=Captain
Giles Ferrand|People|Giles Ferrand was a master mason who built the [[Old Salt House]].~Nothing else of his work is left.|Born=1551;Died=1618;Profession=Mason
Elin Storm|People|Elin Storm is a poet from [[Sandwick]], author of [[Poems for the Night Ferry]].~She wrote most of it on board.|Born=1981;Profession=Poet
Poems for the Night Ferry|Books|Poems for the Night Ferry is a collection by [[Elin Storm]].~Each of its forty poems can be read between two buoys.|Published=2025;Pages=88;Author=Elin Storm
The Lighthouse Keeper's Logbook|Books|The Lighthouse Keeper's Logbook collects entries from the [[Merrow Lighthouse]].~They were written by the keeper [[August Pell]].|Published=2022;Pages=240;Author=August Pell
August Pell|People|August Pell was keeper of the [[Merrow Lighthouse]] for twenty-three years.~His logbook records storms, suppers and one proposal.|Born=1848;Died=1921;Profession=Lighthouse keeper
A Short History of Salt|Books|A Short History of Salt tells how the harbour of [[Merrow Bay]] grew rich and poor.~It was written by [[Ruth Calloway]].|Published=2018;Pages=312;Author=Ruth Calloway
Ruth Calloway|People|Ruth Calloway is a historian at the college of [[Merrow Bay]].~Her subject is trade along the coast.|Born=1959;Profession=Historian
Barn owl|Nature|The barn owl is a pale owl that hunts over fields at dusk.~A pair breeds at the [[St Brannoc Chapel]].|Wingspan=89 centimetres;Clutch=4 to 6 eggs;Status=Protected
Kingfisher|Nature|The kingfisher is a small blue and orange bird of quiet waters.~It is seen at the [[Mill Pond]] in winter.|Wingspan=25 centimetres;Clutch=6 to 7 eggs;Status=Protected
Herring gull|Nature|The herring gull is the loudest citizen of [[Merrow Bay]].~It nests on the roof of the [[Old Salt House]].|Wingspan=138 centimetres;Clutch=2 to 3 eggs;Status=Declining
Storm petrel|Nature|The storm petrel is the smallest bird of the open sea. The ship [[Petrel]] is named after it.~It comes to land only at night.|Wingspan=38 centimetres;Clutch=1 egg;Status=Protected
Sea kale|Nature|Sea kale is a plant of shingle beaches with thick blue-green leaves.~It was once eaten in [[Sandwick]] in spring.|Height=75 centimetres;Flowers=June to August;Family=Cabbages
Yarrow|Nature|Yarrow is a meadow flower with feathery leaves.~It grows along the [[Mill Pond]].|Height=60 centimetres;Flowers=June to October;Family=Daisies
Merrow Regatta|Events|The Merrow Regatta is a race of small boats held in the harbour of [[Merrow Bay]].~The prize is a copper kettle cast by the [[Bay Foundry]].|First held=1897;Month=August;Boats=64
Winter Count|Events|The Winter Count is a count of birds in the estuary near [[Merrow Bay]].~In the last one the [[Herring gull]] came first.|First held=1978;Month=January;Volunteers=37
Lantern Walk|Events|The Lantern Walk leads from the quay of [[Merrow Bay]] to the [[Merrow Lighthouse]].~Everybody carries a lantern of folded paper.|First held=1954;Month=November;Length=5 kilometres
`;

export const articles: readonly Article[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [title = '', category = '', text = '', facts = ''] = splitRow(row);
    return {
      id: slug(title),
      title,
      category,
      text: text.split('~'),
      facts: facts.split(';').map((fact) => [fact.slice(0, fact.indexOf('=')), fact.slice(fact.indexOf('=') + 1)] as const),
    };
  });

export const articleCategories: readonly string[] = [...new Set(articles.map(({ category }) => category))].sort();

/** Columns are divided by `|`, which links may hold too. */
function splitRow(row: string): string[] {
  return row
    .replace(/\[\[[^\]]*\]\]/g, (link) => link.replaceAll('|', '\0'))
    .split('|')
    .map((part) => part.replaceAll('\0', '|'));
}
