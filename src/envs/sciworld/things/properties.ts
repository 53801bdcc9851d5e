/** Properties that a thing may carry, as plain data, and the usual ones. */

/** Whether things can be put inside, and whether there is a lid. */
export interface Vessel {
  readonly isContainer: boolean;
  isOpen: boolean;
  readonly isClosable: boolean;
}

export interface Device {
  readonly isActivable: boolean;
  isActivated: boolean;
  readonly isUsable: boolean;
  isBroken: boolean;
}

/** A source of heat or cold: the temperature it can reach, and the one it is set to while it is on. */
export interface ThermalSource {
  readonly limit: number;
  set: number | undefined;
}

export interface PortalState {
  isOpen: boolean;
  readonly isOpenable: boolean;
}

export const closedVessel = (): Vessel => ({ isContainer: true, isOpen: false, isClosable: true });
export const openVessel = (): Vessel => ({ isContainer: true, isOpen: true, isClosable: false });
export const noVessel = (): Vessel => ({ isContainer: false, isOpen: false, isClosable: false });

export function device(isActivable: boolean, isActivated: boolean, isUsable = false): Device {
  return { isActivable, isActivated, isUsable, isBroken: false };
}

export type ElectricalRole = 'generator' | 'user' | 'switch';

export type UseResult = { readonly done: boolean; readonly text: string };
