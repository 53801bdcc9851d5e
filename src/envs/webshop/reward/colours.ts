/** Colour words of WebShop's reward, in the order in which they are tried. */
export const colours: readonly string[] = (
  'alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze brown burgundy camel camo caramel ' +
  'champagne charcoal cheetah chestnut chocolate christmas coffee cognac copper coral cranberry cream crystal dark denim ' +
  'eggplant elephant espresso fuchsia gold granite grape graphite grass gray green grey heather indigo ivory ivy khaki ' +
  'lavender lemon leopard light lilac lime magenta maroon mauve merlot midnight mint mocha multicolor mushroom mustard ' +
  'natural navy nude olive orange peach pewter pink plum purple rainbow red rose royal rust sand sapphire seashell silver ' +
  'skull slate steel stone stonewash sunflower tan taupe teal tiger turquoise violet walnut wheat white wine yellow'
).split(' ');

const known = new Set(colours);

/** A text becomes the first of the colours that it contains, even inside a word. */
export function plainColour(text: string): string {
  return colours.find((colour) => text.includes(colour)) ?? text;
}

export function isColour(text: string): boolean {
  return known.has(text);
}
