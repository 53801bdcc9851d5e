/** Waiting that never holds the process open. */

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** Never answers; given up long after every deadline, so that nothing is held in memory for ever. */
export async function never(deadline: number): Promise<never> {
  await pause(20 * deadline);
  throw new Error('chaos: nobody waited for this');
}
