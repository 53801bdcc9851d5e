/**
 * What an observation is made of: the nodes of Chromium's accessibility tree, as `Accessibility.getFullAXTree` sends them, with their
 * bounding boxes. The browser backend gets them from Chromium, the fast backend computes them from its own DOM.
 */
export interface AxNode {
  readonly nodeId: string;
  readonly ignored?: boolean;
  readonly role?: AxValue;
  readonly name?: AxValue;
  readonly properties?: readonly AxProperty[];
  readonly childIds?: readonly string[];
  readonly parentId?: string;
  readonly backendDOMNodeId?: number;
}

export interface AxProperty {
  readonly name: string;
  readonly value: AxValue;
}

export interface AxValue {
  readonly type?: string;
  readonly value?: unknown;
}

/** A box in CSS pixels from the top left corner of the viewport, as `getBoundingClientRect` gives it. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A node with its box; `undefined` where the browser knows none (no element behind it). */
export interface PlacedNode {
  readonly node: AxNode;
  readonly box: Box | undefined;
}

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** A line of the observation that an action can name by its id. */
export interface ObservedNode {
  readonly box: Box | undefined;
  readonly backendNodeId: number;
  /** The node's line without indentation: `[12] link 'Orders'`. */
  readonly text: string;
}

export interface TreeText {
  readonly text: string;
  readonly nodes: ReadonlyMap<string, ObservedNode>;
}
