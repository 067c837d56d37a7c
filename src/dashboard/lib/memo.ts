import { Component, type ComponentChildren } from 'preact';

/**
 * A component that is drawn anew only when one of its properties is another one; it reads no signals. Where a list grows,
 * to keep what was drawn (`useMemo`) keeps the whole list of that time with it.
 */
export const memo = <P extends object>(draw: (props: P) => ComponentChildren) =>
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return (Object.keys(next) as (keyof P)[]).some(
        (name) => next[name] !== this.props[name as keyof typeof this.props],
      );
    }
    override render(props: P) {
      return draw(props);
    }
  };
