/** A page that breaks says so in words; the frame around it keeps working. Give it a key that changes with the page. */
import { Component, type ComponentChildren } from 'preact';

export interface BoundaryProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

export class Boundary extends Component<BoundaryProps, { readonly trouble?: string }> {
  override state: { readonly trouble?: string } = {};

  static override getDerivedStateFromError(error: unknown): { trouble: string } {
    return { trouble: error instanceof Error ? error.message : String(error) };
  }

  override render({ title, children }: BoundaryProps) {
    const { trouble } = this.state;
    if (trouble === undefined) return <>{children}</>;
    return (
      <p class="empty" role="alert">
        {title} {trouble}
      </p>
    );
  }
}
