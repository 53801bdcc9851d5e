/** What can be done to an object: the fact that it leaves, and the kind of receptacle that does it. */
export const marks = { clean: 'isclean', heat: 'ishot', cool: 'iscool' } as const;
export const appliances = { clean: 'sinkbasin', heat: 'microwave', cool: 'fridge' } as const;
export type Change = keyof typeof marks;
